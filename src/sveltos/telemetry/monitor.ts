import type { Clock } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { WorkQueueState, ReportFailure, WorkQueue } from "../../reconcile/index.ts";
import type { RecordedEvent, Telemetry } from "./telemetry.ts";
import { EventRecorder } from "./event-recorder.ts";
import { errorFields, Log, type LogLevel } from "./log.ts";
import { Metrics, type Sample } from "./metrics.ts";

type MonitorOptions = {
  readonly clock: Clock;
  /** Takes the lines of the log. */
  readonly write: (line: string) => void;
  /** The least severe level that is logged. Default info. */
  readonly level?: LogLevel;
};

/** The result of a liveness or readiness probe. */
export type ProbeResult = { readonly well: true } | { readonly well: false; readonly because: string };

/** A queue with waiting keys and no running worker counts as stuck after this time. */
const stuckAfterMs = 60_000;
/** The longest reconcile of a controller that writes to the management cluster only. */
const maxHubWorkMs = 900_000;

const queueGauges: Readonly<Record<string, (state: WorkQueueState) => number>> = {
  sluice_queue_depth: ({ depth }) => depth,
  sluice_queue_running: ({ running }) => running,
  sluice_queue_delayed: ({ delayed }) => delayed,
  sluice_queue_oldest_seconds: ({ oldestMs }) => oldestMs / 1000,
  sluice_queue_longest_run_seconds: ({ longestRunMs }) => longestRunMs / 1000,
  sluice_queue_added_total: ({ added }) => added,
  sluice_queue_worked_total: ({ worked }) => worked,
  sluice_queue_retried_total: ({ retried }) => retried,
};

/** The metrics, the log and the probes of one process. */
export class Monitor {
  readonly metrics = new Metrics();
  readonly log: Log;
  /** The readiness probe; not ready until it is set. */
  readiness: () => ProbeResult = () => ({ well: false, because: "it is starting" });
  readonly #queues = new Map<string, { readonly queue: Pick<WorkQueue, "state">; readonly limitMs: number | undefined }>();

  constructor({ clock, write, level = "info" }: MonitorOptions) {
    this.log = new Log(clock, write, level);
    for (const [name, valueOf] of Object.entries(queueGauges)) this.metrics.register(name, () => this.#samples(valueOf));
    this.metrics.register("sluice_ready", () => [{ value: this.readiness().well ? 1 : 0 }]);
  }

  /**
   * The liveness probe. A ready process fails it when a queue has keys and no worker for a minute, or when a reconcile of a
   * leader's queue takes longer than a quarter of an hour: those ask the management cluster alone. Deploys have no limit,
   * since they wait for workloads and for clusters that do not answer.
   */
  liveness(): ProbeResult {
    if (!this.readiness().well) return { well: true };
    for (const [controller, { queue, limitMs }] of this.#queues) {
      const { depth, running, oldestMs, longestRunMs } = queue.state();
      if (depth > 0 && running === 0 && oldestMs > stuckAfterMs)
        return { well: false, because: `${controller}: ${depth} keys wait, the first for ${oldestMs / 1000} s, and nobody works` };
      if (limitMs !== undefined && longestRunMs > limitMs)
        return { well: false, because: `${controller}: one key is worked on for ${longestRunMs / 1000} s` };
    }
    return { well: true };
  }

  /** The telemetry of controllers. `bounded` ones write to the management cluster only, and their reconciles are short. */
  telemetryFor(hub: Cluster, instance: string, signal: AbortSignal, bounded: ReadonlySet<string>): Telemetry {
    const events = new EventRecorder(hub, {
      instance,
      signal,
      onResult: (outcome, error) => {
        if (outcome === "written") this.metrics.count("sluice_events_written_total");
        else this.metrics.count("sluice_events_dropped_total", { reason: outcome });
        if (outcome === "failed") this.log.write("debug", "an Event could not be written", errorFields(error));
      },
    });
    return {
      recordEvent: (about, event, { log = true } = {}) => {
        if (events.record(about, event) && log) this.#logEvent(about, event);
      },
      log: (level, message, fields) => this.log.write(level, message, fields),
      count: (metric, labels) => this.metrics.count(metric, labels),
      observeMs: (metric, ms, labels) => this.metrics.observe(metric, ms / 1000, labels),
      watchQueue: (controller, queue) =>
        void this.#queues.set(controller, { queue, limitMs: bounded.has(controller) ? maxHubWorkMs : undefined }),
      failureReporter: (controller) => this.failureReporter(controller),
    };
  }

  /** Models client-go tools/record StartStructuredLogging */
  #logEvent({ kind, metadata: { namespace, name } }: KubeObject, { type, reason, message }: RecordedEvent): void {
    const object = [kind, ...(namespace === undefined ? [] : [namespace]), name].join("/");
    this.log.write("info", "Event occurred", { object, type, reason, note: message });
  }

  /** Counts and logs the failures of a controller, with the time until the retry. */
  failureReporter(controller: string): ReportFailure {
    return ({ key, error, failures, requeueAfterMs }) => {
      const isFinal = requeueAfterMs === undefined;
      this.metrics.count("sluice_failures_total", { controller, retried: String(!isFinal) });
      const again = isFinal ? {} : { againInSeconds: Math.round(requeueAfterMs / 100) / 10 };
      this.log.write(isFinal ? "error" : "warn", `${controller} failed`, { controller, key, ...errorFields(error), failures, ...again });
    };
  }

  #samples(valueOf: (state: WorkQueueState) => number): readonly Sample[] {
    return [...this.#queues].map(([controller, { queue }]) => ({ labels: { controller }, value: valueOf(queue.state()) }));
  }
}
