import { fieldsAt, numberAt } from "../../../core/object/index.ts";
import { revisionOf } from "./annotation.ts";
import { isComplete } from "./progress.ts";
import { byCreation, replicaSets, replicasOf, type Rollout } from "./rollout.ts";

/** Forgets old sets beyond the history that is wanted, once the rollout is done. */
export function cleanUp(rollout: Rollout): void {
  if (isComplete(rollout.deployment, fieldsAt(rollout.deployment, "status"))) forgetOldSets(rollout);
}

/** Models pkg/controller/deployment/sync.go cleanupDeployment */
export function forgetOldSets({ deployment, oldSets, world }: Rollout): void {
  const limit = numberAt(deployment, "spec.revisionHistoryLimit");
  if (limit === undefined || limit === 2 ** 31 - 1) return;
  const alive = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const tooMany = alive.length - limit;
  if (tooMany <= 0) return;
  const oldestFirst = alive.toSorted((a, b) => revisionOf(a) - revisionOf(b) || byCreation(a, b));
  for (const set of oldestFirst.slice(0, tooMany)) {
    const { namespace = "", name, generation = 0 } = set.metadata;
    const busy = replicasOf(set) !== 0 || numberAt(set, "status.replicas", 0) !== 0;
    if (!busy && generation <= numberAt(set, "status.observedGeneration", 0)) world.api.delete(replicaSets, namespace, name);
  }
}
