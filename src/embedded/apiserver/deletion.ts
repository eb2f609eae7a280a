import { fieldsAt, stringsAt, type KubeObject, type ObjectMeta } from "../../core/object/index.ts";
import { crdStatusOf, setCrdCondition, type CrdCondition } from "../crd/index.ts";
import { conflictError } from "../status-error.ts";
import type { DeleteOptions } from "./api-client.ts";
import type { ServedResource } from "./served-resource.ts";
import { strategyOf } from "./strategy-of.ts";
import { timestampOf } from "../timestamp.ts";

const orphan = "orphan";
const foreground = "foregroundDeletion";
const crds = "customresourcedefinitions.apiextensions.k8s.io";
const customResourceCleanup = "customresourcecleanup.apiextensions.k8s.io";

/** Rejects the deletion of an object whose uid or resourceVersion does not match the preconditions. */
export function checkPreconditions(resource: ServedResource, { metadata }: KubeObject, { uid, resourceVersion }: DeleteOptions): void {
  // Only here the server's message names the kind instead of the resource. Models apiserver pkg/registry/rest/delete.go
  const byKind = { group: resource.group, plural: resource.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflictError(byKind, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflictError(byKind, metadata.name, why);
  }
}

/**
 * The object after a delete request, or undefined when it can be removed at once. Models apiserver
 * pkg/registry/rest/delete.go BeforeDelete and pkg/registry/generic/registry/store.go
 * deletionFinalizersForGarbageCollection
 */
export function deletionOf(resource: ServedResource, live: KubeObject, options: DeleteOptions, nowMs: number): KubeObject | undefined {
  const finalizers = finalizersFor(resource, live, options);
  const graceSeconds = strategyOf(resource).gracePeriod(live, options.graceSeconds) ?? 0;
  const marked = withDeletion(live, finalizers, graceSeconds, nowMs);
  const special = terminating(resource, marked, timestampOf(nowMs));
  return isDeletionComplete(resource, special) ? undefined : special;
}

/** Whether an object that is being deleted has neither finalizers nor a grace period left. */
export function isDeletionComplete({ key }: ServedResource, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds > 0) return false;
  return key !== "namespaces" || stringsAt(object, "spec.finalizers").length === 0;
}

function finalizersFor(resource: ServedResource, { metadata }: KubeObject, { propagation }: DeleteOptions): readonly string[] {
  const present = metadata.finalizers ?? [];
  const own = resource.key === crds && !present.includes(customResourceCleanup) ? [customResourceCleanup] : [];
  const kept = propagation === undefined ? present : present.filter((name) => name !== orphan && name !== foreground);
  return [...kept, ...own, ...finalizerOf(resource, present, propagation)];
}

function finalizerOf(resource: ServedResource, present: readonly string[], propagation: DeleteOptions["propagation"]): string[] {
  if (propagation === "orphan") return [orphan];
  if (propagation === "foreground") return [foreground];
  const undecided = !present.includes(orphan) && !present.includes(foreground);
  return propagation === undefined && undecided && strategyOf(resource).dependents === "orphan" ? [orphan] : [];
}

function withDeletion(live: KubeObject, finalizers: readonly string[], graceSeconds: number, nowMs: number): KubeObject {
  const { metadata } = live;
  const begun = metadata.deletionTimestamp !== undefined;
  // A second deletion can only shorten the grace period.
  const shorter = !begun || graceSeconds < (metadata.deletionGracePeriodSeconds ?? 0);
  const sameFinalizers =
    finalizers.length === (metadata.finalizers ?? []).length && finalizers.every((name) => metadata.finalizers?.includes(name));
  if (!shorter && sameFinalizers) return live;
  const deletion = shorter ? { deletionTimestamp: timestampOf(nowMs + graceSeconds * 1000), deletionGracePeriodSeconds: graceSeconds } : {};
  const next: ObjectMeta = { ...metadata, ...(finalizers.length > 0 ? { finalizers } : {}), ...deletion };
  // Models BeforeDelete: a deletion increases the generation.
  return { ...live, metadata: begun || next.generation === undefined ? next : { ...next, generation: next.generation + 1 } };
}

/** Namespaces and CRDs report in their status that they are terminating. */
function terminating({ key }: ServedResource, object: KubeObject, now: string): KubeObject {
  if (key === "namespaces") return { ...object, status: { ...fieldsAt(object, "status"), phase: "Terminating" } };
  if (key !== crds || object.metadata.deletionTimestamp !== now) return object;
  const status = crdStatusOf(object);
  return { ...object, status: { ...status, conditions: setCrdCondition(status.conditions ?? [], deletionPending, now) } };
}

/** Models apiextensions pkg/registry/customresourcedefinition/etcd.go Delete */
const deletionPending: CrdCondition = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionPending",
  message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
};
