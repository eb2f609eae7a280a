import { fieldsAt, mapAt, stringAt, type KubeObject, type OwnerReference } from "../../../core/object/index.ts";
import { isStatusError, StatusError } from "../../status-error.ts";
import { newControllerRef, controllerManager } from "../owner/index.ts";
import { claimName, claimTemplates, isInRange, ordinalOf, podName, statefulSetSource, type StatefulSetSync } from "./stateful-set-sync.ts";

const volumeClaims = "persistentvolumeclaims";

// Models pkg/controller/statefulset/stateful_pod_control.go and the claim rules of stateful_set_utils.go

/** Creates the missing claims of an ordinal. A terminating claim must be deleted first. */
export function createClaims({ context, set }: StatefulSetSync, ordinal: number): void {
  const namespace = set.metadata.namespace ?? "";
  for (const { name, template } of claimTemplates(set)) {
    const claim = claimFrom(set, claimName(set, name, ordinal), template);
    const present = context.api.read(volumeClaims, namespace, claim.metadata.name);
    if (present === undefined) createClaim({ context, set }, claim, podName(set, ordinal));
    else if (present.metadata.deletionTimestamp !== undefined) {
      throw new StatusError(409, "Conflict", `pvc ${claim.metadata.name} is being deleted`);
    }
  }
}

function claimFrom(set: KubeObject, name: string, template: unknown): KubeObject {
  const annotations = mapAt(template, "metadata.annotations");
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      namespace: set.metadata.namespace ?? "",
      labels: { ...mapAt(template, "metadata.labels"), ...mapAt(set, "spec.selector.matchLabels") },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: fieldsAt(template, "spec"),
  };
}

function createClaim({ context, set }: Pick<StatefulSetSync, "context" | "set">, claim: KubeObject, pod: string): void {
  const { name } = claim.metadata;
  try {
    context.api.create(volumeClaims, claim, controllerManager);
  } catch (error) {
    if (!isStatusError(error) || error.reason === "AlreadyExists") throw error;
    const message = `Create Claim ${name} for Pod ${pod} in StatefulSet ${set.metadata.name} failed error: ${error.message}`;
    context.record(set, { type: "Warning", reason: "FailedCreate", message, source: statefulSetSource });
    throw new StatusError(error.status.code, error.reason, `failed to create PVC ${name}: ${error.message}`, error.status.details);
  }
  const message = `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`;
  context.record(set, { type: "Normal", reason: "SuccessfulCreate", message, source: statefulSetSource });
}

function claimsOf({ context, set }: StatefulSetSync, ordinal: number): KubeObject[] {
  const namespace = set.metadata.namespace ?? "";
  return claimTemplates(set).flatMap(({ name }) => context.api.read(volumeClaims, namespace, claimName(set, name, ordinal)) ?? []);
}

/** When scaling down deletes claims, a new Pod must not take over a claim that a previous Pod owns. */
export function hasStaleClaim(sync: StatefulSetSync, ordinal: number): boolean {
  if (retention(sync.set, "whenScaled") === "Retain") return false;
  const name = podName(sync.set, ordinal);
  return claimsOf(sync, ordinal).some(
    ({ metadata }) => metadata.ownerReferences?.some((owner) => owner.kind === "Pod" && owner.name === name) === true,
  );
}

/** Whether the owner references of a Pod's claims match the retention policy. */
export function claimsAreRetained(sync: StatefulSetSync, pod: KubeObject): boolean {
  return claimsOf(sync, ordinalOf(pod)).every((claim) => isUpToDate(sync.set, pod, claim));
}

/** Sets the owner references of a Pod's claims by the retention policy. */
export function retainClaims(sync: StatefulSetSync, pod: KubeObject): void {
  const { context, set } = sync;
  for (const claim of claimsOf(sync, ordinalOf(pod))) {
    if (hasOtherController(set, pod, claim)) {
      const message = `PersistentVolumeClaim ${claim.metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
      context.record(set, { type: "Warning", reason: "ConflictingController", message, source: statefulSetSource });
    }
    if (isUpToDate(set, pod, claim)) continue;
    const { ownerReferences = [], ...metadata } = claim.metadata;
    const others = ownerReferences.filter((owner) => !names(owner, set) && !names(owner, pod));
    const owners = hasOtherController(set, pod, claim) ? others : [...others, ...wantedOwners(set, pod).map(newControllerRef)];
    const next = owners.length === 0 ? metadata : { ...metadata, ownerReferences: owners };
    context.api.update(volumeClaims, { ...claim, metadata: next }, controllerManager);
  }
}

function retention(set: KubeObject, when: "whenDeleted" | "whenScaled"): string {
  return stringAt(set, `spec.persistentVolumeClaimRetentionPolicy.${when}`, "Retain");
}

/** A claim is garbage-collected with its owner: the Pod when it was scaled down, otherwise the set. */
function wantedOwners(set: KubeObject, pod: KubeObject): KubeObject[] {
  const scaledAway = !isInRange(set, ordinalOf(pod));
  const withPod = retention(set, "whenScaled") === "Delete" && scaledAway;
  const withSet = retention(set, "whenDeleted") === "Delete" && !withPod;
  return [...(withPod ? [pod] : []), ...(withSet ? [set] : [])];
}

function isUpToDate(set: KubeObject, pod: KubeObject, { metadata }: KubeObject): boolean {
  const owners = metadata.ownerReferences ?? [];
  const ours = [set, pod];
  // A reference to a previous set or Pod of the same name is left to the garbage collector.
  if (owners.some((owner) => ours.some((one) => names(owner, one) && owner.uid !== one.metadata.uid))) return true;
  const held = owners.filter(({ uid }) => ours.some((one) => one.metadata.uid === uid));
  if (hasOtherController(set, pod, { metadata })) return held.length === 0;
  if (held.some(({ controller }) => controller !== true)) return false;
  const wanted = wantedOwners(set, pod);
  return held.length === wanted.length && wanted.every((one) => held.some(({ uid }) => uid === one.metadata.uid));
}

function hasOtherController(set: KubeObject, pod: KubeObject, { metadata }: Pick<KubeObject, "metadata">): boolean {
  if (retention(set, "whenScaled") === "Retain" && retention(set, "whenDeleted") === "Retain") return false;
  return (metadata.ownerReferences ?? []).some((owner) => {
    const ours = [set, pod].find((one) => names(owner, one));
    return ours === undefined ? owner.controller === true : owner.uid !== ours.metadata.uid;
  });
}

function names(owner: OwnerReference, { apiVersion, kind, metadata }: KubeObject): boolean {
  return owner.apiVersion === apiVersion && owner.kind === kind && owner.name === metadata.name;
}
