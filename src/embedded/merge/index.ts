/**
 * Server-side apply: who manages which field of an object, how an applied object is merged into the live one, and who
 * is in the way.
 *
 * A rebuilding of structured-merge-diff and of the API server's managedFields on plain JSON. Pure: the time comes in as
 * text. It knows no resource, no store and no request; types, the versions that are served and the fields that the
 * server resets are handed in.
 */
export { applyManaged, type Apply, type ApplyResult } from "./apply-managed.ts";
export { blankFromOpenApi } from "./blank.ts";
export type { ConflictCause, ConflictReport } from "./conflict.ts";
export { compare, type Comparison } from "./compare.ts";
export { typeOfCustomResource } from "./custom-resource.ts";
export {
  asMember,
  difference,
  emptySet,
  has,
  intersection,
  isEmpty,
  leaves,
  pathsOf,
  recursiveDifference,
  setOf,
  union,
  type FieldSet,
} from "./field-set.ts";
export { parseFieldsV1 } from "./fields-v1.ts";
export { excluding, including, type Filter, type Pattern } from "./filter.ts";
export { withoutIdleTimes } from "./idle-times.ts";
export type { ManagedKind, Write } from "./managed-kind.ts";
export { merge } from "./merge.ts";
export { objectMeta, objectMetaTypes } from "./object-meta.ts";
export { schemaFromOpenApi, type OpenApiSchema } from "./openapi.ts";
export type { Managers, Owned, Rules, Typed } from "./owned.ts";
export { pathText, type Path, type PathElement } from "./path-element.ts";
export { extractItems, removeItems } from "./remove.ts";
export type { Atom, FieldDef, ListDef, MapDef, Relationship, Scalar, Schema, TypeDef, TypeRef } from "./schema.ts";
export { toFieldSet } from "./to-field-set.ts";
export { managedFieldsFromScale, managedFieldsOfScale, type ReplicasPaths } from "./scale.ts";
export { deducedType, resolverBy, resolverOf, type Resolver, type Type } from "./type.ts";
export { reconcile } from "./typed-set.ts";
export { apply, update, type Applied, type Conflict } from "./updater.ts";
export { updateManaged, type Update } from "./update-managed.ts";
export { misfitText, validate, type Misfit } from "./validate.ts";
export { sameValue } from "./value.ts";
