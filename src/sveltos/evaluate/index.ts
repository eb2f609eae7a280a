/**
 * Says which objects of a cluster make an event: an EventSource and objects go in, matches come out, each object judged by
 * its place, its labels, Lua and CEL, and all of them together by the aggregating script.
 *
 * Pure, and told of one change at a time: only what has changed is judged again. It does not know how objects are watched
 * or how findings are reported.
 */
export { evaluateObjects, EventSourceEvaluator, type EvaluatorOptions } from "./event-source-evaluator.ts";
export { validateScripts, type ScriptDefect } from "./validate-scripts.ts";
export { explain, type Explainer } from "./explain.ts";
export { tryEventSource, type TrialCase, type ExpectedMatch, type TrialResult } from "./try-event-source.ts";
export type { MatchFailure, EvaluationResult, Match, MatchResult } from "./evaluation-result.ts";
