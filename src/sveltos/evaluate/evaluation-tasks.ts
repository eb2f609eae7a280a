import { LruCache } from "../../core/cache/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import type { AggregationResult } from "./aggregation.ts";
import type { MatchResult } from "./evaluation-result.ts";
import { EventSourcePrograms, type ProgramSource } from "./event-source-programs.ts";

/** What a worker gets: the programs of an EventSource, and objects to run them on. `hash` changes with the programs. */
export type EvaluationTaskInput = { readonly hash: string; readonly source: ProgramSource; readonly objects: readonly KubeObject[] };

/** `results`: of each object, the results of the selectors of its kind. */
type MatchOutput = { readonly broken: readonly string[]; readonly results: readonly (readonly MatchResult[])[] };

/** What a script says of one object. The status shows less. */
const longestMessage = 4096;

/** Runs the programs of EventSources in a worker, which keeps no state but what it has compiled. */
export class EvaluationTasks {
  readonly #environment: ScriptEnvironment;
  readonly #compiled = new LruCache<string, EventSourcePrograms>({ maxEntries: 100 });

  constructor(environment: ScriptEnvironment) {
    this.#environment = environment;
  }

  match(input: unknown): MatchOutput {
    const { objects, ...rest } = input as EvaluationTaskInput;
    const programs = this.#programsOf(rest);
    return { broken: programs.broken.map(shortened), results: objects.map((object) => programs.match(object).map(withShortTexts)) };
  }

  aggregate(input: unknown): AggregationResult {
    const { objects, ...rest } = input as EvaluationTaskInput;
    const result = this.#programsOf(rest).aggregate(objects);
    if ("failed" in result) return { failed: shortened(result.failed) };
    return { matches: result.matches, message: shortened(result.message) };
  }

  #programsOf({ hash, source }: Omit<EvaluationTaskInput, "objects">): EventSourcePrograms {
    let programs = this.#compiled.get(hash);
    if (programs === undefined) this.#compiled.set(hash, (programs = new EventSourcePrograms(source, this.#environment)));
    return programs;
  }
}

/** The output of `match`, which comes from a worker of ours. */
export function readMatchOutput(output: unknown): MatchOutput {
  return output as MatchOutput;
}

/** The output of `aggregate`. */
export function readAggregationOutput(output: unknown): AggregationResult {
  return output as AggregationResult;
}

function shortened(text: string): string {
  return text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
}

function withShortTexts(result: MatchResult): MatchResult {
  switch (result.state) {
    case "matching":
      return { ...result, message: shortened(result.message) };
    case "different":
      return {
        ...result,
        because: shortened(result.because),
        message: shortened(result.message),
        ...(result.ruleErrors !== undefined && { ruleErrors: shortened(result.ruleErrors) }),
      };
    case "failed":
      return { ...result, because: shortened(result.because) };
  }
}
