import { booleanAt, fieldsAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import { controllerManager, type OwnWriteFilter } from "../owner/index.ts";
import { scaledCount } from "../pod/index.ts";

export const deploymentsResource = "deployments.apps";
export const replicaSets = "replicasets.apps";
export const deploymentSource = "deployment-controller";

/** A Deployment and its ReplicaSets. */
export type DeploymentSets = {
  readonly deployment: KubeObject;
  /** The ReplicaSet with the Deployment's template; undefined when there is none yet. */
  readonly newSet: KubeObject | undefined;
  /** The others, oldest first. */
  readonly oldSets: readonly KubeObject[];
};

/** The size that a ReplicaSet is to have. */
export type SetSize = readonly [set: KubeObject, replicas: number];

/** One sync of a Deployment. Writes update these fields, so that later steps see them. */
export type Rollout = {
  readonly context: EmbeddedControllerContext;
  readonly ownWrites: OwnWriteFilter;
  deployment: KubeObject;
  newSet: KubeObject | undefined;
  oldSets: readonly KubeObject[];
};

export function allSets({ newSet, oldSets }: DeploymentSets): readonly KubeObject[] {
  return newSet === undefined ? oldSets : [...oldSets, newSet];
}

/** Replaces a ReplicaSet by its written version. */
export function replaceSet(rollout: Rollout, written: KubeObject): void {
  const { uid } = written.metadata;
  if (rollout.newSet?.metadata.uid === uid) rollout.newSet = written;
  else rollout.oldSets = rollout.oldSets.map((set) => (set.metadata.uid === uid ? written : set));
}

export function updateDeploymentStatus(rollout: Rollout, status: Fields, annotations = rollout.deployment.metadata.annotations): void {
  const { deployment, ownWrites, context } = rollout;
  const metadata = annotations === undefined ? deployment.metadata : { ...deployment.metadata, annotations };
  rollout.deployment = ownWrites.during(() =>
    context.api.updateStatus(deploymentsResource, { ...deployment, metadata, status }, controllerManager),
  );
}

export function deploymentReplicas(object: KubeObject): number {
  return numberAt(object, "spec.replicas", 1);
}

export function isActiveSet(set: KubeObject): boolean {
  return deploymentReplicas(set) > 0;
}

export function sumOf(sets: readonly KubeObject[], path: string): number {
  return sets.reduce((sum, set) => sum + numberAt(set, path, 0), 0);
}

/** The sum of the desired replicas of the sets. */
export function totalReplicas(sets: readonly KubeObject[]): number {
  return sets.reduce((sum, set) => sum + deploymentReplicas(set), 0);
}

export function isRollingUpdate(deployment: KubeObject): boolean {
  return stringAt(deployment, "spec.strategy.type", "RollingUpdate") === "RollingUpdate";
}

export function isPaused(deployment: KubeObject): boolean {
  return booleanAt(deployment, "spec.paused");
}

/** Oldest first; the name decides between sets of the same second. */
export function byCreation(a: KubeObject, b: KubeObject): number {
  const timeA = a.metadata.creationTimestamp ?? "";
  const timeB = b.metadata.creationTimestamp ?? "";
  if (timeA !== timeB) return timeA < timeB ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

/**
 * maxSurge and maxUnavailable as numbers of Pods. Percentages round up for surge and down for unavailability; if both
 * are zero, one Pod may be unavailable, or the rollout could never advance.
 *
 * Models pkg/controller/deployment/util ResolveFenceposts, MaxSurge and MaxUnavailable
 */
export function fenceposts(deployment: KubeObject): { surge: number; unavailable: number } {
  if (!isRollingUpdate(deployment)) return { surge: 0, unavailable: 0 };
  const desired = deploymentReplicas(deployment);
  const { maxSurge, maxUnavailable } = fieldsAt(deployment, "spec.strategy.rollingUpdate");
  const surge = scaledCount(maxSurge, desired, "up");
  const unavailable = scaledCount(maxUnavailable, desired, "down");
  return { surge, unavailable: Math.min(desired, surge === 0 && unavailable === 0 ? 1 : unavailable) };
}
