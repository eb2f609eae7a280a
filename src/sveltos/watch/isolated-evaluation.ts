import type { Cancel, Clock } from "../../core/clock/index.ts";
import { Fault, unreachable } from "../../core/fault/index.ts";
import { approximateSize, type KubeObject } from "../../core/object/index.ts";
import { valueHash, type EventSource } from "../api/index.ts";
import {
  readAggregationOutput,
  readMatchOutput,
  type EvaluationState,
  type EvaluationTaskInput,
  type MatchResult,
  type PendingObject,
} from "../evaluate/index.ts";
import { BatchRunner, maxBatchItems, type BatchOutcome, type IsolatedTask, type TaskRunner } from "../../worker/index.ts";

/** How the programs of EventSources are run elsewhere. */
export type EvaluationIsolation = {
  readonly tasks: TaskRunner;
  /** Who pays for an EventSource. */
  readonly ownerOf: (eventSource: string) => string;
  /** Where it is evaluated, in the names of what is set aside. */
  readonly scope: string;
};

type IsolatedEvaluationOptions = EvaluationIsolation & {
  readonly clock: Clock;
  /** Whether all objects that there were at first have been put. */
  readonly isListed: () => boolean;
  /** Called when the result may be another one. */
  readonly onChange: () => void;
};

/**
 * Runs the programs of one EventSource in workers, a batch of objects at a time and in their order. All results are kept here, so
 * a worker that ends has lost nothing.
 */
export class IsolatedEvaluation {
  readonly #state: EvaluationState;
  readonly #input: Omit<EvaluationTaskInput, "objects">;
  readonly #options: IsolatedEvaluationOptions;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #task: Pick<IsolatedTask, "owner" | "subject" | "title">;
  readonly #runner: BatchRunner<PendingObject, readonly MatchResult[]>;
  /** When to try an object again that has ended a worker, by its key. */
  readonly #retryAt = new Map<string, number>();
  /** When to try the aggregating script again. */
  #aggregateAt = 0;
  #stopTimer: Cancel = () => {};
  #isCompiled = false;
  #isRunning = false;
  /** There may be more to run than the present run has looked at. */
  #isWoken = false;
  #hasAnswered = false;
  #revision = -1;

  constructor(
    { metadata: { name }, selectors, aggregatedSelection }: EventSource,
    state: EvaluationState,
    options: IsolatedEvaluationOptions,
    signal: AbortSignal,
  ) {
    const source = { metadata: { name }, selectors, aggregatedSelection };
    this.#state = state;
    this.#input = { hash: valueHash(source), source };
    this.#options = options;
    this.#clock = options.clock;
    this.#signal = signal;
    const subject = `EventSource ${options.scope} ${name} ${this.#input.hash}`;
    this.#task = { owner: options.ownerOf(name), subject, title: `EventSource ${name}` };
    this.#runner = new BatchRunner({
      ...this.#task,
      tasks: options.tasks,
      clock: options.clock,
      handler: "match",
      keyOf: ({ entry }) => entry.key,
      sizeOf: ({ object }) => approximateSize(object),
      inputOf: (batch) => ({ ...this.#input, objects: batch.map(({ object }) => object) }),
      read: (output) => this.#readMatches(output),
    });
    signal.addEventListener("abort", () => this.#stopTimer(), { once: true });
  }

  /** Every object that was listed at first has been evaluated, or has failed. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Evaluates what has been put. Calls `onChange` at once for what needs no program, and later for the rest. */
  wake(): void {
    if (this.#signal.aborted) return;
    this.#state.evaluateMetadata();
    this.#isWoken = true;
    void this.#run();
    if (this.#hasAnswered) this.#notify();
  }

  /** Calls back if the result may be another one since the last call. */
  #notify(): void {
    if (this.#signal.aborted || this.#state.revision === this.#revision) return;
    this.#revision = this.#state.revision;
    this.#options.onChange();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isWoken) {
      this.#isWoken = false;
      while (await this.#runNext()) if (this.#hasAnswered) this.#notify();
    }
    this.#isRunning = false;
    if (this.#signal.aborted) return;
    this.#hasAnswered ||= this.#options.isListed();
    if (this.#hasAnswered) this.#notify();
    this.#schedule();
  }

  /** Runs what is next. False when there is nothing now. */
  async #runNext(): Promise<boolean> {
    const now = this.#clock.now();
    if (this.#signal.aborted || (this.#runner.pause?.until ?? 0) > now) return false;
    const taken = this.#state.takePending(maxBatchItems, (key) => (this.#retryAt.get(key) ?? 0) <= now);
    if (taken.length > 0 || !this.#isCompiled) {
      await this.#match(taken);
      return true;
    }
    const objects = this.#aggregateAt > now ? undefined : this.#state.takeAggregation();
    if (objects === undefined) return false;
    await this.#aggregate(objects);
    return true;
  }

  async #match(taken: readonly PendingObject[]): Promise<void> {
    const wasPaused = this.#runner.pause !== undefined;
    await this.#runner.run(taken, (pending, outcome) => this.#record(pending, outcome), this.#signal);
    const { pause } = this.#runner;
    if (pause !== undefined) this.#state.recordSetAside(`all scripts and rules are ${pause.message}`);
    else if (wasPaused) this.#state.recordSetAside(undefined);
  }

  #record(pending: PendingObject, outcome: BatchOutcome<readonly MatchResult[]>): void {
    switch (outcome.state) {
      case "done":
        this.#state.record(pending, outcome.result);
        break;
      case "paused":
        this.#state.putBack([pending]);
        break;
      case "failed":
        // The rest may take as long: what is known is told now.
        this.#hasAnswered ||= this.#options.isListed();
        this.#retryAt.set(pending.entry.key, outcome.retryAt);
        this.#state.fail(pending, outcome.message);
        break;
      default:
        unreachable(outcome);
    }
    // What is run alone does not wait for the next, which may take its time.
    if (this.#hasAnswered) queueMicrotask(() => this.#notify());
  }

  #readMatches(output: unknown): readonly (readonly MatchResult[])[] {
    const { broken, results } = readMatchOutput(output);
    if (!this.#isCompiled) this.#state.recordBroken(broken);
    this.#isCompiled = true;
    return results;
  }

  async #aggregate(objects: readonly KubeObject[]): Promise<void> {
    const subject = `${this.#task.subject} aggregatedSelection`;
    const task = { ...this.#task, handler: "aggregate", input: { ...this.#input, objects }, subject, sparesOwner: true };
    try {
      this.#state.recordAggregation(readAggregationOutput(await this.#options.tasks.run(task, this.#signal)));
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#state.recordAggregation({ failed: error instanceof Fault ? error.message : String(error) }, { again: true });
      this.#aggregateAt = this.#runner.retryTimeOf(error);
    }
  }

  /** Wakes up when the first of what is set aside may be tried again. */
  #schedule(): void {
    this.#stopTimer();
    const now = this.#clock.now();
    for (const [key, at] of this.#retryAt) if (at <= now) this.#retryAt.delete(key);
    const pausedUntil = this.#runner.pause?.until ?? 0;
    const times = pausedUntil > now ? [pausedUntil] : [...this.#retryAt.values(), this.#aggregateAt].filter((at) => at > now);
    if (times.length === 0) return;
    this.#stopTimer = this.#clock.after(Math.min(...times) - now + 1, () => this.wake(), { background: true });
  }
}
