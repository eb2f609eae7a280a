import { openCluster } from "../src/kube/index.ts";
import { numberAt, type KubeObject } from "../src/core/object/index.ts";
import { deleteByRank } from "./delete-by-rank.ts";
import { deployByRank } from "./deploy-by-rank.ts";
import { noAnnotations, raceRanks, type RaceSize } from "./race-manifests.ts";

/** What a client for this task alone does: the limit that tools are compared with. */
export type BareTask = {
  readonly task: "deploy" | "delete";
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly size: RaceSize;
};

/** Opens the cluster and deploys or deletes the release of the race, rank by rank. */
export async function runBareClient({ task, kubeconfig, namespace, size }: BareTask): Promise<void> {
  const ranks = raceRanks(namespace, noAnnotations, size);
  const { cluster, close } = await openCluster({ kubeconfig, namespace });
  try {
    if (task === "deploy") await deployByRank(ranks, cluster, isReady);
    else await deleteByRank(ranks, cluster, { oneByOne: size.phased === true });
  } finally {
    close();
  }
}

/** Models when a rollout of the Deployment controller is complete. */
function isReady(object: KubeObject): boolean {
  if (object.kind !== "Deployment") return true;
  const wanted = numberAt(object, "spec.replicas", 1);
  if (numberAt(object, "status.observedGeneration", 0) < numberAt(object, "metadata.generation", 0)) return false;
  return ["replicas", "updatedReplicas", "availableReplicas"].every((count) => numberAt(object, `status.${count}`, 0) === wanted);
}
