import { podIssueOf } from "../../health/index.ts";
import { listAt, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";

/** The failures of a workload's pods, and how many are allowed: so many per desired replica. */
export function podFailuresOf(
  workload: KubeObject,
  pods: readonly KubeObject[],
  perReplica: number,
): { readonly count: number; readonly allowed: number } {
  const count = pods.reduce((sum, pod) => sum + ofPod(pod), 0);
  return { count, allowed: perReplica * Math.max(1, numberAt(workload, "spec.replicas", 1)) };
}

/** Each restart, a failed phase, and a pod that cannot start or be scheduled count as one failure. */
function ofPod(pod: KubeObject): number {
  const statuses = [...listAt(pod, "status.initContainerStatuses"), ...listAt(pod, "status.containerStatuses")];
  const restarts = statuses.reduce((sum, status) => sum + numberAt(status, "restartCount", 0), 0);
  const stuck = podIssueOf(pod)?.final === true;
  const down = stringAt(pod, "status.phase") === "Failed";
  return restarts + (down || (stuck && restarts === 0) ? 1 : 0);
}
