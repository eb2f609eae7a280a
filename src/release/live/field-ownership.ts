import { isFields, stringAt, type Fields, type Json, type KubeObject, type ManagedFieldsEntry } from "../../core/object/index.ts";
import { releaseOwnerOf } from "../record/index.ts";
import { joinFieldSets, withoutOwnedFields, type FieldSet } from "./field-set.ts";

/** Which objects' client-side fields are taken over: those of the manifest's release, or also those without an owner. */
export type TakeOver = "own" | "all";

const kubectl = "kubectl-client-side-apply";
/** The name under which an API server keeps the fields that were there before it tracked managers. */
const untracked = "before-first-apply";

/**
 * The field managers that own fields of a live object by client-side apply, and whose fields are to become those of
 * `manager` before it applies: itself (Helm without server-side apply), and at a first apply kubectl. Without that an
 * apply conflicts with them, and keeps the fields that the manifest no longer has. None in objects of another release.
 */
export function clientSideManagersIn(
  live: KubeObject,
  manifest: KubeObject,
  manager: string,
  takeOver: TakeOver | undefined,
): readonly string[] {
  if (takeOver === undefined || isOfOtherRelease(live, manifest)) return [];
  const { managedFields = [] } = live.metadata;
  const isOurs = takeOver === "all" || releaseOwnerOf(live) !== undefined;
  const isFirst = !managedFields.some((entry) => isApplied(entry, manager));
  // Once it is applied, what kubectl changes is a conflict like that with anybody else.
  const candidates = [manager, ...(isOurs && isFirst ? [kubectl] : []), ...(isOurs ? [untracked] : [])];
  if (managedFields.length === 0) return isOurs ? [untracked] : [];
  const hasText = textFieldsOf(live, manager) !== undefined;
  return candidates.filter((name) => (hasText && name === manager) || managedFields.some((entry) => isClientSide(entry, [name])));
}

/** Whether the live object belongs to another release than the manifest. */
export function isOfOtherRelease(live: KubeObject, manifest: KubeObject): boolean {
  const [owner, own] = [releaseOwnerOf(live), releaseOwnerOf(manifest)];
  return owner !== undefined && (owner.name !== own?.name || owner.namespace !== own.namespace);
}

/**
 * The managedFields in which the fields of client-side managers belong to `manager` as if it had applied them.
 * Undefined when there are none. Models k8s.io/client-go util/csaupgrade UpgradeManagedFields, but keeps the fields of
 * all versions, as Flux does: a manager owns under an old version what it has not changed since.
 */
export function migratedManagedFields(
  live: KubeObject,
  from: readonly string[],
  manager: string,
): readonly ManagedFieldsEntry[] | undefined {
  const entries = live.metadata.managedFields ?? [];
  const moved = entries.filter((entry) => isClientSide(entry, from));
  const applied = entries.find((entry) => isApplied(entry, manager));
  const text = textFieldsOf(live, manager);
  const base = applied ?? moved.at(-1);
  if (base === undefined || (moved.length === 0 && text === undefined)) return undefined;
  const { "f:stringData": _text, ...rest } = applied?.fieldsV1 ?? {};
  const own = text === undefined ? (applied?.fieldsV1 ?? {}) : joinFieldSets(rest, text);
  const fieldsV1 = moved.map(movedFieldsOf).reduce(joinFieldSets, own);
  const target: ManagedFieldsEntry = { ...base, manager, operation: "Apply", fieldsV1 };
  return [target, ...entries.filter((entry) => entry !== applied && !moved.includes(entry))];
}

/**
 * What a manager applied as a Secret's `stringData`, as fields of `data`, where the server has put it. The server keeps
 * it under the name that was applied, so that nobody owns the keys of `data`, and none that left is removed.
 */
function textFieldsOf(live: KubeObject, manager: string): FieldSet | undefined {
  if (live.apiVersion !== "v1" || live.kind !== "Secret") return undefined;
  const applied = live.metadata.managedFields?.find((entry) => isApplied(entry, manager));
  return applied?.fieldsV1?.["f:stringData"] === undefined ? undefined : { "f:data": childOf(applied.fieldsV1, "f:stringData") };
}

/** The result of a forced apply without the fields that only client-side managers own, as after their migration. */
export function withoutClientSideFields(next: KubeObject, live: KubeObject, from: readonly string[], manager: string): KubeObject {
  const entries = next.metadata.managedFields ?? [];
  const moved = entries.filter((entry) => isClientSide(entry, from));
  const others = entries.filter((entry) => !moved.includes(entry));
  const owned = moved.map(movedFieldsOf).reduce(joinFieldSets, textFieldsOf(live, manager) ?? {});
  const kept = others.map(({ fieldsV1 = {} }) => fieldsV1).reduce(joinFieldSets, {});
  const left = withoutOwnedFields(next, owned, kept);
  // Name and namespace are no managed fields, so an object stays an object.
  return isFields(left) ? { ...left, apiVersion: next.apiVersion, kind: next.kind, metadata: metadataOf(left, next) } : next;
}

function metadataOf({ metadata }: Fields, next: KubeObject): KubeObject["metadata"] {
  return isFields(metadata) ? { ...metadata, name: stringAt(metadata, "name", next.metadata.name) } : next.metadata;
}

function isApplied({ manager, operation, subresource = "" }: ManagedFieldsEntry, by: string): boolean {
  return manager === by && operation === "Apply" && subresource === "";
}

function isClientSide({ manager = "", operation, subresource = "" }: ManagedFieldsEntry, from: readonly string[]): boolean {
  return operation === "Update" && subresource === "" && from.includes(manager);
}

function movedFieldsOf({ manager, fieldsV1 = {} }: ManagedFieldsEntry): FieldSet {
  return manager === untracked ? withoutClusterFields(fieldsV1) : fieldsV1;
}

/** Untracked fields are everybody's. Those that the cluster itself writes must not be removed with what left a manifest. */
function withoutClusterFields({ "f:status": _status, ...set }: FieldSet): FieldSet {
  const { "f:finalizers": _finalizers, "f:ownerReferences": _owners, ...metadata } = childOf(set, "f:metadata");
  const { "f:volumeName": _volume, "f:nodeName": _node, ...spec } = childOf(set, "f:spec");
  const annotations = Object.entries(childOf(metadata, "f:annotations")).filter(([key]) => !isClusterAnnotation(key));
  const kept = { ...metadata, ...(annotations.length === 0 ? {} : { "f:annotations": Object.fromEntries(annotations) }) };
  return { ...set, "f:metadata": kept, ...("f:spec" in set ? { "f:spec": spec } : {}) };
}

function isClusterAnnotation(element: string): boolean {
  return /^f:[^/]*\b(?:kubernetes|k8s)\.io\//.test(element) && element !== "f:kubectl.kubernetes.io/last-applied-configuration";
}

function childOf(set: FieldSet, element: string): { readonly [element: string]: Json } {
  const child = set[element];
  return typeof child === "object" && child !== null && !isList(child) ? child : {};
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
