/**
 * One suite for every cluster: scripts of requests, played on the embedded cluster, over a socket and on a real control
 * plane, whose answers are recorded and are what the others are compared with.
 *
 * It knows the wire of Kubernetes and what differs between two runs; it does not know how a cluster is made, and uses
 * no client but the bare exchange, so that it tests the server and nothing else.
 */
export type { ConformanceCase } from "./conformance-case.ts";
export { cases } from "./cases/index.ts";
export { suiteBehaviour } from "./suite-behaviour.ts";
export { readRecording, writeRecording, type Recording } from "./recording.ts";
export type { StepAnswer } from "./run-case.ts";
export { realTimeTarget, virtualTimeTarget, type ConformanceTarget } from "./conformance-target.ts";
export { caseFailures, runCases, type CaseOutcome } from "./run-cases.ts";
