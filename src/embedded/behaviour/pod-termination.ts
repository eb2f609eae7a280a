import { terminatedStatus, runningSince } from "./container-sync.ts";
import { effectiveRuleOf, type ContainerRole } from "./effective-rule.ts";
import { sample } from "./duration.ts";
import { isSidecar, timeMs, type Container, type ContainerStatus } from "./pod.ts";
import type { PodRuntimeState, PodSync } from "./pod-sync.ts";

/** The termination of containers: its start, its latest end, and its cause. */
export type PodTermination = { readonly from: number; readonly until: number; readonly cause: "deleted" | "deadline" | "completed" };

/** When the pod as a whole is terminated: it is deleted, or its deadline passes. */
export function podTerminationOf(podSync: PodSync, begun: number, runtimeState: PodRuntimeState | undefined): PodTermination | undefined {
  const { pod, now } = podSync;
  const { deletionTimestamp, deletionGracePeriodSeconds = 30 } = pod.metadata;
  const deadline = pod.spec.activeDeadlineSeconds;
  const graceMs = deletionGracePeriodSeconds * 1000;
  if (deletionTimestamp !== undefined) {
    const noticed = runtimeState === undefined ? (timeMs(deletionTimestamp) ?? now) - graceMs : now;
    return terminationFrom(podSync, runtimeState?.stoppingAt ?? Math.min(noticed, now), graceMs, "deleted");
  }
  if (deadline === undefined) return undefined;
  const from = begun + deadline * 1000;
  podSync.requeueAt(from);
  return terminationFrom(podSync, from, (pod.spec.terminationGracePeriodSeconds ?? 30) * 1000, "deadline");
}

function terminationFrom(podSync: PodSync, from: number, graceMs: number, cause: PodTermination["cause"]): PodTermination {
  const { initContainerStatuses = [], containerStatuses = [] } = podSync.pod.status ?? {};
  const isRunning = [...initContainerStatuses, ...containerStatuses].some(({ state }) => state.running !== undefined);
  const until = from + (isRunning ? Math.min(terminateMs(podSync), graceMs) : 0);
  return { from, until, cause };
}

function terminateMs(podSync: PodSync): number {
  return sample(effectiveRuleOf(podSync.pod, podSync.behaviour).terminate.after, podSync.chance("terminate"));
}

type Statuses = { readonly init: readonly ContainerStatus[]; readonly main: readonly ContainerStatus[] };

/** Stops running containers: records the Killing event first, and terminates them when the time has come. */
export function terminateContainers(podSync: PodSync, { init, main }: Statuses, stopping: PodTermination): Statuses {
  const { terminate } = effectiveRuleOf(podSync.pod, podSync.behaviour);
  const wantedMs = sample(terminate.after, podSync.chance("terminate"));
  const until = stopping.cause === "completed" ? stopping.from + wantedMs : stopping.until;
  const isKilled = stopping.cause !== "completed" && wantedMs > until - stopping.from && until > stopping.from;
  if (stopping.cause === "deadline") {
    const message = "Pod was active on the node longer than the specified deadline";
    podSync.recordEventOnce("deadline", 0, () => podSync.recordEvent(stopping.from, "Normal", "DeadlineExceeded", message));
  }
  const each = (container: Container, role: ContainerRole, status: ContainerStatus): ContainerStatus => {
    if (status.state.terminated !== undefined) return status;
    if (status.state.running === undefined) return podSync.now < until ? status : neverRan(podSync, role, status, init);
    const list = role === "main" ? "containers" : "initContainers";
    const recordKilling = () =>
      podSync.recordEvent(stopping.from, "Normal", "Killing", `Stopping container ${container.name}`, `spec.${list}{${container.name}}`);
    podSync.recordEventOnce(`killing ${container.name}`, status.restartCount, recordKilling);
    if (podSync.now < until) {
      podSync.requeueAt(until);
      return status;
    }
    const exitCode = isKilled ? 137 : terminate.exitCode;
    const from = runningSince({ podSync, container }, status);
    return terminatedStatus({ container, role, podSync }, status, {
      from,
      at: until,
      exitCode,
      reason: exitCode === 0 ? "Completed" : "Error",
    });
  };
  const { initContainers = [], containers } = podSync.pod.spec;
  return {
    init: init.map((status) => {
      const container = initContainers.find(({ name }) => name === status.name)!;
      return stopping.cause === "completed" && !isSidecar(container)
        ? status
        : each(container, isSidecar(container) ? "sidecar" : "init", status);
    }),
    main: main.map((status) =>
      each(
        containers.find(({ name }) => name === status.name)!,
        "main",
        status,
      ),
    ),
  };
}

/** A container that is still waiting when its pod terminates. Models pkg/kubelet/status/status_manager.go TerminatePod */
function neverRan(podSync: PodSync, role: ContainerRole, status: ContainerStatus, init: readonly ContainerStatus[]): ContainerStatus {
  const isInitialized =
    (podSync.pod.spec.initContainers ?? []).length === 0 || init.every(({ ready, started }) => ready || started === true);
  if (role !== "main" || !isInitialized) return status;
  const terminated = {
    exitCode: 137,
    reason: "ContainerStatusUnknown",
    message: "The container could not be located when the pod was terminated",
    startedAt: null,
    finishedAt: null,
  };
  return { ...status, state: { terminated }, ready: false, started: false };
}
