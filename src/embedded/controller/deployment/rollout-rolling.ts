import { numberAt, type KubeObject } from "../../../core/object/index.ts";
import { cleanupIfComplete } from "./cleanup-deployment.ts";
import { createNewSet, newSetReplicas, scaleSet } from "./new-replica-set.ts";
import {
  allSets,
  fenceposts,
  isActiveSet,
  deploymentReplicas,
  sumOf,
  totalReplicas,
  type Rollout,
  type DeploymentSets,
  type SetSize,
} from "./rollout.ts";
import { syncRolloutStatus } from "./status.ts";

/**
 * Advances a rollout by one step, up or down.
 *
 * Models pkg/controller/deployment/rolling.go rolloutRolling
 */
export function rolloutRolling(rollout: Rollout): number | undefined {
  if (rollout.newSet === undefined) createNewSet(rollout);
  const up = newSetScaleUp(rollout);
  const step = up.length > 0 ? up : oldSetsScaleDown(rollout);
  for (const [set, replicas] of step) scaleSet(rollout, set, replicas);
  const requeueAfterMs = syncRolloutStatus(rollout);
  if (step.length === 0) cleanupIfComplete(rollout);
  return requeueAfterMs;
}

/** The new set's next size, if it changes. */
export function newSetScaleUp(sets: DeploymentSets): SetSize[] {
  const { deployment, newSet } = sets;
  if (newSet === undefined) return [];
  const present = deploymentReplicas(newSet);
  const desired = deploymentReplicas(deployment);
  const next = present >= desired ? desired : newSetReplicas(sets, present);
  return next === present ? [] : [[newSet, next]];
}

/**
 * How far the old ReplicaSets can scale down: first unavailable Pods, then available ones while enough stay available.
 * Pods of the new set that are not yet available count as unavailable.
 */
export function oldSetsScaleDown(sets: DeploymentSets): SetSize[] {
  const { deployment, newSet } = sets;
  const old = sets.oldSets.filter(isActiveSet);
  if (newSet === undefined || old.length === 0) return [];
  const minAvailable = deploymentReplicas(deployment) - fenceposts(deployment).unavailable;
  const newUnavailable = deploymentReplicas(newSet) - availableIn(newSet);
  const most = totalReplicas(allSets(sets)) - minAvailable - newUnavailable;
  if (most <= 0) return [];
  const sizes = new Map(old.map((set) => [set, deploymentReplicas(set)]));
  take(sizes, most, (set, size) => size - availableIn(set));
  take(sizes, sumOf([...old, newSet], "status.availableReplicas") - minAvailable, (_set, size) => size);
  return [...sizes].filter(([set, size]) => size !== deploymentReplicas(set));
}

function availableIn(set: KubeObject): number {
  return numberAt(set, "status.availableReplicas", 0);
}

/** Takes up to `most` replicas off the sizes in order, from each no more than `givesOf` allows. */
function take(sizes: Map<KubeObject, number>, most: number, givesOf: (set: KubeObject, size: number) => number): void {
  let left = most;
  for (const [set, size] of sizes) {
    const count = Math.min(left, givesOf(set, size));
    if (count <= 0) continue;
    sizes.set(set, size - count);
    left -= count;
  }
}
