import type { KubeObject } from "../../core/object/index.ts";
import type { ReportFailure, WorkQueue } from "../../reconcile/index.ts";

/** Something that a person should know of. `reason` is one word in CamelCase, as Kubernetes has it. */
export type RecordedEvent = { readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string };

/**
 * Where controllers say what happens beside the statuses that they write: to people as Kubernetes Events, to monitoring
 * as numbers. Nobody waits for it and it never fails.
 */
export type Telemetry = {
  /** About an object of the management cluster. What is said again is counted, not repeated. */
  recordEvent(about: KubeObject, event: RecordedEvent): void;
  /** One more of `metric`, such as `sluice_deploys_total`. */
  count(metric: string, labels?: Readonly<Record<string, string>>): void;
  /** How long something took, for a histogram such as `sluice_deploy_seconds`. */
  observeMs(metric: string, ms: number, labels?: Readonly<Record<string, string>>): void;
  /** Shows how the queue of a controller is doing. */
  watchQueue(controller: string, queue: Pick<WorkQueue, "state">): void;
  /** What a controller's queue reports its failures to. */
  failureReporter(controller: string): ReportFailure;
};

/** Says nothing to anybody. */
export const noTelemetry: Telemetry = {
  recordEvent: () => {},
  count: () => {},
  observeMs: () => {},
  watchQueue: () => {},
  failureReporter: () => () => {},
};
