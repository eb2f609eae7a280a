import type { Cluster } from "../../kube/index.ts";
import { logConcealer, type SensitiveObject } from "../conceal/index.ts";
import type { AwaitAction, Step } from "../plan/index.ts";
import type { EventProgress, LogProgress } from "../index.ts";
import { LogFollower, ObjectEvents, ObjectLogs, type LogTail } from "../track/index.ts";

/** Whose logs are shown while they are waited for: nobody's, those of hooks and Jobs, or those of all workloads. */
export type LogScope = "none" | "jobs" | "workloads";

type RunLogsOptions = {
  readonly scope: LogScope;
  readonly signal: AbortSignal;
  /** The objects whose sensitive values are hidden. */
  readonly objects: () => readonly SensitiveObject[];
  /** Is called when there are lines to take. */
  readonly onLogs: (take: () => readonly LogProgress[]) => void;
  readonly onEvent: (event: EventProgress) => void;
};

/** The clock of the cluster may be behind by this much. */
const clockSkewMs = 5_000;
const workloads = new Set(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController"]);

/** The logs of all pods of a run. */
export class RunLogs {
  readonly #follower: LogFollower;
  readonly #options: RunLogsOptions;
  #concealer: ((line: string) => string) | undefined;

  constructor(cluster: Cluster, options: RunLogsOptions) {
    this.#options = options;
    this.#follower = new LogFollower(cluster, { signal: options.signal, conceal: (line) => this.conceal(line) });
  }

  /** The logs to follow while a step waits. */
  of({ id, hook }: Step, { ref, gates, external, tracking }: AwaitAction): ObjectLogs | undefined {
    const { scope, onLogs } = this.#options;
    const isJob = ref.kind === "Job" || (hook === true && ref.kind === "Pod");
    const isWorkload = ref.kind === "Pod" || workloads.has(ref.kind);
    const isWanted = isJob || (isWorkload && (hook === true || scope === "workloads"));
    if (scope === "none" || external || !isWanted || gates.every(({ until }) => until === "absent")) return undefined;
    return new ObjectLogs(this.#follower, tracking.logs, (take) =>
      onLogs(() => take().map((entry) => ({ type: "log", ref, id, ...entry }))),
    );
  }

  /** The Events to report while a step waits. */
  eventsOf({ id }: Step, { ref, external, tracking }: AwaitAction): ObjectEvents | undefined {
    const { scope, onEvent } = this.#options;
    if (scope === "none" || external || tracking.logs.skip || !tracking.logs.events) return undefined;
    return new ObjectEvents(this.#follower.startedAt - clockSkewMs, (entry) => onEvent({ type: "event", ref, id, ...entry }));
  }

  /** Hides sensitive values. */
  conceal(line: string): string {
    this.#concealer ??= logConcealer(this.#options.objects());
    return this.#concealer(line);
  }

  concealTails(logs: readonly LogTail[]): readonly LogTail[] {
    return logs.map((tail) => ({ ...tail, lines: tail.lines.map((line) => this.conceal(line)) }));
  }
}
