/**
 * What a controller tells the world beside the statuses that it writes: Kubernetes Events for people, numbers for
 * monitoring, lines for a log.
 *
 * Nobody waits for any of it, nothing of it fails, and all of it is bounded: what is said again is counted, what cannot
 * be written in time is dropped and counted as dropped. It opens no port and writes no file; whoever does asks it for text.
 */
export { noTelemetry, type Telemetry, type RecordedEvent } from "./telemetry.ts";
export { EventRecorder, type EventRecorderOptions } from "./event-recorder.ts";
export { Log, logLevels, type LogLevel } from "./log.ts";
export { metricCatalogue, type MetricDescription } from "./metric-catalogue.ts";
export { Metrics, type MetricLabels } from "./metrics.ts";
export { Monitor, type MonitorOptions, type ProbeResult } from "./monitor.ts";
