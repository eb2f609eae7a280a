import type { KubeObject } from "../../../core/object/index.ts";
import { isStatusError, StatusError } from "../../status-error.ts";
import { controllerManager } from "../owner/index.ts";
import { isPodAvailable, isPodReady, podPhaseOf, slowStartBatch } from "../pod/index.ts";
import { hasIdentity, hasStorage, newStatefulPod, withIdentity } from "./pod-identity.ts";
import { podRevision } from "./revisions.ts";
import {
  isOrderedReady,
  isStatefulSetRolling,
  minReadySeconds,
  partitionOf,
  statefulSetSource,
  type StatefulSetSync,
} from "./stateful-set-sync.ts";
import { claimsAreRetained, createClaims, hasStaleClaim, retainClaims } from "./volume-claim.ts";

/** One ordinal, with its Pod if it exists. */
export type ReplicaSlot = { readonly ordinal: number; readonly pod: KubeObject | undefined };

/** Whether to continue with the next Pod. */
type Step = "go on" | "wait";

// Models pkg/controller/statefulset/stateful_set_control.go updateStatefulSet

/**
 * Creates missing Pods, deletes surplus ones (`condemned`, sorted by descending ordinal), then updates. Returns how
 * many Pods of the current revision were deleted for the update.
 */
export function updateStatefulSet(sync: StatefulSetSync, slots: readonly ReplicaSlot[], condemned: readonly KubeObject[]): number {
  const { set } = sync;
  if (forEach(sync, slots, (slot) => fillSlot(sync, slot)) === "wait") return 0;
  for (const pod of condemned) if (!claimsAreRetained(sync, pod)) retainClaims(sync, pod);
  const unhealthy = firstUnavailable(sync, slots, condemned);
  if (forEach(sync, condemned, (pod) => deleteCondemned(sync, pod, unhealthy)) === "wait") return 0;
  return isStatefulSetRolling(set) ? updateNext(sync, slots) : 0;
}

/** Sequentially until one must be waited for, or all of them with the Parallel policy. */
function forEach<T>({ set }: StatefulSetSync, items: readonly T[], step: (item: T) => Step): Step {
  if (isOrderedReady(set)) return items.every((item) => step(item) === "go on") ? "go on" : "wait";
  const { statusError } = slowStartBatch(items.length, (index) => void step(items[index]!));
  if (statusError !== undefined) throw statusError;
  return "go on";
}

function fillSlot(sync: StatefulSetSync, { ordinal, pod }: ReplicaSlot): Step {
  const { set, nowMs } = sync;
  if (pod === undefined) return create(sync, ordinal);
  if (podPhaseOf(pod) === "Failed" || podPhaseOf(pod) === "Succeeded") {
    // Its replacement is created when it is gone, since both have the same name.
    if (pod.metadata.deletionTimestamp === undefined) deleteStatefulPod(sync, pod);
    return "wait";
  }
  if (podPhaseOf(pod) === "Pending") {
    createClaims(sync, ordinal);
    retainClaims(sync, pod);
  }
  const settled =
    pod.metadata.deletionTimestamp === undefined && podPhaseOf(pod) === "Running" && isPodAvailable(pod, minReadySeconds(set), nowMs);
  if (!settled && isOrderedReady(set)) return "wait";
  if (!hasIdentity(set, pod) || !hasStorage(set, pod) || !claimsAreRetained(sync, pod)) restore(sync, pod, ordinal);
  return "go on";
}

function create(sync: StatefulSetSync, ordinal: number): Step {
  const { context, set } = sync;
  const pod = newStatefulPod(sync, ordinal);
  if (hasStaleClaim(sync, ordinal))
    throw new StatusError(409, "Conflict", `a claim of pod ${pod.metadata.name} belongs to a pod that is gone`);
  recordOutcome(sync, "Create", pod, () => {
    createClaims(sync, ordinal);
    retainClaims(sync, context.api.create("pods", pod, controllerManager));
  });
  return isOrderedReady(set) ? "wait" : "go on";
}

/** Restores the labels, volumes and claims that belong to a Pod's name. */
function restore(sync: StatefulSetSync, pod: KubeObject, ordinal: number): void {
  const { context, set } = sync;
  recordOutcome(sync, "Update", pod, () => {
    if (!hasStorage(set, pod)) createClaims(sync, ordinal);
    retainClaims(sync, pod);
    context.api.update("pods", withIdentity(set, pod), controllerManager);
  });
}

function deleteStatefulPod(sync: StatefulSetSync, pod: KubeObject): void {
  const { namespace = "", name } = pod.metadata;
  recordOutcome(sync, "Delete", pod, () => sync.context.api.delete("pods", namespace, name));
}

/** Runs a write and records its outcome as an event. AlreadyExists is not recorded. */
function recordOutcome({ context, set }: StatefulSetSync, verb: "Create" | "Update" | "Delete", pod: KubeObject, act: () => void): void {
  const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  try {
    act();
  } catch (error) {
    if (isStatusError(error) && error.reason !== "AlreadyExists") {
      context.record(set, {
        type: "Warning",
        reason: `Failed${verb}`,
        message: `${what} failed error: ${error.message}`,
        source: statefulSetSource,
      });
    }
    throw error;
  }
  context.record(set, { type: "Normal", reason: `Successful${verb}`, message: `${what} successful`, source: statefulSetSource });
}

function deleteCondemned(sync: StatefulSetSync, pod: KubeObject, unhealthy: KubeObject | undefined): Step {
  const { set, nowMs } = sync;
  const ordered = isOrderedReady(set);
  if (pod.metadata.deletionTimestamp !== undefined) return ordered ? "wait" : "go on";
  const healthy = podPhaseOf(pod) === "Running" && isPodReady(pod) && isPodAvailable(pod, minReadySeconds(set), nowMs);
  if (!healthy && ordered && pod !== unhealthy) return "wait";
  deleteStatefulPod(sync, pod);
  return "wait";
}

function isUnavailable({ set, nowMs }: StatefulSetSync, pod: KubeObject | undefined): boolean {
  return pod === undefined || pod.metadata.deletionTimestamp !== undefined || !isPodAvailable(pod, minReadySeconds(set), nowMs);
}

/** The unavailable Pod with the lowest ordinal; undefined when it does not exist yet, or all are available. */
function firstUnavailable(sync: StatefulSetSync, slots: readonly ReplicaSlot[], condemned: readonly KubeObject[]): KubeObject | undefined {
  const slot = slots.find(({ pod }) => isUnavailable(sync, pod));
  return slot === undefined ? condemned.findLast((pod) => isUnavailable(sync, pod)) : slot.pod;
}

/** Deletes the Pod with the highest ordinal that has not the update revision, once all Pods above it are available. */
function updateNext(sync: StatefulSetSync, slots: readonly ReplicaSlot[]): number {
  const { set, revisions } = sync;
  for (const { pod } of slots.slice(partitionOf(set)).toReversed()) {
    const terminating = pod?.metadata.deletionTimestamp !== undefined;
    if (pod !== undefined && !terminating && podRevision(pod) !== revisions.update.metadata.name) {
      deleteStatefulPod(sync, pod);
      return 1;
    }
    if (isUnavailable(sync, pod)) return 0;
  }
  return 0;
}
