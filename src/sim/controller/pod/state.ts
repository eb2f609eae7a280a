import { condition, stringAt, type KubeObject } from "../../../object/index.ts";
import { timeMs } from "./status.ts";

// Models pkg/api/v1/pod/util.go and pkg/controller/controller_utils.go

export function phaseOf(pod: KubeObject): string {
  return stringAt(pod, "status.phase", "");
}

/** Its containers have ended for good. */
export function isTerminal(pod: KubeObject): boolean {
  const phase = phaseOf(pod);
  return phase === "Succeeded" || phase === "Failed";
}

export function isActive(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isTerminal(pod);
}

export function isTerminating(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isTerminal(pod);
}

export function isReady(pod: KubeObject): boolean {
  return condition(pod, "Ready", "True") !== undefined;
}

/** When the Pod became ready; undefined when it is not, or does not say. */
export function readySinceMs(pod: KubeObject): number | undefined {
  return timeMs(condition(pod, "Ready", "True")?.lastTransitionTime);
}

/** How long until a ready Pod counts as available: 0 when it does, undefined when time alone will not make it so. */
export function availableInMs(pod: KubeObject, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = readySinceMs(pod);
  return since === undefined ? undefined : Math.max(0, since + minReadySeconds * 1000 - nowMs);
}

export function isAvailable(pod: KubeObject, minReadySeconds: number, nowMs: number): boolean {
  return availableInMs(pod, minReadySeconds, nowMs) === 0;
}

/** How long until the next of these Pods becomes available by the passing of time; undefined when none will. */
export function nextAvailabilityMs(pods: Iterable<KubeObject>, minReadySeconds: number, nowMs: number): number | undefined {
  let next: number | undefined;
  for (const pod of pods) {
    const inMs = availableInMs(pod, minReadySeconds, nowMs);
    if (inMs !== undefined && inMs > 0 && (next === undefined || inMs < next)) next = inMs;
  }
  return next;
}
