import { isOfCurrentTemplate } from "../../../health/index.ts";
import { listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { LogFilter } from "../../order/index.ts";
import { lineFilterOf } from "../log-filter.ts";
import type { ContainerLog } from "./container-log.ts";
import { containerRunsOf } from "./container-run.ts";
import type { LogEntry } from "./log-buffer.ts";
import type { LogFollower } from "./log-follower.ts";

/** The time limit for reading logs to their end. */
const deadlineMs = 3_000;
/** The clocks of the cluster may be behind by this much. */
const clockSkewMs = 60_000;

/** Is called when there are log entries to take. */
type OnLogs = (take: () => readonly LogEntry[]) => void;

/** The logs of the pods of one object, while it is waited for. */
export class ObjectLogs {
  readonly #follower: LogFollower;
  readonly #filter: LogFilter;
  readonly #onLogs: OnLogs;
  /** The logs of each pod, by its uid. */
  readonly #pods = new Map<string, ReadonlyMap<string, ContainerLog>>();

  /** The last state of each pod that was taken in. A Job may have thousands of pods, of which one has changed. */
  readonly #observed = new Map<string, string>();

  constructor(follower: LogFollower, filter: LogFilter, onLogs: OnLogs) {
    this.#follower = follower;
    this.#filter = filter;
    this.#onLogs = onLogs;
  }

  /** Takes in the pods that an object has now, and reads what is new. A deleted object has none. */
  observe(object: KubeObject | undefined, pods: readonly KubeObject[]): void {
    if (pods.filter((pod) => this.#isKnown(pod)).length < this.#pods.size) this.#endDeleted(pods);
    if (object === undefined) return;
    for (const pod of this.#chosen(object, pods)) {
      const { uid = "", resourceVersion = "" } = pod.metadata;
      if (this.#observed.get(uid) === resourceVersion) continue;
      this.#observed.set(uid, resourceVersion);
      const logs = this.#logsOf(pod, runsToItsEnd(object));
      const statuses = [...listAt(pod, "status.initContainerStatuses"), ...listAt(pod, "status.containerStatuses")];
      for (const status of statuses) logs.get(stringAt(status, "name", ""))?.observe(containerRunsOf(status));
    }
  }

  /** Reads the logs as far as they have been written by now, and follows them no longer. `catchUp` comes first. */
  async finish(signal: AbortSignal, catchUp: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const tooLate = new AbortController();
    const cancel = this.#follower.cluster.clock.after(deadlineMs, () => tooLate.abort());
    const either = AbortSignal.any([signal, tooLate.signal]);
    try {
      await catchUp(either);
      const logs = [...this.#pods.values()].flatMap((containers) => [...containers.values()]);
      const unfinished: { readonly log: ContainerLog; readonly because: string }[] = [];
      const finish = async (log: ContainerLog) => {
        const because = await log.finish(either);
        if (because !== undefined) unfinished.push({ log, because });
      };
      await Promise.all(logs.map(finish));
      const [first, ...others] = unfinished;
      first?.log.note(others.length === 0 ? first.because : `${first.because}, nor those of ${others.length} other containers`);
    } finally {
      cancel();
    }
  }

  /**
   * Every pod of a Job is of interest, for each is another try. Of a workload these are the first pods of the current
   * template. Models kubedog: show-logs-only-for-number-of-replicas counts the replicas of workloads.
   */
  #chosen(object: KubeObject, pods: readonly KubeObject[]): readonly KubeObject[] {
    const { skip, replicas } = this.#filter;
    if (skip || replicas === 0) return [];
    if (runsToItsEnd(object)) return pods;
    const current = pods.filter((pod) => isOfCurrentTemplate(pod, object) && pod.metadata.deletionTimestamp === undefined);
    return current.toSorted((one, other) => Number(this.#isKnown(other)) - Number(this.#isKnown(one))).slice(0, replicas);
  }

  #isKnown({ metadata: { uid = "" } }: KubeObject): boolean {
    return this.#pods.has(uid);
  }

  #endDeleted(pods: readonly KubeObject[]): void {
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const [uid, logs] of this.#pods) if (!uids.has(uid)) for (const log of logs.values()) log.endRuns();
  }

  #logsOf(pod: KubeObject, whole: boolean): ReadonlyMap<string, ContainerLog> {
    const { uid = "", name, namespace = "" } = pod.metadata;
    const known = this.#pods.get(uid);
    if (known !== undefined) return known;
    // A workload may have run for years.
    const since = whole ? {} : { sinceTime: new Date(this.#follower.startedAt - clockSkewMs).toISOString() };
    const logs = new Map<string, ContainerLog>();
    for (const { name: container } of [...listAt(pod, "spec.initContainers"), ...listAt(pod, "spec.containers")]) {
      const isWanted = typeof container === "string" ? lineFilterOf(this.#filter, container) : undefined;
      if (typeof container !== "string" || isWanted === undefined) continue;
      logs.set(container, this.#follower.logOf(pod, { namespace, pod: name, container, isWanted, ...since }, this.#onLogs));
    }
    this.#pods.set(uid, logs);
    return logs;
  }
}

function runsToItsEnd({ kind }: KubeObject): boolean {
  return kind === "Job" || kind === "Pod";
}
