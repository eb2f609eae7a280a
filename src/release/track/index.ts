/**
 * Waits for objects: their health, and why they are not ready.
 *
 * It watches a cluster and changes nothing. It does not know what the waits are for.
 */
export type { AttendanceOf } from "./attendance.ts";
export { Channel } from "./channel.ts";
export { lastSeenAt } from "./event-text.ts";
export { readHealth, type HealthOptions, type HealthQuery, type ObjectHealth } from "./read-health.ts";
export { noDiagnostics, type Diagnostics, type LogTail } from "./diagnostics.ts";
export { readDependents } from "./read-dependents.ts";
export { readObjectDiagnostics } from "./read-object-diagnostics.ts";
export { LogFollower } from "./log/log-follower.ts";
export { ObjectLogs } from "./log/object-logs.ts";
export type { LogEntry } from "./log/log-buffer.ts";
export { ObjectEvents, type EventEntry } from "./object-events.ts";
export { Semaphore } from "./semaphore.ts";
export { waitForServedKind } from "./wait-until-served.ts";
export { mayRecreate, recreationText, runsToItsEnd, type Recreate } from "./recreation.ts";
export { ObjectWait } from "./object-wait.ts";
export { ObjectWaits } from "./object-waits.ts";
