import { fieldsAt, numberAt } from "../../../core/object/index.ts";
import { replicaSetRevisionOf } from "./replica-set-annotations.ts";
import { isComplete } from "./progress.ts";
import { byCreation, replicaSets, deploymentReplicas, type Rollout } from "./rollout.ts";

/** Deletes old ReplicaSets beyond revisionHistoryLimit once the rollout is complete. */
export function cleanupIfComplete(rollout: Rollout): void {
  if (isComplete(rollout.deployment, fieldsAt(rollout.deployment, "status"))) cleanupDeployment(rollout);
}

/** Models pkg/controller/deployment/sync.go cleanupDeployment */
export function cleanupDeployment({ deployment, oldSets, context }: Rollout): void {
  const limit = numberAt(deployment, "spec.revisionHistoryLimit");
  if (limit === undefined || limit === 2 ** 31 - 1) return;
  const alive = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const tooMany = alive.length - limit;
  if (tooMany <= 0) return;
  const oldestFirst = alive.toSorted((a, b) => replicaSetRevisionOf(a) - replicaSetRevisionOf(b) || byCreation(a, b));
  for (const set of oldestFirst.slice(0, tooMany)) {
    const { namespace = "", name, generation = 0 } = set.metadata;
    const busy = deploymentReplicas(set) !== 0 || numberAt(set, "status.replicas", 0) !== 0;
    if (!busy && generation <= numberAt(set, "status.observedGeneration", 0)) context.api.delete(replicaSets, namespace, name);
  }
}
