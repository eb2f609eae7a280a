import { equal, fieldsAt, mapAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError, type StatusError } from "../../status-error.ts";
import { newControllerRef, isControlledBy, controllerManager } from "../owner/index.ts";
import { isNamespaceTerminating, templateHash } from "../pod/index.ts";
import { hasSizeAnnotations, newSetAnnotations, revisionKey, replicaSetRevisionOf, sizeAnnotations } from "./replica-set-annotations.ts";
import { newDeploymentCondition, deploymentConditions, progressingCondition, setDeploymentCondition } from "./deployment-condition.ts";
import { hasProgressDeadline } from "./progress.ts";
import {
  allSets,
  fenceposts,
  isRollingUpdate,
  replaceSet,
  replicaSets,
  deploymentReplicas,
  deploymentSource,
  totalReplicas,
  updateDeploymentStatus,
  type Rollout,
  type DeploymentSets,
} from "./rollout.ts";

const hashKey = "pod-template-hash";

/** Whether two templates are equal apart from the pod-template-hash label. */
function isSameTemplate(a: Fields, b: Fields): boolean {
  return equal(fieldsAt(a, "spec"), fieldsAt(b, "spec")) && equal(unhashed(a), unhashed(b));
}

/** Empty maps and absent maps are equal. */
function unhashed(template: Fields): Fields {
  const labels = { ...mapAt(template, "metadata.labels"), [hashKey]: undefined };
  const annotations = mapAt(template, "metadata.annotations");
  return { ...fieldsAt(template, "metadata"), labels, annotations, creationTimestamp: undefined };
}

/** The ReplicaSet with the Deployment's template, the oldest if there are several. `sets` is sorted oldest first. */
export function findNewSet(deployment: KubeObject, sets: readonly KubeObject[]): KubeObject | undefined {
  const template = fieldsAt(deployment, "spec.template");
  return sets.find((set) => isSameTemplate(fieldsAt(set, "spec.template"), template));
}

function nextRevision({ oldSets }: Rollout): number {
  return 1 + oldSets.reduce((most, set) => Math.max(most, replicaSetRevisionOf(set)), 0);
}

/**
 * Updates the annotations of the new ReplicaSet and the Deployment's revision, if the set exists.
 *
 * Models pkg/controller/deployment/sync.go getNewReplicaSet, its first half
 */
export function syncNewReplicaSet(rollout: Rollout): void {
  const { deployment, newSet, context } = rollout;
  if (newSet === undefined) return;
  const present = newSet.metadata.annotations ?? {};
  const annotations = newSetAnnotations(deployment, present, nextRevision(rollout));
  const minReadySeconds = numberAt(deployment, "spec.minReadySeconds", 0);
  if (!equal(annotations, present) || numberAt(newSet, "spec.minReadySeconds", 0) !== minReadySeconds) {
    const spec = { ...fieldsAt(newSet, "spec"), minReadySeconds };
    rollout.newSet = context.api.update(replicaSets, { ...newSet, metadata: { ...newSet.metadata, annotations }, spec }, controllerManager);
  }
  const found = {
    type: "Progressing",
    status: "True",
    reason: "FoundNewReplicaSet",
    message: `Found new replica set "${newSet.metadata.name}"`,
  };
  const unseen = hasProgressDeadline(deployment) && progressingCondition(deploymentConditions(deployment)) === undefined;
  updateRevision(rollout, annotations[revisionKey] ?? "", unseen ? found : undefined);
}

/** Writes the revision and an optional condition to the Deployment; writes nothing when both are up to date. */
function updateRevision(rollout: Rollout, revision: string, condition: Parameters<typeof newDeploymentCondition>[1] | undefined): void {
  const { deployment, context } = rollout;
  const present = deployment.metadata.annotations ?? {};
  if (condition === undefined && present[revisionKey] === revision) return;
  const status = fieldsAt(deployment, "status");
  const conditions = deploymentConditions(deployment);
  updateDeploymentStatus(
    rollout,
    condition === undefined
      ? status
      : { ...status, conditions: setDeploymentCondition(conditions, newDeploymentCondition(context.clock.now(), condition)) },
    { ...present, [revisionKey]: revision },
  );
}

/**
 * Creates the ReplicaSet for the Deployment's template. A name that another object has counts as a collision: the next
 * sync uses another hash. A StatusError is recorded in the Deployment's status, then thrown.
 *
 * Models pkg/controller/deployment/sync.go getNewReplicaSet, its second half
 */
export function createNewSet(rollout: Rollout): KubeObject {
  const { deployment, context } = rollout;
  const revision = nextRevision(rollout);
  const manifest = newSetManifest(rollout, revision);
  const { name } = manifest.metadata;
  try {
    const made = context.api.create(replicaSets, manifest, controllerManager);
    rollout.newSet = made;
    const count = deploymentReplicas(made);
    if (count > 0) recordScaling(rollout, `Scaled up replica set ${name} from 0 to ${count}`);
    const created = { type: "Progressing", status: "True", reason: "NewReplicaSetCreated", message: `Created new replica set "${name}"` };
    updateRevision(rollout, String(revision), hasProgressDeadline(deployment) ? created : undefined);
    return made;
  } catch (error) {
    if (!isStatusError(error) || rollout.newSet !== undefined) throw error;
    if (error.reason === "AlreadyExists") return adoptExisting(rollout, name, error);
    if (!isNamespaceTerminating(error)) recordCreateFailure(rollout, `Failed to create new replica set "${name}": ${error.message}`);
    throw error;
  }
}

function adoptExisting(rollout: Rollout, name: string, statusError: StatusError): KubeObject {
  const { deployment, context } = rollout;
  const taken = context.api.read(replicaSets, deployment.metadata.namespace ?? "", name);
  if (taken !== undefined && isControlledBy(taken, deployment) && findNewSet(deployment, [taken]) !== undefined) {
    rollout.newSet = taken;
    return taken;
  }
  const status = fieldsAt(deployment, "status");
  updateDeploymentStatus(rollout, { ...status, collisionCount: numberAt(status, "collisionCount", 0) + 1 });
  throw statusError;
}

function recordCreateFailure(rollout: Rollout, message: string): void {
  const { deployment, context } = rollout;
  const reason = "ReplicaSetCreateError";
  if (hasProgressDeadline(deployment)) {
    const failed = newDeploymentCondition(context.clock.now(), { type: "Progressing", status: "False", reason, message });
    const conditions = setDeploymentCondition(deploymentConditions(deployment), failed);
    if (conditions !== deploymentConditions(deployment)) updateDeploymentStatus(rollout, { ...fieldsAt(deployment, "status"), conditions });
  }
  context.record(deployment, { type: "Warning", reason, message, source: deploymentSource });
}

function newSetManifest(rollout: Rollout, revision: number): KubeObject {
  const { deployment } = rollout;
  const template = fieldsAt(deployment, "spec.template");
  const hash = templateHash(template, numberAt(deployment, "status.collisionCount"));
  const labels = { ...mapAt(template, "metadata.labels"), [hashKey]: hash };
  const selector = fieldsAt(deployment, "spec.selector");
  const { namespace = "", name } = deployment.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name.slice(0, 252 - hash.length)}-${hash}`,
      namespace,
      labels,
      annotations: { ...newSetAnnotations(deployment, {}, revision), ...sizeAnnotations(deployment) },
      ownerReferences: [newControllerRef(deployment)],
    },
    spec: {
      replicas: newSetReplicas(rollout, 0),
      ...minReady(deployment),
      selector: { ...selector, matchLabels: { ...mapAt(selector, "matchLabels"), [hashKey]: hash } },
      template: { ...template, metadata: { ...fieldsAt(template, "metadata"), labels } },
    },
  };
}

function minReady(deployment: KubeObject): Fields {
  const minReadySeconds = numberAt(deployment, "spec.minReadySeconds", 0);
  return minReadySeconds === 0 ? {} : { minReadySeconds };
}

/**
 * The size of the new set, now of size `present`: as large as the surge allows, and at most the desired size.
 *
 * Models pkg/controller/deployment/util NewRSNewReplicas
 */
export function newSetReplicas(sets: DeploymentSets, present: number): number {
  const { deployment } = sets;
  const desired = deploymentReplicas(deployment);
  if (!isRollingUpdate(deployment)) return desired;
  const room = desired + fenceposts(deployment).surge - totalReplicas(allSets(sets));
  return room <= 0 ? present : present + Math.min(room, desired - present);
}

/**
 * Scales a ReplicaSet and updates its size annotations. Returns whether the size changed.
 *
 * Models pkg/controller/deployment/sync.go scaleReplicaSet
 */
export function scaleSet(rollout: Rollout, set: KubeObject, replicas: number): boolean {
  const { deployment, context } = rollout;
  const before = deploymentReplicas(set);
  if (before === replicas && hasSizeAnnotations(set, deployment)) return false;
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
  const spec = { ...fieldsAt(set, "spec"), replicas };
  replaceSet(rollout, context.api.update(replicaSets, { ...set, metadata: { ...set.metadata, annotations }, spec }, controllerManager));
  if (before === replicas) return false;
  const direction = before < replicas ? "up" : "down";
  recordScaling(rollout, `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`);
  return true;
}

function recordScaling({ deployment, context }: Rollout, message: string): void {
  context.record(deployment, { type: "Normal", reason: "ScalingReplicaSet", message, source: deploymentSource });
}
