import type { EventSource } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import { EvaluationState } from "./evaluation-state.ts";
import { EventSourcePrograms } from "./event-source-programs.ts";
import type { EvaluationResult, Match } from "./evaluation-result.ts";

type EvaluatorOptions = {
  /**
   * The matches of the last report or of the previous spec of the EventSource. They hold for objects whose evaluation
   * fails. Default: none.
   */
  readonly last?: readonly Match[];
  /** The clock and randomness of scripts. */
  readonly environment?: ScriptEnvironment;
};

/** How many scripts in a row may exceed their limits before `evaluate` leaves the other objects for the next call. */
const maxTimeouts = 3;

/**
 * Evaluates one EventSource over the objects of one cluster, incrementally: only objects that have changed are evaluated
 * again. Its programs run here, when they are asked for.
 *
 * When the EventSource's spec changes, a new evaluator takes its place, with the matches of the old one as `last`.
 */
export class EventSourceEvaluator extends EvaluationState {
  readonly #programs: EventSourcePrograms;

  constructor(source: EventSource, { last = [], environment = {} }: EvaluatorOptions = {}) {
    super(source, last);
    this.#programs = new EventSourcePrograms(source, environment);
    this.recordBroken(this.#programs.broken);
  }

  /**
   * Evaluates the objects that have changed and returns the result over all objects. After `maxTimeouts` scripts that
   * exceeded their limits, the other objects keep their last result until the next call.
   */
  evaluate(): EvaluationResult {
    let timeouts = 0;
    const left = this.takePending().filter((pending) => {
      if (timeouts >= maxTimeouts) return true;
      this.record(pending, this.#programs.match(pending.object));
      timeouts = pending.entry.isAtLimit ? timeouts + 1 : 0;
      return false;
    });
    this.putBack(left);
    this.recordSetAside(left.length === 0 ? undefined : `${left.length} objects wait to be judged: the script takes too long on others`);
    const input = this.takeAggregation();
    if (input !== undefined) this.recordAggregation(this.#programs.aggregate(input));
    return this.result();
  }
}

/** Evaluates all objects at once, without last matches. */
export function evaluateObjects(source: EventSource, objects: Iterable<KubeObject>): EvaluationResult {
  const evaluator = new EventSourceEvaluator(source);
  for (const object of objects) evaluator.put(object);
  return evaluator.evaluate();
}
