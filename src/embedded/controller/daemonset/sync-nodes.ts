import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError, type StatusError } from "../../status-error.ts";
import { createPod, deletePod, isNamespaceTerminating, isPodReady, podPhaseOf, slowStartBatch } from "../pod/index.ts";
import type { FailedPodsBackoff } from "./failed-pods-backoff.ts";
import { byBoundThenAge, isDaemonPodAvailable, daemonSetSource, maxSurgeOf, type DaemonSync } from "./daemon-sync.ts";
import { templateHashOf, daemonPodTemplate } from "./daemon-pod-template.ts";

/** How many Pods one round makes, and ends, at most. */
const burst = 250;

/** What is to be done: nodes that get a Pod, Pods that go. */
export type NodeChanges = { readonly nodesNeedingPods: readonly string[]; readonly podsToDelete: readonly KubeObject[] };

/**
 * What must be done on each node for its own sake, updates apart. Answers too when to look again at Pods that failed a
 * moment ago.
 *
 * Models pkg/controller/daemon/daemon_controller.go manage and podsShouldBeOnNode
 */
export function podsShouldBeOnNodes(sync: DaemonSync, failed: FailedPodsBackoff): NodeChanges & { readonly againMs?: number } {
  const nodesNeedingPods: string[] = [];
  const end: KubeObject[] = [];
  let againMs = Infinity;
  for (const [name, { shouldRun, mayStay }] of sync.fits) {
    const pods = sync.podsOn.get(name) ?? [];
    const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (shouldRun && pods.length === 0) nodesNeedingPods.push(name);
    else if (!mayStay) end.push(...staying);
    else {
      const ended = endedPods(sync, name, staying, failed);
      againMs = Math.min(againMs, ended.againMs);
      const running = staying.filter((pod) => podPhaseOf(pod) !== "Failed" && podPhaseOf(pod) !== "Succeeded").sort(byBoundThenAge);
      end.push(...ended.pods, ...surplusOf(sync, running));
      if (maxSurgeOf(sync.set, 1) > 0 && running.length === 0 && shouldRun) nodesNeedingPods.push(name);
    }
  }
  return { nodesNeedingPods, podsToDelete: [...end, ...podsWithoutNode(sync)], ...(againMs === Infinity ? {} : { againMs }) };
}

/** Pods that have ended go, so that others can come: failed ones at a pace. */
function endedPods(
  sync: DaemonSync,
  node: string,
  pods: readonly KubeObject[],
  failed: FailedPodsBackoff,
): { pods: KubeObject[]; againMs: number } {
  const { context, set } = sync;
  const ended: KubeObject[] = [];
  let againMs = Infinity;
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
      if (waitMs > 0) againMs = Math.min(againMs, waitMs);
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
  return { pods: ended, againMs };
}

/** All but the oldest; with surge, the oldest of the new template may stand beside the oldest of another until it is well. */
function surplusOf(sync: DaemonSync, running: readonly KubeObject[]): readonly KubeObject[] {
  if (running.length <= 1) return [];
  if (maxSurgeOf(sync.set, 1) === 0) return running.slice(1);
  const fresh = running.find((pod) => templateHashOf(pod) === sync.hash);
  const former = running.find((pod) => templateHashOf(pod) !== sync.hash);
  const others = running.filter((pod) => pod !== fresh && pod !== former);
  const replaced = fresh !== undefined && former !== undefined && (!isPodReady(former) || isDaemonPodAvailable(sync, fresh));
  return replaced ? [...others, former] : others;
}

/** A Pod that waits for a node that is gone would wait for ever. */
function podsWithoutNode({ fits, podsOn }: DaemonSync): KubeObject[] {
  return [...podsOn].flatMap(([node, pods]) => (fits.has(node) ? [] : pods.filter((pod) => stringAt(pod, "spec.nodeName", "") === "")));
}

/** Carries moves out. Answers the first refusal. */
export function syncNodes({ context, set, hash }: DaemonSync, { nodesNeedingPods, podsToDelete }: NodeChanges): StatusError | undefined {
  const podControl = { world: context, owner: set, source: daemonSetSource };
  const made = slowStartBatch(Math.min(nodesNeedingPods.length, burst), (index) => {
    try {
      createPod(podControl, daemonPodTemplate(set, hash, nodesNeedingPods[index]!));
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  });
  let refusal = made.refusal;
  for (const pod of podsToDelete.slice(0, burst)) {
    try {
      deletePod(podControl, pod);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      refusal ??= error;
    }
  }
  return refusal;
}
