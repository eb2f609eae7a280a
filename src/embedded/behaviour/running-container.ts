import { equal } from "../../core/object/index.ts";
import { needsRestart, resourcesOf, resourceSummary } from "./container-resources.ts";
import { terminatedStatus, shouldRestart, runningSince, type ContainerSync, type ContainerTransition } from "./container-sync.ts";
import { sample } from "./duration.ts";
import type { ContainerStatus } from "./pod.ts";
import type { PodSync } from "./pod-sync.ts";
import { momentAfter, probeOutput, probeRun } from "./probe-run.ts";

/** The next transition of a running container: a probe result or its end. */
export function nextRunningTransition(containerSync: ContainerSync, status: ContainerStatus): ContainerTransition | undefined {
  const { container } = containerSync;
  const from = runningSince(containerSync, status);
  const begun = startup(containerSync, from);
  const end = endOf(containerSync, status, from);
  const steps: ContainerTransition[] = [];
  if (end !== undefined) steps.push(end);
  steps.push(...resizing(containerSync, status, from));
  if (begun.passesAt < begun.givesUpAt) {
    if (status.started !== true) steps.push({ at: begun.passesAt, take: () => ({ ...status, started: true }) });
    else if (!status.ready) steps.push(...readiness(containerSync, status, from, begun.passesAt));
  } else {
    steps.push(killedByProbe(containerSync, status, from, { probe: "Startup", ...begun }));
  }
  if (container.livenessProbe !== undefined) steps.push(...liveness(containerSync, status, from, begun.passesAt));
  return steps.filter(({ at }) => at !== Infinity).sort((a, b) => a.at - b.at)[0];
}

/**
 * The resources of a container were changed by pods/resize: it gets them, or restarts with them where its policy says so. Models
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodResizeAction
 */
function resizing(containerSync: ContainerSync, status: ContainerStatus, from: number): ContainerTransition[] {
  const { container, role, podSync, fieldPath } = containerSync;
  if (role === "init" || equal(container.resources ?? {}, status.resources)) return [];
  const at = podSync.now;
  const error = status.resources === undefined ? undefined : podSync.infeasible();
  if (error !== undefined) {
    recordInfeasible(podSync, error);
    return [];
  }
  const take = () => {
    const { metadata, spec } = podSync.pod;
    const message = JSON.stringify({ ...resourceSummary(spec), generation: metadata.generation });
    podSync.recordEventOnce("resize", metadata.generation ?? 0, () => {
      podSync.recordEvent(at, "Normal", "ResizeStarted", `Pod resize started: ${message}`);
      podSync.recordEvent(at, "Normal", "ResizeCompleted", `Pod resize completed: ${message}`);
    });
    if (!needsRestart(container, status)) return { ...status, ...resourcesOf(container) };
    podSync.recordEvent(at, "Normal", "Killing", `Container ${container.name} resize requires restart`, fieldPath);
    return terminatedStatus(containerSync, status, { from, at, exitCode: 137, reason: "Error" });
  };
  return [{ at, take }];
}

/** Models pkg/kubelet/allocation/allocation_manager.go handlePodResourcesResize */
function recordInfeasible(podSync: PodSync, error: string): void {
  const { metadata, spec } = podSync.pod;
  const { generation = 0 } = metadata;
  podSync.pendingResize = error;
  podSync.recordEventOnce("infeasible", generation, () => {
    const message = JSON.stringify({ ...resourceSummary(spec), generation, error });
    podSync.recordEvent(podSync.now, "Warning", "ResizeInfeasible", `Pod resize Infeasible: ${message}`);
  });
}

function readiness(containerSync: ContainerSync, status: ContainerStatus, from: number, startedAt: number): ContainerTransition[] {
  const { container, role, rule, podSync, fieldPath } = containerSync;
  if (role === "init") return [];
  const goodAt = momentAfter(rule.ready, from, () => podSync.chance(`ready ${container.name}`));
  const take = () => ({ ...status, ready: true });
  const probe = container.readinessProbe;
  if (probe === undefined) return [{ at: Math.max(goodAt, startedAt), take }];
  const run = probeRun(probe, startedAt, goodAt);
  const unrecorded = (podSync.recorded[`unready ${container.name}`] ?? -1) < status.restartCount;
  if (run.firstFailureAt !== undefined && unrecorded) {
    const message = rule.ready !== undefined && "never" in rule.ready ? rule.ready.never : "";
    const recordUnhealthy = () => {
      const output = probeOutput(probe, podSync.pod.status?.podIP ?? "", message);
      podSync.recorded[`unready ${container.name}`] = status.restartCount;
      podSync.recordEvent(run.firstFailureAt!, "Warning", "Unhealthy", `Readiness probe failed: ${output}`, fieldPath);
      return status;
    };
    return [{ at: run.firstFailureAt, take: recordUnhealthy }];
  }
  return [{ at: run.passesAt, take }];
}

function liveness(containerSync: ContainerSync, status: ContainerStatus, from: number, startedAt: number): ContainerTransition[] {
  const { container, rule, podSync } = containerSync;
  const failure = rule.liveness;
  if (failure === undefined || podSync.attempt + status.restartCount >= (failure.times ?? Infinity)) return [];
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = container.livenessProbe!;
  const firstTick = startedAt + initialDelaySeconds * 1000;
  const badAt = from + sample(failure.failAfter, podSync.chance(`liveness ${container.name}`));
  const periodMs = periodSeconds * 1000;
  const firstFailureAt = firstTick + Math.max(0, Math.ceil((badAt - firstTick) / periodMs)) * periodMs;
  const givesUpAt = firstFailureAt + (failureThreshold - 1) * periodMs;
  return [killedByProbe(containerSync, status, from, { probe: "Liveness", firstFailureAt, givesUpAt })];
}

/** The kubelet stops a container whose probe has failed too often; the process is killed and counts as failed. */
function killedByProbe(
  containerSync: ContainerSync,
  status: ContainerStatus,
  from: number,
  failed: { probe: "Startup" | "Liveness"; firstFailureAt: number | undefined; givesUpAt: number },
): ContainerTransition {
  const { container, podSync, fieldPath } = containerSync;
  const spec = failed.probe === "Startup" ? container.startupProbe : container.livenessProbe;
  const at = failed.givesUpAt;
  const take = () => {
    const output = probeOutput(spec ?? {}, podSync.pod.status?.podIP ?? "", "");
    podSync.recordEvent(failed.firstFailureAt ?? at, "Warning", "Unhealthy", `${failed.probe} probe failed: ${output}`, fieldPath);
    const message = `Container ${container.name} failed ${failed.probe.toLowerCase()} probe`;
    const again = shouldRestart(containerSync, 137) ? ", will be restarted" : "";
    podSync.recordEvent(at, "Normal", "Killing", message + again, fieldPath);
    return terminatedStatus(containerSync, status, { from, at, exitCode: 137, reason: "Error" });
  };
  return { at, take };
}

/** How and when a running container exits by itself, if it does. */
function endOf(containerSync: ContainerSync, status: ContainerStatus, from: number): ContainerTransition | undefined {
  const { container, role, rule, podSync } = containerSync;
  const { name } = container;
  const attempt = podSync.attempt + status.restartCount;
  const step = (at: number, exitCode: number, cause: { reason?: string; message?: string } = {}): ContainerTransition => ({
    at,
    take: () =>
      terminatedStatus(containerSync, status, {
        from,
        at,
        exitCode,
        reason: cause.reason ?? (exitCode === 0 ? "Completed" : "Error"),
        ...rest(cause),
      }),
  });
  const { fail, run, result } = rule;
  if (fail !== undefined && attempt < (fail.times ?? Infinity)) {
    return step(from + sample(fail.at, podSync.chance(`fail ${name} ${attempt}`)), fail.exitCode, fail);
  }
  if (role === "init") return step(from + sample(rule.init, podSync.chance(`init ${name}`)), 0);
  const policy = container.restartPolicy ?? podSync.pod.spec.restartPolicy ?? "Always";
  if (role === "sidecar" || (policy === "Always" && result === undefined)) return undefined;
  const at = momentAfter(run, from, () => podSync.chance(`run ${name} ${attempt}`));
  if (at === Infinity) return undefined;
  const succeeds = result?.succeedAfterAttempts !== undefined && attempt >= result.succeedAfterAttempts;
  return step(at, succeeds ? 0 : (result?.exitCode ?? 0), succeeds || result === undefined ? {} : result);
}

function rest({ message }: { message?: string }): { message?: string } {
  return message === undefined ? {} : { message };
}

/** When a container that runs since `from` counts as started, and when it is killed because it never does. */
function startup({ container, rule, podSync }: ContainerSync, from: number) {
  if (container.startupProbe === undefined) return { passesAt: from, firstFailureAt: undefined, givesUpAt: Infinity };
  return probeRun(
    container.startupProbe,
    from,
    momentAfter(rule.startup, from, () => podSync.chance(`startup ${container.name}`)),
  );
}

/** When a sidecar has started, so that the next container can begin. */
export function startedAt(containerSync: ContainerSync, status: ContainerStatus): number {
  return startup(containerSync, runningSince(containerSync, status)).passesAt;
}
