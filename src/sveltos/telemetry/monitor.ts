import type { Clock } from "../../core/clock/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { WorkQueueState, ReportFailure, WorkQueue } from "../../reconcile/index.ts";
import type { Telemetry } from "./telemetry.ts";
import { EventRecorder } from "./event-recorder.ts";
import { errorFields, Log, type LogLevel } from "./log.ts";
import { Metrics, type Sample } from "./metrics.ts";

export type MonitorOptions = {
  readonly clock: Clock;
  /** Takes the lines of the log. */
  readonly write: (line: string) => void;
  /** What is logged: this and all that is worse. Default info. */
  readonly level?: LogLevel;
};

/** How a process is doing. `because` says what is wrong. */
export type ProbeResult = { readonly well: true } | { readonly well: false; readonly because: string };

/** For how long keys may wait while nobody works at all, before a queue counts as stuck. */
const stuckAfterMs = 60_000;
/** For how long work may go on that asks the management cluster alone. */
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

/** What is known of a process for as long as it runs: its numbers, its log, its queues, and whether it is well. */
export class Monitor {
  readonly metrics = new Metrics();
  readonly log: Log;
  /** Says whether the process has all that it needs for its work; until it is set, it has not. */
  readiness: () => ProbeResult = () => ({ well: false, because: "it is starting" });
  readonly #queues = new Map<string, { readonly queue: Pick<WorkQueue, "state">; readonly limitMs: number | undefined }>();

  constructor({ clock, write, level = "info" }: MonitorOptions) {
    this.log = new Log(clock, write, level);
    for (const [name, valueOf] of Object.entries(queueGauges)) this.metrics.register(name, () => this.#readings(valueOf));
    this.metrics.register("sluice_ready", () => [{ value: this.readiness().well ? 1 : 0 }]);
  }

  /**
   * Whether the process is alive, so that it makes no sense to start it anew. It is not when keys wait, nobody has
   * worked for a minute, and everything was there to work with; or when the work of one of the leader's queues, which
   * ask the management cluster alone and only while it answers, has gone on for a quarter of an hour. Deploys may take
   * as long as they like: they wait for workloads, and for clusters that do not answer.
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

  /** The chronicle of controllers: `bounded` ones work for the management cluster alone, and never for long. */
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
      recordEvent: (about, event) => events.record(about, event),
      count: (metric, labels) => this.metrics.count(metric, labels),
      observeMs: (metric, ms, labels) => this.metrics.observe(metric, ms / 1000, labels),
      watchQueue: (controller, queue) =>
        void this.#queues.set(controller, { queue, limitMs: bounded.has(controller) ? maxHubWorkMs : undefined }),
      failureReporter: (controller) => this.failureReporter(controller),
    };
  }

  /** Counts and logs the failures of a controller, and how soon each is tried again. */
  failureReporter(controller: string): ReportFailure {
    return ({ key, error, failures, requeueAfterMs }) => {
      const isFinal = requeueAfterMs === undefined;
      this.metrics.count("sluice_failures_total", { controller, retried: String(!isFinal) });
      const again = isFinal ? {} : { againInSeconds: Math.round(requeueAfterMs / 100) / 10 };
      this.log.write(isFinal ? "error" : "warn", `${controller} failed`, { controller, key, ...errorFields(error), failures, ...again });
    };
  }

  #readings(valueOf: (state: WorkQueueState) => number): readonly Sample[] {
    return [...this.#queues].map(([controller, { queue }]) => ({ labels: { controller }, value: valueOf(queue.state()) }));
  }
}
