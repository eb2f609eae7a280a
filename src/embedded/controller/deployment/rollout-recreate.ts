import { numberAt, type KubeObject } from "../../../core/object/index.ts";
import { ownedPods } from "../owner/index.ts";
import { isPodTerminal } from "../pod/index.ts";
import { cleanupIfComplete } from "./cleanup-deployment.ts";
import { createNewSet, scaleSet } from "./new-replica-set.ts";
import { isActiveSet, deploymentReplicas, type Rollout } from "./rollout.ts";
import { syncRolloutStatus } from "./status.ts";

/**
 * Deletes every old Pod before the first new one is created.
 *
 * Models pkg/controller/deployment/recreate.go rolloutRecreate
 */
export function rolloutRecreate(rollout: Rollout): number | undefined {
  const active = rollout.oldSets.filter(isActiveSet);
  for (const set of active) scaleSet(rollout, set, 0);
  if (active.length > 0 || rollout.oldSets.some((set) => hasPods(rollout, set))) return syncRolloutStatus(rollout);
  const newSet = rollout.newSet ?? createNewSet(rollout);
  const desired = deploymentReplicas(rollout.deployment);
  if (deploymentReplicas(newSet) !== desired) scaleSet(rollout, newSet, desired);
  const requeueAfterMs = syncRolloutStatus(rollout);
  cleanupIfComplete(rollout);
  return requeueAfterMs;
}

function hasPods({ context }: Rollout, set: KubeObject): boolean {
  return numberAt(set, "status.replicas", 0) > 0 || ownedPods(context.api, set).some((pod) => !isPodTerminal(pod));
}
