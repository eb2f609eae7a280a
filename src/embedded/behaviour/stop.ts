import { ended, runningSince } from "./actor.ts";
import { conductOf, type Role } from "./conduct.ts";
import { sample } from "./duration.ts";
import { isSidecar, momentOf, type Container, type ContainerStatus } from "./pod.ts";
import type { Memory, Turn } from "./turn.ts";

/** Containers are being stopped: since when, until when at the latest, and why. */
export type Stop = { readonly from: number; readonly until: number; readonly cause: "deleted" | "deadline" | "completed" };

/** When the pod as a whole is stopped from outside: it is deleted, or its deadline passes. */
export function stopMoment(turn: Turn, begun: number, memory: Memory | undefined): Stop | undefined {
  const { pod, now } = turn;
  const { deletionTimestamp, deletionGracePeriodSeconds = 30 } = pod.metadata;
  const deadline = pod.spec.activeDeadlineSeconds;
  const graceMs = deletionGracePeriodSeconds * 1000;
  if (deletionTimestamp !== undefined) {
    const noticed = memory === undefined ? (momentOf(deletionTimestamp) ?? now) - graceMs : now;
    return lasting(turn, memory?.stoppingAt ?? Math.min(noticed, now), graceMs, "deleted");
  }
  if (deadline === undefined) return undefined;
  const from = begun + deadline * 1000;
  turn.wake(from);
  return lasting(turn, from, (pod.spec.terminationGracePeriodSeconds ?? 30) * 1000, "deadline");
}

function lasting(turn: Turn, from: number, graceMs: number, cause: Stop["cause"]): Stop {
  const { initContainerStatuses = [], containerStatuses = [] } = turn.pod.status ?? {};
  const isRunning = [...initContainerStatuses, ...containerStatuses].some(({ state }) => state.running !== undefined);
  const until = from + (isRunning ? Math.min(terminateMs(turn), graceMs) : 0);
  return { from, until, cause };
}

function terminateMs(turn: Turn): number {
  return sample(conductOf(turn.pod, turn.behaviour).terminate.after, turn.chance("terminate"));
}

type Statuses = { readonly init: readonly ContainerStatus[]; readonly main: readonly ContainerStatus[] };

/** Stops what runs: tells so at first, and when the time has come ends it. */
export function stop(turn: Turn, { init, main }: Statuses, stopping: Stop): Statuses {
  const { terminate } = conductOf(turn.pod, turn.behaviour);
  const wantedMs = sample(terminate.after, turn.chance("terminate"));
  const until = stopping.cause === "completed" ? stopping.from + wantedMs : stopping.until;
  const isKilled = stopping.cause !== "completed" && wantedMs > until - stopping.from && until > stopping.from;
  if (stopping.cause === "deadline") {
    const message = "Pod was active on the node longer than the specified deadline";
    turn.tellOnce("deadline", 0, () => turn.tell(stopping.from, "Normal", "DeadlineExceeded", message));
  }
  const each = (container: Container, role: Role, status: ContainerStatus): ContainerStatus => {
    if (status.state.terminated !== undefined) return status;
    if (status.state.running === undefined) return turn.now < until ? status : neverRan(turn, role, status, init);
    const list = role === "main" ? "containers" : "initContainers";
    const tell = () =>
      turn.tell(stopping.from, "Normal", "Killing", `Stopping container ${container.name}`, `spec.${list}{${container.name}}`);
    turn.tellOnce(`killing ${container.name}`, status.restartCount, tell);
    if (turn.now < until) {
      turn.wake(until);
      return status;
    }
    const exitCode = isKilled ? 137 : terminate.exitCode;
    const from = runningSince({ turn, container }, status);
    return ended({ container, role, turn }, status, { from, at: until, exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
  };
  const { initContainers = [], containers } = turn.pod.spec;
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

/** A container that waits when its pod ends. Models pkg/kubelet/status/status_manager.go TerminatePod */
function neverRan(turn: Turn, role: Role, status: ContainerStatus, init: readonly ContainerStatus[]): ContainerStatus {
  const isInitialized = (turn.pod.spec.initContainers ?? []).length === 0 || init.every(({ ready, started }) => ready || started === true);
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
