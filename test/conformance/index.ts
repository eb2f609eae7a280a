/**
 * One suite for every cluster. Its scripts of requests run on the embedded cluster, in process and over a socket, and on a
 * real control plane, whose recorded answers the others are compared with.
 *
 * It knows the Kubernetes wire format and what differs between two runs. It does not know how a cluster is started, and
 * uses no client, so that it tests the server alone.
 */
export type { ConformanceCase } from "./conformance-case.ts";
export { cases } from "./cases/index.ts";
export { suiteBehaviour } from "./suite-behaviour.ts";
export { readRecording, writeRecording, type Recording } from "./recording.ts";
export type { StepAnswer } from "./run-case.ts";
export { realTimeTarget, virtualTimeTarget, type ConformanceTarget } from "./conformance-target.ts";
export { caseFailures, runCases, type CaseOutcome } from "./run-cases.ts";
export { callScriptedWebhook, scriptedWebhook, serveScriptedWebhook, type ScriptedWebhook } from "./scripted-webhook.ts";
