import { equal, fieldsAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { withoutZeros } from "../pod/index.ts";
import {
  deploymentConditions,
  setDeploymentCondition,
  setConditionContent,
  removeDeploymentCondition,
  type DeploymentCondition,
} from "./deployment-condition.ts";
import { progressCheckInMs, replicaFailure, withProgress } from "./progress.ts";
import { allSets, fenceposts, deploymentReplicas, sumOf, totalReplicas, updateDeploymentStatus, type Rollout } from "./rollout.ts";

/** Models pkg/controller/deployment/sync.go calculateStatus, without the conditions */
function countsOf(rollout: Rollout): Fields {
  const { deployment, newSet } = rollout;
  const sets = allSets(rollout);
  const available = sumOf(sets, "status.availableReplicas");
  const terminating = terminatingIn(sets);
  const collisionCount = numberAt(deployment, "status.collisionCount");
  return {
    ...withoutZeros({
      observedGeneration: deployment.metadata.generation,
      replicas: sumOf(sets, "status.replicas"),
      updatedReplicas: newSet === undefined ? 0 : sumOf([newSet], "status.replicas"),
      readyReplicas: sumOf(sets, "status.readyReplicas"),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, totalReplicas(sets) - available),
    }),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}

/** A ReplicaSet that was never synced has none; one that was synced and does not report it makes the sum unknown. */
function terminatingIn(sets: readonly KubeObject[]): number | undefined {
  let sum = 0;
  for (const set of sets) {
    const terminating = numberAt(set, "status.terminatingReplicas");
    if (terminating === undefined && numberAt(set, "status.observedGeneration", 0) > 0) return undefined;
    sum += terminating ?? 0;
  }
  return sum;
}

function withAvailability(rollout: Rollout, conditions: readonly DeploymentCondition[]): readonly DeploymentCondition[] {
  const { deployment, context } = rollout;
  const available = sumOf(allSets(rollout), "status.availableReplicas");
  const enough = available >= deploymentReplicas(deployment) - fenceposts(deployment).unavailable;
  const content = enough
    ? { status: "True", reason: "MinimumReplicasAvailable", message: "Deployment has minimum availability." }
    : { status: "False", reason: "MinimumReplicasUnavailable", message: "Deployment does not have minimum availability." };
  return setConditionContent(conditions, context.clock.now(), { type: "Available", ...content });
}

/** Writes the status without the Progressing condition: while paused, scaling or being deleted. */
export function syncStatus(rollout: Rollout): void {
  const conditions = withAvailability(rollout, deploymentConditions(rollout.deployment));
  writeIfChanged(rollout, { ...countsOf(rollout), conditions });
}

/**
 * Writes the status of a rollout. Returns when to requeue for the progress deadline.
 *
 * Models pkg/controller/deployment/progress.go syncRolloutStatus
 */
export function syncRolloutStatus(rollout: Rollout): number | undefined {
  const { deployment, newSet, context } = rollout;
  const nowMs = context.clock.now();
  const counts = countsOf(rollout);
  const subject = newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
  let conditions = withAvailability(rollout, deploymentConditions(deployment));
  conditions = withProgress(deployment, counts, conditions, subject, nowMs);
  const failure = replicaFailure(newSet === undefined ? allSets(rollout) : [newSet, ...rollout.oldSets]);
  conditions =
    failure === undefined ? removeDeploymentCondition(conditions, "ReplicaFailure") : setDeploymentCondition(conditions, failure);
  writeIfChanged(rollout, { ...counts, ...(conditions.length === 0 ? {} : { conditions }) });
  return progressCheckInMs(rollout.deployment, nowMs);
}

function writeIfChanged(rollout: Rollout, status: Fields): void {
  if (!equal(fieldsAt(rollout.deployment, "status"), status)) updateDeploymentStatus(rollout, status);
}
