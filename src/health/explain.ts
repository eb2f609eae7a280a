import { condition, type KubeObject } from "../core/object/index.ts";
import { failed, progressing, withoutRoom, type Health } from "./health.ts";
import { isDenial } from "./refusal.ts";
import { makesRoom } from "./room.ts";
import { isOfTemplate } from "./template.ts";
import { troubleOf, type Trouble } from "./trouble.ts";

/**
 * Says of a workload that is not ready what its pods say: the image that cannot be pulled, the probe that fails, the node
 * that cannot be found. A trouble that waiting does not mend makes it failed, unless the pod is of an older template, which
 * is about to go; so does a lack of room, unless the workload is making some. `refusal` is what its controller was told
 * last when it wanted to make a pod, where its status does not say so.
 */
export function explain(health: Health, workload: KubeObject, pods: readonly KubeObject[], refusal?: string): Health {
  if (health.state === "ready") return health;
  const staying = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const troubles = [worstOf(workload, staying), refused(workload, refusal)].filter((trouble) => trouble !== undefined);
  const worst = troubles.find(({ final }) => final) ?? troubles[0];
  if (worst === undefined) return health;
  const because = worst.because === "" ? health.because : `${health.because}; ${worst.because}`;
  if (health.state === "failed") return { ...health, because };
  if (worst.noRoom) return makesRoom(workload, pods) ? progressing(because) : withoutRoom(because, worst.noRoom);
  return worst.final ? failed(because) : progressing(because);
}

function worstOf(workload: KubeObject, pods: readonly KubeObject[]): Trouble | undefined {
  const current = pods.filter((pod) => isOfTemplate(pod, workload)).flatMap((pod) => troubleOf(pod) ?? []);
  const final = current.filter((trouble) => trouble.final);
  const found = final.find(({ noRoom }) => !noRoom) ?? final[0] ?? current[0];
  if (found !== undefined) return found;
  const older = pods.flatMap((pod) => troubleOf(pod) ?? [])[0];
  return older === undefined ? undefined : { because: `${older.because} (not of the current template)`, final: false };
}

/** A Deployment says so itself, and its health has the text already. */
function refused(workload: KubeObject, refusal: string | undefined): Trouble | undefined {
  const said = condition(workload, "ReplicaFailure", "True")?.message;
  if (said !== undefined) return isDenial(said) ? { because: "", final: true, noRoom: "denied" } : undefined;
  if (refusal === undefined) return undefined;
  return isDenial(refusal) ? { because: refusal, final: true, noRoom: "denied" } : { because: refusal, final: false };
}
