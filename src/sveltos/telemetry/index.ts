/**
 * What a controller tells the world beside the statuses that it writes: Kubernetes Events for people, numbers for
 * monitoring, lines for a log.
 *
 * Nobody waits for any of it, nothing of it fails, and all of it is bounded: what is said again is counted, what cannot
 * be written in time is dropped and counted as dropped. It opens no port and writes no file; whoever does asks it for text.
 */
export { silent, type Chronicle, type Happening } from "./chronicle.ts";
export { EventWriter, type EventWriterOptions } from "./events.ts";
export { Log, logLevels, type LogLevel } from "./log.ts";
export { catalogue, type MetricFacts } from "./catalogue.ts";
export { Metrics, type Labels } from "./metrics.ts";
export { Monitor, type MonitorOptions, type Vitals } from "./monitor.ts";
