import { conditionsOf, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { timeMs } from "../pod/index.ts";
import {
  newDeploymentCondition,
  deploymentConditions,
  progressingCondition,
  setDeploymentCondition,
  removeDeploymentCondition,
  type DeploymentCondition,
} from "./deployment-condition.ts";
import { deploymentReplicas } from "./rollout.ts";

// Models pkg/controller/deployment/progress.go and its util

/** A deadline of the largest int32 means none. */
export function hasProgressDeadline(deployment: KubeObject): boolean {
  const deadline = numberAt(deployment, "spec.progressDeadlineSeconds");
  return deadline !== undefined && deadline !== 2 ** 31 - 1;
}

/** All desired replicas are updated and available, and no others exist. */
export function isComplete(deployment: KubeObject, status: Fields): boolean {
  const desired = deploymentReplicas(deployment);
  return (
    numberAt(status, "updatedReplicas", 0) === desired &&
    numberAt(status, "replicas", 0) === desired &&
    numberAt(status, "availableReplicas", 0) === desired &&
    numberAt(status, "observedGeneration", 0) >= (deployment.metadata.generation ?? 0)
  );
}

/** More updated, fewer old, more ready or more available replicas than in the last status. */
function hasProgressed(deployment: KubeObject, status: Fields): boolean {
  const before = (path: string) => numberAt(deployment, `status.${path}`, 0);
  const after = (path: string) => numberAt(status, path, 0);
  return (
    after("updatedReplicas") > before("updatedReplicas") ||
    after("replicas") - after("updatedReplicas") < before("replicas") - before("updatedReplicas") ||
    after("readyReplicas") > before("readyReplicas") ||
    after("availableReplicas") > before("availableReplicas")
  );
}

function deadlineMs(deployment: KubeObject, condition: DeploymentCondition): number {
  return (timeMs(condition.lastUpdateTime) ?? 0) + numberAt(deployment, "spec.progressDeadlineSeconds", 0) * 1000;
}

function hasTimedOut(deployment: KubeObject, nowMs: number): boolean {
  const progressing = progressingCondition(deploymentConditions(deployment));
  if (progressing === undefined || progressing.reason === "NewReplicaSetAvailable") return false;
  return progressing.reason === "ProgressDeadlineExceeded" || deadlineMs(deployment, progressing) < nowMs;
}

/** The conditions with the Progressing condition up to date. `subject` is what progresses: `ReplicaSet "web-1"`. */
export function withProgress(
  deployment: KubeObject,
  status: Fields,
  conditions: readonly DeploymentCondition[],
  subject: string,
  nowMs: number,
): readonly DeploymentCondition[] {
  if (!hasProgressDeadline(deployment)) return removeDeploymentCondition(conditions, "Progressing");
  const present = progressingCondition(deploymentConditions(deployment));
  const finished =
    numberAt(status, "replicas", 0) === numberAt(status, "updatedReplicas", 0) && present?.reason === "NewReplicaSetAvailable";
  if (finished) return conditions;
  const newProgressing = (state: string, reason: string, what: string) =>
    newDeploymentCondition(nowMs, { type: "Progressing", status: state, reason, message: `${subject} ${what}` });

  if (isComplete(deployment, status))
    return setDeploymentCondition(conditions, newProgressing("True", "NewReplicaSetAvailable", "has successfully progressed."));
  if (hasProgressed(deployment, status)) {
    // Progress updates lastUpdateTime, so this replaces even an equal condition.
    const next = newProgressing("True", "ReplicaSetUpdated", "is progressing.");
    const since = present?.status === "True" ? present.lastTransitionTime : undefined;
    return [...removeDeploymentCondition(conditions, "Progressing"), since === undefined ? next : { ...next, lastTransitionTime: since }];
  }
  if (!hasTimedOut(deployment, nowMs)) return conditions;
  return setDeploymentCondition(conditions, newProgressing("False", "ProgressDeadlineExceeded", "has timed out progressing."));
}

/**
 * When to requeue a Deployment without progress; undefined when no deadline applies: none is set, the rollout is
 * complete, the deadline is exceeded, or the last rollout was complete before a failure.
 */
export function progressCheckInMs(deployment: KubeObject, nowMs: number): number | undefined {
  const progressing = progressingCondition(deploymentConditions(deployment));
  if (!hasProgressDeadline(deployment) || progressing === undefined) return undefined;
  if (progressing.reason === "ProgressDeadlineExceeded" || progressing.reason === "NewReplicaSetAvailable") return undefined;
  // Times have seconds: one second more ensures that the deadline has passed.
  return Math.max(0, deadlineMs(deployment, progressing) - nowMs) + 1000;
}

/** The ReplicaFailure condition of the sets, the new one's first. */
export function replicaFailure(sets: readonly KubeObject[]): DeploymentCondition | undefined {
  const failure = sets.flatMap(conditionsOf).find(({ type }) => type === "ReplicaFailure");
  if (failure?.lastTransitionTime === undefined) return failure;
  return { ...failure, lastUpdateTime: failure.lastTransitionTime };
}
