/**
 * Kubernetes objects as values: their types, references, field readers, selectors, patches and comparison.
 *
 * Pure. It knows no cluster, no file and no schema beyond its arguments.
 */
export { approximateSize } from "./approximate-size.ts";
export { equal } from "./equal.ts";
export { integerOf, isExactInteger } from "./exact-integer.ts";
export * from "./field.ts";
export { escapeFieldValue, exactField, parseFieldSelector } from "./field-selector.ts";
export { applyJsonPatch } from "./json-patch.ts";
export { findValues, parseJsonPath, printJsonPath, printValue } from "./json-path.ts";
export { isStackOverflow, jsonText } from "./json-text.ts";
export { jsonTypeOf } from "./plain-object.ts";
export { goText } from "./go-text.ts";
export { labelKeyProblems, labelValueProblems, subdomainProblems } from "./name-validation.ts";
export {
  labelSelectorFor,
  labelSelectorOf,
  labelSelectorText,
  parseLabelSelector,
  type LabelSelector,
  type LabelSelectorObject,
} from "./label-selector.ts";
export { applyMergePatch, mergePatchBetween } from "./merge-patch.ts";
export { isDeleting } from "./is-deleting.ts";
export * from "./object.ts";
export { PatchFault } from "./patch-fault.ts";
export { parsePath, pathText, type Path } from "./path.ts";
export { ownField, setField, type MutableFields } from "./plain-object.ts";
export { freePatchSchema, patchSchemaOf, type PatchMeta, type PatchSchema } from "./patch-schema.ts";
export * from "./ref.ts";
export { statusTimeOf } from "./status-time.ts";
export { applyStrategicPatch } from "./strategic-patch.ts";
export { ageText, timeText } from "./time-text.ts";
