import type { KubeObject } from "../../../core/object/index.ts";
import type { NodeChanges } from "./sync-nodes.ts";
import { desiredCount, isDaemonPodAvailable, maxSurgeOf, maxUnavailableOf, type DaemonSync } from "./daemon-sync.ts";
import { isUpdated } from "./daemon-pod-template.ts";

/** The Pods of one node that stay: at most one of the set's template and one of another. */
type PodsOfNode = { readonly node: string; readonly fresh: KubeObject | undefined; readonly former: KubeObject | undefined };

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
    const { fresh = [], former = [] } = Object.groupBy(staying, (pod) => (isUpdated(set, hash, pod) ? "fresh" : "former"));
    return fresh.length > 1 || former.length > 1 ? undefined : { node, fresh: fresh[0], former: former[0] };
  });
}

/** An unavailable old Pod is deleted at once; an available one only within maxUnavailable. */
function replaceChanges(sync: DaemonSync, maxUnavailable: number): NodeChanges {
  let missing = 0;
  const unwell: KubeObject[] = [];
  const candidates: KubeObject[] = [];
  for (const pair of podsByNode(sync)) {
    const { fresh, former } = pair ?? {};
    if ((fresh === undefined) === (former === undefined)) missing++;
    else if (fresh !== undefined) missing += isDaemonPodAvailable(sync, fresh) ? 0 : 1;
    else if (former !== undefined && isDaemonPodAvailable(sync, former)) candidates.push(former);
    else if (former !== undefined) {
      unwell.push(former);
      missing++;
    }
  }
  return { nodesNeedingPods: [], podsToDelete: [...unwell, ...candidates.slice(0, Math.max(0, maxUnavailable - missing))] };
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
    const { node, fresh, former } = pair;
    const leading = former ?? fresh;
    if (leading !== undefined && isDaemonPodAvailable(sync, leading)) well++;
    if (former === undefined) continue;
    if (fresh !== undefined) {
      if (isDaemonPodAvailable(sync, fresh)) podsToDelete.push(former);
      else surging++;
    } else if (sync.fits.get(node)?.shouldRun !== true) (isDaemonPodAvailable(sync, former) ? unwanted : podsToDelete).push(former);
    else (isDaemonPodAvailable(sync, former) ? candidates : create).push(node);
  }
  // Pods on nodes that should not run the set stay until enough others are available.
  podsToDelete.push(...unwanted.slice(0, Math.max(0, well - desired)));
  return { nodesNeedingPods: [...create, ...candidates.slice(0, Math.max(0, maxSurge - surging))], podsToDelete };
}
