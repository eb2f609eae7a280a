/**
 * Says which objects of a cluster make an event: an EventSource and objects go in, matches come out, each object judged by
 * its place, its labels, Lua and CEL, and all of them together by the aggregating script.
 *
 * Pure, and told of one change at a time: only what has changed is judged again. It does not know how objects are watched
 * or how findings are reported.
 */
export { evaluate, Evaluation, type EvaluationOptions } from "./evaluation.ts";
export { examine, type Defect } from "./examine.ts";
export { explain, type Explanation } from "./explain.ts";
export { attempt, type Candidate, type Expected, type Tried } from "./trial.ts";
export type { Failure, Findings, Match, Verdict } from "./verdict.ts";
