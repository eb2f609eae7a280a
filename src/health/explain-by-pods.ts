import { findCondition, type KubeObject } from "../core/object/index.ts";
import { failedBecause, progressingBecause, noRoomBecause, type Health } from "./health.ts";
import { isAdmissionDenial } from "./admission-denial.ts";
import { makesRoom } from "./makes-room.ts";
import { isOfCurrentTemplate } from "./pod-template.ts";
import { podIssueOf, type PodIssue } from "./pod-issue.ts";

/**
 * Explains why a workload is not ready by the state of its pods: an image that cannot be pulled, a failing probe, a
 * missing node. A permanent issue makes the workload failed, unless the pod has an older template and will be replaced.
 * A lack of room makes it failed too, unless the workload is making room. `refusal` is the last error of its controller
 * when it created a pod, for workloads whose status does not contain it.
 */
export function explainByPods(health: Health, workload: KubeObject, pods: readonly KubeObject[], refusal?: string): Health {
  if (health.state === "ready") return health;
  const staying = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const issues = [worstOf(workload, staying), refused(workload, refusal)].filter((issue) => issue !== undefined);
  const worst = issues.find(({ final }) => final) ?? issues[0];
  if (worst === undefined) return health;
  const because = worst.because === "" ? health.because : `${health.because}; ${worst.because}`;
  if (health.state === "failed") return { ...health, because };
  if (worst.noRoom) return makesRoom(workload, pods) ? progressingBecause(because) : noRoomBecause(because, worst.noRoom);
  return worst.final ? failedBecause(because) : progressingBecause(because);
}

function worstOf(workload: KubeObject, pods: readonly KubeObject[]): PodIssue | undefined {
  const current = pods.filter((pod) => isOfCurrentTemplate(pod, workload)).flatMap((pod) => podIssueOf(pod) ?? []);
  const final = current.filter((issue) => issue.final);
  const found = final.find(({ noRoom }) => !noRoom) ?? final[0] ?? current[0];
  if (found !== undefined) return found;
  const older = pods.flatMap((pod) => podIssueOf(pod) ?? [])[0];
  return older === undefined ? undefined : { because: `${older.because} (not of the current template)`, final: false };
}

/** A Deployment reports it in its status, so its health has the text already. */
function refused(workload: KubeObject, refusal: string | undefined): PodIssue | undefined {
  const message = findCondition(workload, "ReplicaFailure", "True")?.message;
  if (message !== undefined) return isAdmissionDenial(message) ? { because: "", final: true, noRoom: "denied" } : undefined;
  if (refusal === undefined) return undefined;
  return isAdmissionDenial(refusal) ? { because: refusal, final: true, noRoom: "denied" } : { because: refusal, final: false };
}
