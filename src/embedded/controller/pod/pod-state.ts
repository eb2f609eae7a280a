import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { timeMs } from "./status-fields.ts";

// Models pkg/api/v1/pod/util.go and pkg/controller/controller_utils.go

type PodState = { readonly phase: string; readonly ready: boolean; readonly readySince: unknown };

/** Caches the state read from a Pod. Objects are immutable, so it stays valid. */
const read = new WeakMap<KubeObject, PodState>();

function stateOf(pod: KubeObject): PodState {
  let state = read.get(pod);
  if (state === undefined) {
    const status = fieldsAt(pod, "status");
    const ready = listAt(status, "conditions").find(({ type }) => type === "Ready");
    const isTrue = ready?.["status"] === "True";
    state = { phase: stringAt(status, "phase", ""), ready: isTrue, readySince: isTrue ? ready["lastTransitionTime"] : undefined };
    read.set(pod, state);
  }
  return state;
}

export function podPhaseOf(pod: KubeObject): string {
  return stateOf(pod).phase;
}

/** Whether the Pod has succeeded or failed. */
export function isPodTerminal(pod: KubeObject): boolean {
  const { phase } = stateOf(pod);
  return phase === "Succeeded" || phase === "Failed";
}

export function isPodActive(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isPodTerminal(pod);
}

export function isPodTerminating(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod);
}

export function isPodReady(pod: KubeObject): boolean {
  return stateOf(pod).ready;
}

/** When the Pod became ready; undefined when it is not ready or the time is unknown. */
export function readySinceMs(pod: KubeObject): number | undefined {
  return timeMs(stateOf(pod).readySince);
}

/** The time until a ready Pod is available: 0 when it is, undefined when time alone is not enough. */
function availableInMs(pod: KubeObject, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = readySinceMs(pod);
  return since === undefined ? undefined : Math.max(0, since + minReadySeconds * 1000 - nowMs);
}

export function isPodAvailable(pod: KubeObject, minReadySeconds: number, nowMs: number): boolean {
  return availableInMs(pod, minReadySeconds, nowMs) === 0;
}

/** The time until the next of these Pods becomes available; undefined when none will. */
export function nextAvailabilityMs(pods: Iterable<KubeObject>, minReadySeconds: number, nowMs: number): number | undefined {
  let next: number | undefined;
  for (const pod of pods) {
    const inMs = availableInMs(pod, minReadySeconds, nowMs);
    if (inMs !== undefined && inMs > 0 && (next === undefined || inMs < next)) next = inMs;
  }
  return next;
}

/**
 * Whether an event of a Pod matters to its owner: it was created, deleted, terminated, finished, changed its readiness,
 * labels or owners. Most events of a starting Pod do not.
 */
export function podChangeAffectsOwner({ type, object, previous }: StoreEvent): boolean {
  if (type !== "MODIFIED" || previous === undefined) return true;
  const [before, after] = [stateOf(previous), stateOf(object)];
  return (
    before.phase !== after.phase ||
    before.readySince !== after.readySince ||
    before.ready !== after.ready ||
    previous.metadata.deletionTimestamp !== object.metadata.deletionTimestamp ||
    previous.metadata.labels !== object.metadata.labels ||
    previous.metadata.ownerReferences !== object.metadata.ownerReferences
  );
}
