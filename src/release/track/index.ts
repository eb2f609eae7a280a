/**
 * Follows objects until whoever asks has heard enough: how each is doing, and why it waits.
 *
 * It reads a cluster by watching it. It changes nothing and knows nothing of why somebody wants to know.
 */
export { Channel } from "./channel.ts";
export { readHealth, type HealthQuery, type ObjectHealth } from "./read-health.ts";
export { noDiagnostics, type Diagnostics, type LogTail } from "./diagnostics.ts";
export { waitForKind, type ServedKind } from "./wait-for-kind.ts";
export { ObjectWait, type WaitTarget, type WaitResult } from "./object-wait.ts";
export { ObjectWaits } from "./object-waits.ts";
