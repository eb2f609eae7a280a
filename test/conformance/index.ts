/**
 * One suite for every cluster: scripts of requests, played on the embedded cluster, over a socket and on a real control
 * plane, whose answers are recorded and are what the others are compared with.
 *
 * It knows the wire of Kubernetes and what differs between two runs; it does not know how a cluster is made, and uses
 * no client but the bare exchange, so that it tests the server and nothing else.
 */
export type { Case } from "./case.ts";
export { cases } from "./cases/index.ts";
export { conduct } from "./conduct.ts";
export { readRecording, writeRecording, type Recording } from "./recording.ts";
export type { Heard } from "./run.ts";
export { siteInRealTime, siteInVirtualTime, type Site } from "./site.ts";
export { faultsOf, playCases, type Outcome } from "./suite.ts";
