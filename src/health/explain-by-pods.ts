import { findCondition, type KubeObject } from "../core/object/index.ts";
import { failedBecause, progressingBecause, noRoomBecause, type Health } from "./health.ts";
import { isAdmissionDenial } from "./admission-denial.ts";
import { makesRoom } from "./makes-room.ts";
import { isOfCurrentTemplate } from "./pod-template.ts";
import { podIssueOf, type PodIssue } from "./pod-issue.ts";

/**
 * Says of a workload that is not ready what its pods say: the image that cannot be pulled, the probe that fails, the node
 * that cannot be found. A trouble that waiting does not mend makes it failed, unless the pod is of an older template, which
 * is about to go; so does a lack of room, unless the workload is making some. `refusal` is what its controller was told
 * last when it wanted to make a pod, where its status does not say so.
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

/** A Deployment says so itself, and its health has the text already. */
function refused(workload: KubeObject, refusal: string | undefined): PodIssue | undefined {
  const said = findCondition(workload, "ReplicaFailure", "True")?.message;
  if (said !== undefined) return isAdmissionDenial(said) ? { because: "", final: true, noRoom: "denied" } : undefined;
  if (refusal === undefined) return undefined;
  return isAdmissionDenial(refusal) ? { because: refusal, final: true, noRoom: "denied" } : { because: refusal, final: false };
}
