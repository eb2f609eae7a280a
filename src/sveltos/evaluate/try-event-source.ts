import type { EventSource } from "../api/index.ts";
import { apiVersionOf, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import { EventSourceEvaluator } from "./event-source-evaluator.ts";
import { explain, type Explainer } from "./explain.ts";
import type { EvaluationResult, MatchResult } from "./evaluation-result.ts";

/** The result that a test case expects. */
export type ExpectedMatch = "matching" | "different";

export type TrialCase = { readonly object: KubeObject; readonly expected: ExpectedMatch };

/** The result of one test case. */
export type TrialResult = {
  readonly ref: ObjectRef;
  readonly expected: ExpectedMatch;
  readonly result: MatchResult;
  readonly isExpected: boolean;
};

/**
 * Tests an EventSource on objects with expected results. Each object is evaluated by itself. With an aggregating script all
 * objects form one cluster, and those that the script returns match; an object of a kind that no selector names is then one
 * that the script is expected to invent.
 */
export function tryEventSource(
  source: EventSource,
  candidates: readonly TrialCase[],
  environment: ScriptEnvironment = {},
): readonly TrialResult[] {
  const explainObject = explain(source, environment);
  if (source.aggregatedSelection.trim() === "")
    return candidates.map(({ object, expected }) => trialResult(object, expected, explainObject(object)));
  const kinds = new Set(source.selectors.map((selector) => `${apiVersionOf(selector)}/${selector.kind}`));
  const evaluator = new EventSourceEvaluator(source, { environment });
  for (const { object } of candidates) if (kinds.has(`${object.apiVersion}/${object.kind}`)) evaluator.put(object);
  const result = evaluator.evaluate();
  return candidates.map(({ object, expected }) => trialResult(object, expected, aggregatedResult(object, result, explainObject)));
}

function trialResult(object: KubeObject, expected: ExpectedMatch, result: MatchResult): TrialResult {
  return { ref: refOf(object), expected, result, isExpected: result.state === expected };
}

function aggregatedResult(object: KubeObject, { matches, failures, message }: EvaluationResult, explainObject: Explainer): MatchResult {
  const key = keyOf(refOf(object));
  if (matches.some(({ ref }) => keyOf(ref) === key)) return { state: "matching", message };
  const failure = failures.find(({ ref, effect }) => ref === undefined && effect === "kept");
  if (failure !== undefined) return { state: "failed", because: failure.reason };
  const alone = explainObject(object);
  if (alone.state !== "matching") return alone;
  return { state: "different", because: "aggregatedSelection did not choose it", message };
}
