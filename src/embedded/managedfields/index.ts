/**
 * Server-side apply: field managers, merging an applied configuration into the live object, and conflicts.
 *
 * An implementation of structured-merge-diff and of the API server's managedFields on plain JSON. Pure: the time is
 * passed in as text. It knows no resource, no storage and no request; types, served versions and reset fields are
 * passed in.
 */
export { applyManaged, type ManagedApply, type ManagedApplyResult } from "./apply-managed.ts";
export { blankFromOpenApi } from "./blank.ts";
export type { ConflictCause, ConflictReport } from "./conflict-report.ts";
export { compareTyped, type Comparison } from "./compare-typed.ts";
export { typeOfCustomResource } from "./custom-resource-type.ts";
export {
  asMember,
  setDifference,
  emptySet,
  hasPath,
  setIntersection,
  isEmptySet,
  leaves,
  memberPathsOf,
  recursiveSetDifference,
  fieldSetOf,
  setUnion,
  type FieldSet,
} from "./field-set.ts";
export { parseFieldsV1 } from "./fields-v1.ts";
export { excluding, including, type FieldSetFilter, type FieldPattern } from "./field-set-filter.ts";
export { ignoreManagedFieldsTimestamps } from "./ignore-managed-fields-timestamps.ts";
export type { ManagedKind, ManagedWrite } from "./managed-kind.ts";
export { mergeTyped } from "./merge-typed.ts";
export { objectMetaTypeName, objectMetaTypes } from "./object-meta-types.ts";
export { schemaFromOpenApi, type OpenApiSchema } from "./schema-from-openapi.ts";
export type { ManagedFields, VersionedSet, UpdaterRules, TypedValue } from "./versioned-set.ts";
export { elementPathText, type ElementPath, type PathElement } from "./path-element.ts";
export { extractItems, removeItems } from "./remove-items.ts";
export type { Atom, FieldDef, ListDef, MapDef, Relationship, ScalarType, MergeSchema, TypeDef, TypeRef } from "./merge-schema.ts";
export { toFieldSet } from "./to-field-set.ts";
export { managedFieldsFromScale, managedFieldsOfScale, type ReplicasPaths } from "./scale-handler.ts";
export { deducedType, resolverBy, resolverOf, type TypeResolver, type MergeType } from "./merge-type.ts";
export { reconcileFieldSet } from "./reconcile-field-set.ts";
export { updaterApply, updaterUpdate, type UpdaterApplyResult, type FieldConflict } from "./updater.ts";
export { updateManaged, type ManagedUpdate } from "./update-managed.ts";
export { typedErrorText, validateTyped, type TypedError } from "./validate-typed.ts";
export { sameValue } from "./value.ts";
