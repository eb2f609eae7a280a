import { listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { isPodReady, podPhaseOf, readySinceMs } from "./pod-state.ts";
import { timeMs } from "./status-fields.ts";

/** Negative when `a` is deleted before `b`. */
type Order = (a: KubeObject, b: KubeObject) => number;

/**
 * Sorts Pods in the order of their deletion.
 *
 * Models pkg/controller/controller_utils.go ActivePods
 */
export function sortForDeletion(pods: Iterable<KubeObject>): KubeObject[] {
  return [...pods].sort(byFirstDifference([byAssignment, byPhase, byReadiness, latestReady, byRestarts, newest]));
}

/**
 * The same for a ReplicaSet's Pods: among equals a Pod with a lower deletion cost or with more related Pods (`rank`) on
 * its node comes first, and ages are compared by their order of magnitude.
 *
 * Models pkg/controller/controller_utils.go ActivePodsWithRanks
 */
export function sortForDeletionByRank(pods: Iterable<KubeObject>, rank: (pod: KubeObject) => number, nowMs: number): KubeObject[] {
  const byRank: Order = (a, b) => rank(b) - rank(a);
  const readyAge = byMagnitude((pod) => readySinceMs(pod), nowMs);
  const byReadyAge: Order = (a, b) => (isPodReady(a) && isPodReady(b) ? readyAge(a, b) : 0);
  const byAge = byMagnitude((pod) => timeMs(pod.metadata.creationTimestamp), nowMs);
  return [...pods].sort(byFirstDifference([byAssignment, byPhase, byReadiness, byCost, byRank, byReadyAge, byRestarts, byAge]));
}

function byFirstDifference(orders: readonly Order[]): Order {
  return (a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

const byAssignment: Order = (a, b) => Number(isAssigned(a)) - Number(isAssigned(b));
const byPhase: Order = (a, b) => phaseRank(a) - phaseRank(b);
const byCost: Order = (a, b) => deletionCost(a) - deletionCost(b);
const byReadiness: Order = (a, b) => Number(isPodReady(a)) - Number(isPodReady(b));
const latestReady: Order = (a, b) => (isPodReady(a) && isPodReady(b) ? laterFirst(readySinceMs(a), readySinceMs(b)) : 0);
const newest: Order = (a, b) => laterFirst(timeMs(a.metadata.creationTimestamp), timeMs(b.metadata.creationTimestamp));

const byRestarts: Order = (a, b) => {
  const [regularA, sidecarA] = mostRestarts(a);
  const [regularB, sidecarB] = mostRestarts(b);
  return regularB - regularA || sidecarB - sidecarA;
};

/** Younger first, by the power of two of the age; within one power the uid decides, which is effectively random. */
function byMagnitude(timeOf: (pod: KubeObject) => number | undefined, nowMs: number): Order {
  return (a, b) => {
    const timeA = timeOf(a);
    const timeB = timeOf(b);
    if (timeA === timeB) return 0;
    if (timeA === undefined || timeB === undefined) return laterFirst(timeA, timeB);
    const difference = magnitude(nowMs - timeA) - magnitude(nowMs - timeB);
    if (difference !== 0) return difference;
    const uidA = a.metadata.uid ?? "";
    const uidB = b.metadata.uid ?? "";
    return uidA < uidB ? -1 : Number(uidA > uidB);
  };
}

/** Logarithm of nanoseconds, as Go measures durations. */
function magnitude(ms: number): number {
  return ms > 0 ? Math.trunc(Math.log2(ms * 1e6)) : -1;
}

function laterFirst(a: number | undefined, b: number | undefined): number {
  return (b ?? Infinity) === (a ?? Infinity) ? 0 : (b ?? Infinity) - (a ?? Infinity);
}

function isAssigned(pod: KubeObject): boolean {
  return stringAt(pod, "spec.nodeName", "") !== "";
}

function phaseRank(pod: KubeObject): number {
  const phase = podPhaseOf(pod);
  if (phase === "Running") return 2;
  return phase === "Unknown" ? 1 : 0;
}

function deletionCost({ metadata }: KubeObject): number {
  const text = metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? "";
  return /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : 0;
}

function mostRestarts(pod: KubeObject): [regular: number, sidecar: number] {
  const sidecars = new Set(
    listAt(pod, "spec.initContainers").flatMap(({ name, restartPolicy }) => (restartPolicy === "Always" ? [name] : [])),
  );
  let regular = 0;
  for (const status of listAt(pod, "status.containerStatuses")) regular = Math.max(regular, numberAt(status, "restartCount", 0));
  let sidecar = 0;
  for (const status of listAt(pod, "status.initContainerStatuses")) {
    if (sidecars.has(status["name"])) sidecar = Math.max(sidecar, numberAt(status, "restartCount", 0));
  }
  return [regular, sidecar];
}
