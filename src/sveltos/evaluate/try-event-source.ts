import type { EventSource } from "../api/index.ts";
import { apiVersionOf, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import { EventSourceEvaluator } from "./event-source-evaluator.ts";
import { explain, type Explainer } from "./explain.ts";
import type { EvaluationResult, MatchResult } from "./evaluation-result.ts";

/** What an object of a trial should turn out to be. */
export type ExpectedMatch = "matching" | "different";

export type TrialCase = { readonly object: KubeObject; readonly expected: ExpectedMatch };

/** How the EventSource judged one object of a trial. `isRight`: as it should have. */
export type TrialResult = {
  readonly ref: ObjectRef;
  readonly expected: ExpectedMatch;
  readonly result: MatchResult;
  readonly isExpected: boolean;
};

/**
 * Tries an EventSource on objects of which it is known whether they should match. Each object is judged by itself; with
 * an aggregating script all of them are one cluster, and those match that the script returns. An object of a kind that no
 * selector is about is then one that the script is expected to make up.
 */
export function tryEventSource(
  source: EventSource,
  candidates: readonly TrialCase[],
  environment: ScriptEnvironment = {},
): readonly TrialResult[] {
  const judge = explain(source, environment);
  if (source.aggregatedSelection.trim() === "")
    return candidates.map(({ object, expected }) => trialResult(object, expected, judge(object)));
  const kinds = new Set(source.selectors.map((selector) => `${apiVersionOf(selector)}/${selector.kind}`));
  const evaluation = new EventSourceEvaluator(source, { environment });
  for (const { object } of candidates) if (kinds.has(`${object.apiVersion}/${object.kind}`)) evaluation.put(object);
  const result = evaluation.evaluate();
  return candidates.map(({ object, expected }) => trialResult(object, expected, aggregatedResult(object, result, judge)));
}

function trialResult(object: KubeObject, expected: ExpectedMatch, result: MatchResult): TrialResult {
  return { ref: refOf(object), expected, result, isExpected: result.state === expected };
}

function aggregatedResult(object: KubeObject, { matches, failures, message }: EvaluationResult, judge: Explainer): MatchResult {
  const key = keyOf(refOf(object));
  if (matches.some(({ ref }) => keyOf(ref) === key)) return { state: "matching", message };
  const failure = failures.find(({ ref, effect }) => ref === undefined && effect === "kept");
  if (failure !== undefined) return { state: "failed", because: failure.reason };
  const alone = judge(object);
  if (alone.state !== "matching") return alone;
  return { state: "different", because: "aggregatedSelection did not choose it", message };
}
