import { type KubeObject } from "../object/index.ts";
import { failed, progressing, type Health } from "./health.ts";
import { isOfTemplate } from "./template.ts";
import { troubleOf, type Trouble } from "./trouble.ts";

/**
 * Says of a workload that is not ready what its pods say: the image that cannot be pulled, the probe that fails, the node
 * that cannot be found. A trouble that waiting does not mend makes it failed, unless the pod is of an older template, which
 * is about to go.
 */
export function explain(health: Health, workload: KubeObject, pods: readonly KubeObject[]): Health {
  if (health.state === "ready") return health;
  const worst = worstOf(
    workload,
    pods.filter((pod) => pod.metadata.deletionTimestamp === undefined),
  );
  if (worst === undefined) return health;
  const because = `${health.because}; ${worst.because}`;
  return health.state === "failed" || worst.final ? failed(because) : progressing(because);
}

function worstOf(workload: KubeObject, pods: readonly KubeObject[]): Trouble | undefined {
  const current = pods.filter((pod) => isOfTemplate(pod, workload)).flatMap((pod) => troubleOf(pod) ?? []);
  const found = current.find(({ final }) => final) ?? current[0];
  if (found !== undefined) return found;
  const older = pods.flatMap((pod) => troubleOf(pod) ?? [])[0];
  return older === undefined ? undefined : { because: `${older.because} (not of the current template)`, final: false };
}
