/**
 * What controllers emit besides the statuses that they write: Kubernetes Events, metrics, log lines and probe results.
 *
 * Nothing here fails or blocks, and all of it is bounded: repeated Events are counted, and those that cannot be written in
 * time are dropped and counted as dropped. It does not know ports or files: the command line asks it for text.
 */
export { noTelemetry, type Telemetry, type RecordedEvent } from "./telemetry.ts";
export { scopedTelemetry } from "./scoped-telemetry.ts";
export { EventRecorder } from "./event-recorder.ts";
export { Metrics } from "./metrics.ts";
export { Monitor, type ProbeResult } from "./monitor.ts";
