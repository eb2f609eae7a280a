import { numberAt, type KubeObject } from "../../../core/object/index.ts";
import { desiredAnnotation, maxAnnotation } from "./replica-set-annotations.ts";
import { cleanupDeployment } from "./cleanup-deployment.ts";
import { scaleSet } from "./new-replica-set.ts";
import {
  allSets,
  byCreation,
  fenceposts,
  isActiveSet,
  isPaused,
  isRollingUpdate,
  deploymentReplicas,
  totalReplicas,
  type Rollout,
  type DeploymentSets,
  type SetSize,
} from "./rollout.ts";
import { syncStatus } from "./status.ts";

/** Whether the Deployment's size has changed since its sets were last scaled. */
export function isScaling(sets: DeploymentSets): boolean {
  const desired = deploymentReplicas(sets.deployment);
  return allSets(sets).some((set) => isActiveSet(set) && (desiredAnnotation(set) ?? desired) !== desired);
}

/**
 * Scales the ReplicaSets to the Deployment's size without advancing the rollout.
 *
 * Models pkg/controller/deployment/sync.go sync
 */
export function syncScale(rollout: Rollout): void {
  for (const [set, replicas] of scaledSizes(rollout)) scaleSet(rollout, set, replicas);
  if (isPaused(rollout.deployment)) cleanupDeployment(rollout);
  syncStatus(rollout);
}

/**
 * The sizes that ReplicaSets should have. A set that keeps its size is included when its annotations need an update.
 *
 * Models pkg/controller/deployment/sync.go scale
 */
export function scaledSizes(sets: DeploymentSets): readonly SetSize[] {
  const { deployment, newSet, oldSets } = sets;
  const desired = deploymentReplicas(deployment);
  const active = allSets(sets).filter(isActiveSet);
  if (active.length <= 1) {
    const only = active[0] ?? newSet ?? oldSets.at(-1);
    return only === undefined || deploymentReplicas(only) === desired ? [] : [[only, desired]];
  }
  if (newSet !== undefined && isSaturated(newSet, desired)) return oldSets.filter(isActiveSet).map((set) => [set, 0]);
  return isRollingUpdate(deployment) ? inProportion(deployment, active) : [];
}

function isSaturated(set: KubeObject, desired: number): boolean {
  return (
    deploymentReplicas(set) === desired && desiredAnnotation(set) === desired && numberAt(set, "status.availableReplicas", 0) === desired
  );
}

/** Distributes the change of size over the active sets in proportion; the largest set takes the rounding error. */
function inProportion(deployment: KubeObject, active: readonly KubeObject[]): readonly SetSize[] {
  const desired = deploymentReplicas(deployment);
  const allowed = desired > 0 ? desired + fenceposts(deployment).surge : 0;
  const toAdd = allowed - totalReplicas(active);
  const sets = active.toSorted(
    (a, b) => deploymentReplicas(b) - deploymentReplicas(a) || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)),
  );
  let added = 0;
  const sizes = sets.map((set) => {
    const share = toAdd === 0 || toAdd === added ? 0 : shareOf(deployment, set, toAdd, added);
    added += share;
    return deploymentReplicas(set) + share;
  });
  return sets.map((set, at) => [set, at === 0 ? Math.max(0, sizes[at]! + toAdd - added) : sizes[at]!]);
}

/** Models pkg/controller/deployment/util GetReplicaSetProportion */
function shareOf(deployment: KubeObject, set: KubeObject, toAdd: number, added: number): number {
  const fraction = fractionOf(deployment, set);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

function fractionOf(deployment: KubeObject, set: KubeObject): number {
  const desired = deploymentReplicas(deployment);
  const present = deploymentReplicas(set);
  if (desired === 0) return -present;
  const before = maxAnnotation(set) || numberAt(deployment, "status.replicas", 0);
  if (before === 0) return 0;
  return Math.round((present * (desired + fenceposts(deployment).surge)) / before) - present;
}
