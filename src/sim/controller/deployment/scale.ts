import { numberAt, type KubeObject } from "../../../object/index.ts";
import { desiredAnnotation, maxAnnotation } from "./annotation.ts";
import { forgetOldSets } from "./clean-up.ts";
import { scaleSet } from "./replica-set.ts";
import { allSets, byCreation, fenceposts, isActiveSet, isPaused, isRollingUpdate, replicasOf, wantedBy, type Rollout } from "./rollout.ts";
import { syncStatus } from "./status.ts";

/** The Deployment's size has changed since its sets were last scaled. */
export function isScaling(rollout: Rollout): boolean {
  const desired = replicasOf(rollout.deployment);
  return allSets(rollout).some((set) => isActiveSet(set) && (desiredAnnotation(set) ?? desired) !== desired);
}

/**
 * Brings the sets to the Deployment's size without moving the rollout on.
 *
 * Models pkg/controller/deployment/sync.go sync
 */
export function syncScale(rollout: Rollout): void {
  scale(rollout);
  if (isPaused(rollout.deployment)) forgetOldSets(rollout);
  syncStatus(rollout);
}

/** Models pkg/controller/deployment/sync.go scale */
function scale(rollout: Rollout): void {
  const { deployment, newSet, oldSets } = rollout;
  const desired = replicasOf(deployment);
  const active = allSets(rollout).filter(isActiveSet);
  const only = active.length === 0 ? (newSet ?? oldSets.at(-1)) : active[0];
  if (active.length <= 1) {
    if (only !== undefined && replicasOf(only) !== desired) scaleSet(rollout, only, desired);
  } else if (newSet !== undefined && isSaturated(newSet, desired)) {
    for (const set of oldSets) if (isActiveSet(set)) scaleSet(rollout, set, 0);
  } else if (isRollingUpdate(deployment)) {
    scaleInProportion(rollout, active);
  }
}

function isSaturated(set: KubeObject, desired: number): boolean {
  return replicasOf(set) === desired && desiredAnnotation(set) === desired && numberAt(set, "status.availableReplicas", 0) === desired;
}

/** Spreads the change of size over the active sets by their share; what rounding leaves over goes to the largest. */
function scaleInProportion(rollout: Rollout, active: readonly KubeObject[]): void {
  const { deployment } = rollout;
  const desired = replicasOf(deployment);
  const allowed = desired > 0 ? desired + fenceposts(deployment).surge : 0;
  const toAdd = allowed - wantedBy(active);
  const sets = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)));
  let added = 0;
  const sizes = sets.map((set) => {
    const share = toAdd === 0 || toAdd === added ? 0 : shareOf(deployment, set, toAdd, added);
    added += share;
    return replicasOf(set) + share;
  });
  sets.forEach((set, at) => scaleSet(rollout, set, at === 0 ? Math.max(0, sizes[at]! + toAdd - added) : sizes[at]!));
}

/** Models pkg/controller/deployment/util GetReplicaSetProportion */
function shareOf(deployment: KubeObject, set: KubeObject, toAdd: number, added: number): number {
  const fraction = fractionOf(deployment, set);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

function fractionOf(deployment: KubeObject, set: KubeObject): number {
  const desired = replicasOf(deployment);
  const present = replicasOf(set);
  if (desired === 0) return -present;
  const before = maxAnnotation(set) || numberAt(deployment, "status.replicas", 0);
  if (before === 0) return 0;
  return Math.round((present * (desired + fenceposts(deployment).surge)) / before) - present;
}
