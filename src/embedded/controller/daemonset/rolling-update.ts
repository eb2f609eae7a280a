import type { KubeObject } from "../../../core/object/index.ts";
import type { NodeChanges } from "./sync-nodes.ts";
import { desiredCount, isDaemonPodAvailable, maxSurgeOf, maxUnavailableOf, type DaemonSync } from "./daemon-sync.ts";
import { isUpdated } from "./daemon-pod-template.ts";

/** The Pods of one node that are not terminating: at most one of the set's template and one of another. */
type PodsOfNode = { readonly node: string; readonly newPod: KubeObject | undefined; readonly oldPod: KubeObject | undefined };

/**
 * The next changes of a rolling update: deletes old Pods up to maxUnavailable, or creates new Pods beside them up to
 * maxSurge.
 *
 * Models pkg/controller/daemon/update.go rollingUpdate
 */
export function rollingUpdateChanges(sync: DaemonSync): NodeChanges {
  const desired = desiredCount(sync);
  const surge = maxSurgeOf(sync.set, desired);
  const unavailable = maxUnavailableOf(sync.set, desired);
  return surge > 0 ? surgeChanges(sync, surge, desired) : replaceChanges(sync, desired > 0 && unavailable === 0 ? 1 : unavailable);
}

/** The Pods of each node that has or should have one; undefined for a node with several Pods of the same template. */
function podsByNode({ set, hash, fits, podsOn }: DaemonSync): (PodsOfNode | undefined)[] {
  const wanted = [...fits].flatMap(([node, { shouldRun }]) => (shouldRun ? [node] : []));
  const names = new Set([...wanted, ...podsOn.keys()]);
  return [...names].sort().map((node) => {
    const staying = (podsOn.get(node) ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const { newPods = [], oldPods = [] } = Object.groupBy(staying, (pod) => (isUpdated(set, hash, pod) ? "newPods" : "oldPods"));
    return newPods.length > 1 || oldPods.length > 1 ? undefined : { node, newPod: newPods[0], oldPod: oldPods[0] };
  });
}

/** An unavailable old Pod is deleted at once; an available one only within maxUnavailable. */
function replaceChanges(sync: DaemonSync, maxUnavailable: number): NodeChanges {
  let missing = 0;
  const unavailablePods: KubeObject[] = [];
  const candidates: KubeObject[] = [];
  for (const pair of podsByNode(sync)) {
    const { newPod, oldPod } = pair ?? {};
    if ((newPod === undefined) === (oldPod === undefined)) missing++;
    else if (newPod !== undefined) missing += isDaemonPodAvailable(sync, newPod) ? 0 : 1;
    else if (oldPod !== undefined && isDaemonPodAvailable(sync, oldPod)) candidates.push(oldPod);
    else if (oldPod !== undefined) {
      unavailablePods.push(oldPod);
      missing++;
    }
  }
  return { nodesNeedingPods: [], podsToDelete: [...unavailablePods, ...candidates.slice(0, Math.max(0, maxUnavailable - missing))] };
}

function surgeChanges(sync: DaemonSync, maxSurge: number, desired: number): NodeChanges {
  let surging = 0;
  let well = 0;
  const podsToDelete: KubeObject[] = [];
  const unwanted: KubeObject[] = [];
  const create: string[] = [];
  const candidates: string[] = [];
  for (const pair of podsByNode(sync)) {
    if (pair === undefined) {
      surging++;
      continue;
    }
    const { node, newPod, oldPod } = pair;
    const leading = oldPod ?? newPod;
    if (leading !== undefined && isDaemonPodAvailable(sync, leading)) well++;
    if (oldPod === undefined) continue;
    if (newPod !== undefined) {
      if (isDaemonPodAvailable(sync, newPod)) podsToDelete.push(oldPod);
      else surging++;
    } else if (sync.fits.get(node)?.shouldRun !== true) (isDaemonPodAvailable(sync, oldPod) ? unwanted : podsToDelete).push(oldPod);
    else (isDaemonPodAvailable(sync, oldPod) ? candidates : create).push(node);
  }
  // Pods on nodes that should not run the set stay until enough others are available.
  podsToDelete.push(...unwanted.slice(0, Math.max(0, well - desired)));
  return { nodesNeedingPods: [...create, ...candidates.slice(0, Math.max(0, maxSurge - surging))], podsToDelete };
}
