/**
 * Evaluates EventSources: finds the objects of a cluster that match by kind, namespace, name, labels, Lua and CEL, and then
 * by the script of `aggregatedSelection`.
 *
 * Pure and incremental: it gets one change at a time and evaluates only what has changed. It does not know how objects are
 * watched, how results are reported, or whether the programs of others run in this process.
 */
export { evaluateObjects, EventSourceEvaluator } from "./event-source-evaluator.ts";
export { EvaluationState, type PendingObject } from "./evaluation-state.ts";
export { EvaluationTasks, readMatchOutput, readAggregationOutput, type EvaluationTaskInput } from "./evaluation-tasks.ts";
export { needsPrograms } from "./event-source-programs.ts";
export { brokenRules } from "./cel-rules.ts";
export { scriptDefectPath, validateScripts, type ScriptDefect } from "./validate-scripts.ts";
export { explain } from "./explain.ts";
export { tryEventSource, type TrialCase, type ExpectedMatch, type TrialResult } from "./try-event-source.ts";
export type { MatchFailure, EvaluationResult, Match, MatchResult } from "./evaluation-result.ts";
export { compileMetadata } from "./selector-matcher.ts";
export { compareRefs } from "./sorted-matches.ts";
