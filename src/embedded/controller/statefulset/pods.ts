import type { KubeObject } from "../../../core/object/index.ts";
import { isRefusal, Refusal } from "../../refusal.ts";
import { manager } from "../owner/index.ts";
import { isAvailable, isReady, phaseOf, slowStart } from "../pod/index.ts";
import { hasIdentity, hasStorage, newPod, withIdentity } from "./identity.ts";
import { podRevision } from "./revision.ts";
import { isOrdered, isRolling, minReadySeconds, partitionOf, source, type SetSync } from "./set.ts";
import { claimsAreRetained, createClaims, hasStaleClaim, retainClaims } from "./volume-claim.ts";

/** The place of one ordinal, with its Pod if there is one. */
export type Slot = { readonly ordinal: number; readonly pod: KubeObject | undefined };

/** Whether to go on with the next Pod. */
type Step = "go on" | "wait";

// Models pkg/controller/statefulset/stateful_set_control.go updateStatefulSet

/**
 * Makes what is missing, ends what is too many (`condemned`, the highest ordinal first), then updates. Answers how many Pods
 * of the current revision were ended for the update.
 */
export function managePods(sync: SetSync, slots: readonly Slot[], condemned: readonly KubeObject[]): number {
  const { set } = sync;
  if (forEach(sync, slots, (slot) => fillSlot(sync, slot)) === "wait") return 0;
  for (const pod of condemned) if (!claimsAreRetained(sync, pod)) retainClaims(sync, pod);
  const unhealthy = firstUnavailable(sync, slots, condemned);
  if (forEach(sync, condemned, (pod) => endCondemned(sync, pod, unhealthy)) === "wait") return 0;
  return isRolling(set) ? updateNext(sync, slots) : 0;
}

/** One after the other until one must be waited for, or, in parallel, all of them. */
function forEach<T>({ set }: SetSync, items: readonly T[], step: (item: T) => Step): Step {
  if (isOrdered(set)) return items.every((item) => step(item) === "go on") ? "go on" : "wait";
  const { refusal } = slowStart(items.length, (place) => void step(items[place]!));
  if (refusal !== undefined) throw refusal;
  return "go on";
}

function fillSlot(sync: SetSync, { ordinal, pod }: Slot): Step {
  const { set, nowMs } = sync;
  if (pod === undefined) return create(sync, ordinal);
  if (phaseOf(pod) === "Failed" || phaseOf(pod) === "Succeeded") {
    // Its successor is made when it is gone, since both have the same name.
    if (pod.metadata.deletionTimestamp === undefined) end(sync, pod);
    return "wait";
  }
  if (phaseOf(pod) === "Pending") {
    createClaims(sync, ordinal);
    retainClaims(sync, pod);
  }
  const settled =
    pod.metadata.deletionTimestamp === undefined && phaseOf(pod) === "Running" && isAvailable(pod, minReadySeconds(set), nowMs);
  if (!settled && isOrdered(set)) return "wait";
  if (!hasIdentity(set, pod) || !hasStorage(set, pod) || !claimsAreRetained(sync, pod)) restore(sync, pod, ordinal);
  return "go on";
}

function create(sync: SetSync, ordinal: number): Step {
  const { world, set } = sync;
  const pod = newPod(sync, ordinal);
  if (hasStaleClaim(sync, ordinal)) throw new Refusal(409, "Conflict", `a claim of pod ${pod.metadata.name} belongs to a pod that is gone`);
  told(sync, "Create", pod, () => {
    createClaims(sync, ordinal);
    retainClaims(sync, world.api.create("pods", pod, manager));
  });
  return isOrdered(set) ? "wait" : "go on";
}

/** Brings back what belongs to a Pod's name: its labels, volumes and claims. */
function restore(sync: SetSync, pod: KubeObject, ordinal: number): void {
  const { world, set } = sync;
  told(sync, "Update", pod, () => {
    if (!hasStorage(set, pod)) createClaims(sync, ordinal);
    retainClaims(sync, pod);
    world.api.update("pods", withIdentity(set, pod), manager);
  });
}

function end(sync: SetSync, pod: KubeObject): void {
  const { namespace = "", name } = pod.metadata;
  told(sync, "Delete", pod, () => sync.world.api.delete("pods", namespace, name));
}

/** Does something to a Pod and tells how it went. That a name is taken is nobody's news. */
function told({ world, set }: SetSync, verb: "Create" | "Update" | "Delete", pod: KubeObject, act: () => void): void {
  const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  try {
    act();
  } catch (error) {
    if (isRefusal(error) && error.reason !== "AlreadyExists") {
      world.record(set, { type: "Warning", reason: `Failed${verb}`, message: `${what} failed error: ${error.message}`, source });
    }
    throw error;
  }
  world.record(set, { type: "Normal", reason: `Successful${verb}`, message: `${what} successful`, source });
}

function endCondemned(sync: SetSync, pod: KubeObject, unhealthy: KubeObject | undefined): Step {
  const { set, nowMs } = sync;
  const ordered = isOrdered(set);
  if (pod.metadata.deletionTimestamp !== undefined) return ordered ? "wait" : "go on";
  const healthy = phaseOf(pod) === "Running" && isReady(pod) && isAvailable(pod, minReadySeconds(set), nowMs);
  if (!healthy && ordered && pod !== unhealthy) return "wait";
  end(sync, pod);
  return "wait";
}

function isUnavailable({ set, nowMs }: SetSync, pod: KubeObject | undefined): boolean {
  return pod === undefined || pod.metadata.deletionTimestamp !== undefined || !isAvailable(pod, minReadySeconds(set), nowMs);
}

/** The unavailable Pod with the lowest ordinal; undefined when it has yet to be made, or there is none. */
function firstUnavailable(sync: SetSync, slots: readonly Slot[], condemned: readonly KubeObject[]): KubeObject | undefined {
  const slot = slots.find(({ pod }) => isUnavailable(sync, pod));
  return slot === undefined ? condemned.findLast((pod) => isUnavailable(sync, pod)) : slot.pod;
}

/** Ends the Pod with the highest ordinal that is not of the new template, once all above it are well. */
function updateNext(sync: SetSync, slots: readonly Slot[]): number {
  const { set, revisions } = sync;
  for (const { pod } of slots.slice(partitionOf(set)).toReversed()) {
    const leaving = pod?.metadata.deletionTimestamp !== undefined;
    if (pod !== undefined && !leaving && podRevision(pod) !== revisions.update.metadata.name) {
      end(sync, pod);
      return 1;
    }
    if (isUnavailable(sync, pod)) return 0;
  }
  return 0;
}
