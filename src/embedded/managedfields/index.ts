/**
 * Server-side apply: field managers, merging an applied configuration into the live object, and conflicts.
 *
 * An implementation of structured-merge-diff and of the API server's managedFields on plain JSON. Pure: the time is
 * passed in as text. It knows no resource, no storage and no request; types, served versions and reset fields are
 * passed in.
 */
export { applyManaged } from "./apply-managed.ts";
export { typeOfCustomResource } from "./custom-resource-type.ts";
export { leaves, fieldSetOf, type FieldSet } from "./field-set.ts";
export { excluding, type FieldSetFilter } from "./field-set-filter.ts";
export { titleOfKind, titleOfObject, type ManagedKind } from "./managed-kind.ts";
export { mergeTyped } from "./merge-typed.ts";
export { schemaFromOpenApi } from "./schema-from-openapi.ts";
export type { ManagedFields, UpdaterRules, TypedValue } from "./versioned-set.ts";
export { elementPathText } from "./path-element.ts";
export { extractItems } from "./remove-items.ts";
export type { Atom, MergeSchema, TypeDef, TypeRef } from "./merge-schema.ts";
export { deducedType, resolverBy, resolverOf, type TypeResolver, type MergeType } from "./merge-type.ts";
export { updaterApply, updaterUpdate } from "./updater.ts";
export { updateManaged } from "./update-managed.ts";
export { updateManagedLater } from "./update-managed-later.ts";
export { typedErrorText, validateTyped } from "./validate-typed.ts";
