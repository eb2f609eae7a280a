import { numberAt } from "../../../object/index.ts";
import { cleanUp } from "./clean-up.ts";
import { createNewSet, newSetReplicas, scaleSet } from "./replica-set.ts";
import { allSets, fenceposts, isActiveSet, replicasOf, sumOf, wantedBy, type Rollout } from "./rollout.ts";
import { syncRolloutStatus } from "./status.ts";

/** Models pkg/controller/deployment/rolling.go rolloutRolling */
export function rollUpdate(rollout: Rollout): number | undefined {
  if (rollout.newSet === undefined) createNewSet(rollout);
  const moved = scaleUpNew(rollout) || scaleDownOld(rollout);
  if (!moved) cleanUp(rollout);
  return syncRolloutStatus(rollout);
}

function scaleUpNew(rollout: Rollout): boolean {
  const { deployment, newSet } = rollout;
  if (newSet === undefined) return false;
  const present = replicasOf(newSet);
  const desired = replicasOf(deployment);
  if (present === desired) return false;
  const next = present > desired ? desired : newSetReplicas(rollout, present);
  return next !== present && scaleSet(rollout, newSet, next);
}

/**
 * Takes from the old sets what may be missing: first Pods that are not available anyway, then others as far as enough
 * stay available. What the new set has not yet made available counts against it.
 */
function scaleDownOld(rollout: Rollout): boolean {
  const { deployment, newSet } = rollout;
  if (newSet === undefined || !rollout.oldSets.some(isActiveSet)) return false;
  const minAvailable = replicasOf(deployment) - fenceposts(deployment).unavailable;
  const newUnavailable = replicasOf(newSet) - numberAt(newSet, "status.availableReplicas", 0);
  const most = wantedBy(allSets(rollout)) - minAvailable - newUnavailable;
  if (most <= 0) return false;
  const unhealthy = scaleDownUnhealthy(rollout, most);
  const available = sumOf(
    allSets(rollout).filter((set) => set === rollout.newSet || isActiveSet(set)),
    "status.availableReplicas",
  );
  const healthy = scaleDownHealthy(rollout, available - minAvailable);
  return unhealthy + healthy > 0;
}

function scaleDownUnhealthy(rollout: Rollout, most: number): number {
  let down = 0;
  for (const set of rollout.oldSets) {
    const present = replicasOf(set);
    const unhealthy = present - numberAt(set, "status.availableReplicas", 0);
    const count = Math.min(most - down, unhealthy);
    if (present === 0 || count <= 0) continue;
    scaleSet(rollout, set, present - count);
    down += count;
  }
  return down;
}

function scaleDownHealthy(rollout: Rollout, most: number): number {
  let down = 0;
  for (const set of rollout.oldSets) {
    const present = replicasOf(set);
    const count = Math.min(present, most - down);
    if (count <= 0) continue;
    scaleSet(rollout, set, present - count);
    down += count;
  }
  return down;
}
