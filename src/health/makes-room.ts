import { numberAt, stringAt, valueAt, type KubeObject } from "../core/object/index.ts";
import { podIssueOf } from "./pod-issue.ts";

/**
 * Whether a workload is about to make room for its new pods: some of its pods are terminating, or it is a Deployment
 * that may still stop older ones. Until then a full node or quota is no failure.
 */
export function makesRoom(workload: KubeObject, pods: readonly KubeObject[]): boolean {
  if (pods.some(({ metadata }) => metadata.deletionTimestamp !== undefined)) return true;
  return workload.kind === "Deployment" && mayStopOlder(workload, pods);
}

/**
 * Models pkg/controller/deployment/rolling.go reconcileOldReplicaSets: older pods stop as long as enough stay
 * available, and as new ones become available.
 */
function mayStopOlder(deployment: KubeObject, pods: readonly KubeObject[]): boolean {
  const count = (name: string) => numberAt(deployment, `status.${name}`, 0);
  if (count("replicas") <= count("updatedReplicas")) return false;
  if (stringAt(deployment, "spec.strategy.type") === "Recreate") return true;
  const wanted = numberAt(deployment, "spec.replicas", 1);
  const available = count("availableReplicas");
  const starting = pods.filter((pod) => podIssueOf(pod)?.noRoom === undefined).length > available;
  return starting || available > wanted - maxUnavailable(deployment, wanted);
}

/** Models pkg/controller/deployment/util ResolveFenceposts: one of the two must be positive. */
function maxUnavailable(deployment: KubeObject, wanted: number): number {
  const at = (name: string) => valueAt(deployment, `spec.strategy.rollingUpdate.${name}`) ?? "25%";
  const surge = Math.ceil(shareOf(at("maxSurge"), wanted));
  const unavailable = Math.floor(shareOf(at("maxUnavailable"), wanted));
  return Math.min(wanted, surge === 0 && unavailable === 0 ? 1 : unavailable);
}

function shareOf(value: unknown, whole: number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(String(value));
  return percent === null ? 0 : (Number(percent[1]) * whole) / 100;
}
