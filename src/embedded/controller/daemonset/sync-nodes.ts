import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError, type StatusError } from "../../status-error.ts";
import { createPod, deletePod, isNamespaceTerminating, isPodReady, podPhaseOf, slowStartBatch } from "../pod/index.ts";
import type { FailedPodsBackoff } from "./failed-pods-backoff.ts";
import { byBoundThenAge, isDaemonPodAvailable, daemonSetSource, maxSurgeOf, type DaemonSync } from "./daemon-sync.ts";
import { templateHashOf, daemonPodTemplate } from "./daemon-pod-template.ts";

/** The maximum number of Pods that one sync creates and deletes. */
const burst = 250;

/** The changes of one sync: nodes that get a Pod, Pods to delete. */
export type NodeChanges = { readonly nodesNeedingPods: readonly string[]; readonly podsToDelete: readonly KubeObject[] };

/**
 * The changes that every node needs apart from an update. Also returns when to requeue for Pods that failed recently.
 *
 * Models pkg/controller/daemon/daemon_controller.go manage and podsShouldBeOnNode
 */
export function podsShouldBeOnNodes(sync: DaemonSync, failed: FailedPodsBackoff): NodeChanges & { readonly requeueAfterMs?: number } {
  const nodesNeedingPods: string[] = [];
  const end: KubeObject[] = [];
  let requeueAfterMs = Infinity;
  for (const [name, { shouldRun, shouldContinueRunning }] of sync.fits) {
    const pods = sync.podsOn.get(name) ?? [];
    const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (shouldRun && pods.length === 0) nodesNeedingPods.push(name);
    else if (!shouldContinueRunning) end.push(...staying);
    else {
      const ended = endedPods(sync, name, staying, failed);
      requeueAfterMs = Math.min(requeueAfterMs, ended.requeueAfterMs);
      const running = staying.filter((pod) => podPhaseOf(pod) !== "Failed" && podPhaseOf(pod) !== "Succeeded").sort(byBoundThenAge);
      end.push(...ended.pods, ...surplusOf(sync, running));
      if (maxSurgeOf(sync.set, 1) > 0 && running.length === 0 && shouldRun) nodesNeedingPods.push(name);
    }
  }
  return { nodesNeedingPods, podsToDelete: [...end, ...podsWithoutNode(sync)], ...(requeueAfterMs === Infinity ? {} : { requeueAfterMs }) };
}

/** Terminal Pods are deleted so that new ones can be created; failed ones with back-off. */
function endedPods(
  sync: DaemonSync,
  node: string,
  pods: readonly KubeObject[],
  failed: FailedPodsBackoff,
): { pods: KubeObject[]; requeueAfterMs: number } {
  const { context, set } = sync;
  const ended: KubeObject[] = [];
  let requeueAfterMs = Infinity;
  for (const pod of pods) {
    const who = `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${node}`;
    if (podPhaseOf(pod) === "Succeeded") {
      context.record(set, {
        type: "Normal",
        reason: "SucceededDaemonPod",
        message: `Found succeeded ${who}, will try to delete it`,
        source: daemonSetSource,
      });
      ended.push(pod);
    } else if (podPhaseOf(pod) === "Failed") {
      const waitMs = failed.remainingMs(set, node, sync.nowMs);
      if (waitMs > 0) requeueAfterMs = Math.min(requeueAfterMs, waitMs);
      else {
        failed.next(set, node, sync.nowMs);
        context.record(set, {
          type: "Warning",
          reason: "FailedDaemonPod",
          message: `Found failed ${who}, will try to kill it`,
          source: daemonSetSource,
        });
        ended.push(pod);
      }
    }
  }
  return { pods: ended, requeueAfterMs };
}

/** All Pods but the oldest. With surge, one Pod of the new template may run beside one of an old template until it is available. */
function surplusOf(sync: DaemonSync, running: readonly KubeObject[]): readonly KubeObject[] {
  if (running.length <= 1) return [];
  if (maxSurgeOf(sync.set, 1) === 0) return running.slice(1);
  const newPod = running.find((pod) => templateHashOf(pod) === sync.hash);
  const oldPod = running.find((pod) => templateHashOf(pod) !== sync.hash);
  const others = running.filter((pod) => pod !== newPod && pod !== oldPod);
  const replaced = newPod !== undefined && oldPod !== undefined && (!isPodReady(oldPod) || isDaemonPodAvailable(sync, newPod));
  return replaced ? [...others, oldPod] : others;
}

/** A Pod pinned to a deleted node would stay pending forever. */
function podsWithoutNode({ fits, podsOn }: DaemonSync): KubeObject[] {
  return [...podsOn].flatMap(([node, pods]) => (fits.has(node) ? [] : pods.filter((pod) => stringAt(pod, "spec.nodeName", "") === "")));
}

/** Creates and deletes the Pods. Returns the first StatusError. */
export function syncNodes({ context, set, hash }: DaemonSync, { nodesNeedingPods, podsToDelete }: NodeChanges): StatusError | undefined {
  const podControl = { context, owner: set, source: daemonSetSource };
  const made = slowStartBatch(Math.min(nodesNeedingPods.length, burst), (index) => {
    try {
      createPod(podControl, daemonPodTemplate(set, hash, nodesNeedingPods[index]!));
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  });
  let statusError = made.statusError;
  for (const pod of podsToDelete.slice(0, burst)) {
    try {
      deletePod(podControl, pod);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      statusError ??= error;
    }
  }
  return statusError;
}
