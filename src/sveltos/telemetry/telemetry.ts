import type { KubeObject } from "../../core/object/index.ts";
import type { LogLevel } from "./log.ts";
import type { ReportFailure, WorkQueue } from "../../reconcile/index.ts";

/** The content of a Kubernetes Event. `reason` is one word in CamelCase. */
export type RecordedEvent = { readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string };

/**
 * Records what controllers do besides the statuses that they write: Kubernetes Events for users, metrics for monitoring.
 * It never fails and never blocks.
 */
export type Telemetry = {
  /**
   * Records an Event about an object of the management cluster. A repeated Event is counted, not written again. The first
   * of its kind is logged, unless `log` is false.
   */
  recordEvent(about: KubeObject, event: RecordedEvent, options?: { readonly log?: boolean }): void;
  /** Writes a line of the log. */
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Adds one to a counter such as `sluice_deploys_total`. */
  count(metric: string, labels?: Readonly<Record<string, string>>): void;
  /** Adds a duration to a histogram such as `sluice_deploy_seconds`. */
  observeMs(metric: string, ms: number, labels?: Readonly<Record<string, string>>): void;
  /** Exports the state of a controller's queue as metrics. */
  watchQueue(controller: string, queue: Pick<WorkQueue, "state">): void;
  /** Logs and counts the failures of a controller's queue. */
  failureReporter(controller: string): ReportFailure;
};

/** Records nothing. */
export const noTelemetry: Telemetry = {
  recordEvent: () => {},
  log: () => {},
  count: () => {},
  observeMs: () => {},
  watchQueue: () => {},
  failureReporter: () => () => {},
};
