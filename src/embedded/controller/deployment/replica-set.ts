import { equal, fieldsAt, mapAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isRefusal, type Refusal } from "../../refusal.ts";
import { asController, isControlledBy, manager } from "../owner/index.ts";
import { isNamespaceEnding, templateHash } from "../pod/index.ts";
import { hasSizeAnnotations, newSetAnnotations, revisionKey, revisionOf, sizeAnnotations } from "./annotation.ts";
import { conditionAt, deploymentConditions, progressingOf, withCondition } from "./condition.ts";
import { hasProgressDeadline } from "./progress.ts";
import {
  allSets,
  fenceposts,
  isRollingUpdate,
  replaceSet,
  replicaSets,
  replicasOf,
  source,
  wantedBy,
  writeStatus,
  type Rollout,
  type Sets,
} from "./rollout.ts";

const hashKey = "pod-template-hash";

/** Tells whether two templates are the same but for the label that tells them apart. */
function isSameTemplate(a: Fields, b: Fields): boolean {
  return equal(fieldsAt(a, "spec"), fieldsAt(b, "spec")) && equal(unhashed(a), unhashed(b));
}

/** Maps that are empty and maps that are absent say the same. */
function unhashed(template: Fields): Fields {
  const labels = { ...mapAt(template, "metadata.labels"), [hashKey]: undefined };
  const annotations = mapAt(template, "metadata.annotations");
  return { ...fieldsAt(template, "metadata"), labels, annotations, creationTimestamp: undefined };
}

/** The set with the Deployment's template, the oldest if there are several. `sets` come oldest first. */
export function findNewSet(deployment: KubeObject, sets: readonly KubeObject[]): KubeObject | undefined {
  const template = fieldsAt(deployment, "spec.template");
  return sets.find((set) => isSameTemplate(fieldsAt(set, "spec.template"), template));
}

function nextRevision({ oldSets }: Rollout): number {
  return 1 + oldSets.reduce((most, set) => Math.max(most, revisionOf(set)), 0);
}

/**
 * Brings the annotations of the new set and the Deployment's revision up to date, if the set exists.
 *
 * Models pkg/controller/deployment/sync.go getNewReplicaSet, its first half
 */
export function syncRevision(rollout: Rollout): void {
  const { deployment, newSet, world } = rollout;
  if (newSet === undefined) return;
  const present = newSet.metadata.annotations ?? {};
  const annotations = newSetAnnotations(deployment, present, nextRevision(rollout));
  const minReadySeconds = numberAt(deployment, "spec.minReadySeconds", 0);
  if (!equal(annotations, present) || numberAt(newSet, "spec.minReadySeconds", 0) !== minReadySeconds) {
    const spec = { ...fieldsAt(newSet, "spec"), minReadySeconds };
    rollout.newSet = world.api.update(replicaSets, { ...newSet, metadata: { ...newSet.metadata, annotations }, spec }, manager);
  }
  const found = {
    type: "Progressing",
    status: "True",
    reason: "FoundNewReplicaSet",
    message: `Found new replica set "${newSet.metadata.name}"`,
  };
  const unseen = hasProgressDeadline(deployment) && progressingOf(deploymentConditions(deployment)) === undefined;
  tellRevision(rollout, annotations[revisionKey] ?? "", unseen ? found : undefined);
}

/** Writes the revision into the Deployment, with a condition if there is one to tell; nothing when both are there. */
function tellRevision(rollout: Rollout, revision: string, said: Parameters<typeof conditionAt>[1] | undefined): void {
  const { deployment, world } = rollout;
  const present = deployment.metadata.annotations ?? {};
  if (said === undefined && present[revisionKey] === revision) return;
  const status = fieldsAt(deployment, "status");
  const conditions = deploymentConditions(deployment);
  writeStatus(
    rollout,
    said === undefined ? status : { ...status, conditions: withCondition(conditions, conditionAt(world.clock.now(), said)) },
    { ...present, [revisionKey]: revision },
  );
}

/**
 * Makes the set for the Deployment's template. A name that is taken by something else counts as a collision: the next
 * round tries with another hash. A refusal is told in the Deployment's status, then thrown.
 *
 * Models pkg/controller/deployment/sync.go getNewReplicaSet, its second half
 */
export function createNewSet(rollout: Rollout): KubeObject {
  const { deployment, world } = rollout;
  const revision = nextRevision(rollout);
  const manifest = newSetManifest(rollout, revision);
  const { name } = manifest.metadata;
  try {
    const made = world.api.create(replicaSets, manifest, manager);
    rollout.newSet = made;
    const count = replicasOf(made);
    if (count > 0) tellScaled(rollout, `Scaled up replica set ${name} from 0 to ${count}`);
    const created = { type: "Progressing", status: "True", reason: "NewReplicaSetCreated", message: `Created new replica set "${name}"` };
    tellRevision(rollout, String(revision), hasProgressDeadline(deployment) ? created : undefined);
    return made;
  } catch (error) {
    if (!isRefusal(error) || rollout.newSet !== undefined) throw error;
    if (error.reason === "AlreadyExists") return takeExisting(rollout, name, error);
    if (!isNamespaceEnding(error)) tellFailure(rollout, `Failed to create new replica set "${name}": ${error.message}`);
    throw error;
  }
}

function takeExisting(rollout: Rollout, name: string, refusal: Refusal): KubeObject {
  const { deployment, world } = rollout;
  const taken = world.api.read(replicaSets, deployment.metadata.namespace ?? "", name);
  if (taken !== undefined && isControlledBy(taken, deployment) && findNewSet(deployment, [taken]) !== undefined) {
    rollout.newSet = taken;
    return taken;
  }
  const status = fieldsAt(deployment, "status");
  writeStatus(rollout, { ...status, collisionCount: numberAt(status, "collisionCount", 0) + 1 });
  throw refusal;
}

function tellFailure(rollout: Rollout, message: string): void {
  const { deployment, world } = rollout;
  const reason = "ReplicaSetCreateError";
  if (hasProgressDeadline(deployment)) {
    const failed = conditionAt(world.clock.now(), { type: "Progressing", status: "False", reason, message });
    const conditions = withCondition(deploymentConditions(deployment), failed);
    if (conditions !== deploymentConditions(deployment)) writeStatus(rollout, { ...fieldsAt(deployment, "status"), conditions });
  }
  world.record(deployment, { type: "Warning", reason, message, source });
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
      ownerReferences: [asController(deployment)],
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
 * How large the new set, now of size `present`, may become: as far as the surge allows, and never more than is wanted.
 *
 * Models pkg/controller/deployment/util NewRSNewReplicas
 */
export function newSetReplicas(sets: Sets, present: number): number {
  const { deployment } = sets;
  const desired = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return desired;
  const room = desired + fenceposts(deployment).surge - wantedBy(allSets(sets));
  return room <= 0 ? present : present + Math.min(room, desired - present);
}

/**
 * Gives a set another size and notes the Deployment's in it. Answers whether the size changed.
 *
 * Models pkg/controller/deployment/sync.go scaleReplicaSet
 */
export function scaleSet(rollout: Rollout, set: KubeObject, replicas: number): boolean {
  const { deployment, world } = rollout;
  const before = replicasOf(set);
  if (before === replicas && hasSizeAnnotations(set, deployment)) return false;
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
  const spec = { ...fieldsAt(set, "spec"), replicas };
  replaceSet(rollout, world.api.update(replicaSets, { ...set, metadata: { ...set.metadata, annotations }, spec }, manager));
  if (before === replicas) return false;
  const direction = before < replicas ? "up" : "down";
  tellScaled(rollout, `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`);
  return true;
}

function tellScaled({ deployment, world }: Rollout, message: string): void {
  world.record(deployment, { type: "Normal", reason: "ScalingReplicaSet", message, source });
}
