import { listAt, mapAt, stringAt, stringsAt, type Fields, type KubeObject, type OwnerReference } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldRequired, fieldTooLong, type FieldError } from "../../field-error.ts";
import { isSemanticDeepEqual } from "../field-edits.ts";
import { asPrefix, checkDnsLabel, checkLabelValue, checkQualifiedName, type StringFormatCheck } from "./name-formats.ts";

// Models apimachinery pkg/api/validation/objectmeta.go

export const immutable = "field is immutable";
export const notNegative = "must be greater than or equal to 0";

/** One error for each message of `check`. */
export function formatErrors(check: StringFormatCheck, field: string, value: string): readonly FieldError[] {
  return check(value).map((problem) => fieldInvalid(field, value, problem));
}

export function validateLabels(values: Readonly<Record<string, string>>, field: string): readonly FieldError[] {
  return Object.entries(values).flatMap(([key, value]) => [
    ...formatErrors(checkQualifiedName, field, key),
    ...formatErrors(checkLabelValue, field, value),
  ]);
}

const mostAnnotationBytes = 256 * 1024;

export function validateAnnotations(values: Readonly<Record<string, string>>, field: string): readonly FieldError[] {
  const keys = Object.keys(values).flatMap((key) =>
    checkQualifiedName(key.toLowerCase()).map((problem) => fieldInvalid(field, key, problem)),
  );
  const bytes = Object.entries(values).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return bytes > mostAnnotationBytes ? [...keys, fieldTooLong(field, mostAnnotationBytes)] : keys;
}

function ownerReference(reference: OwnerReference, field: string): readonly FieldError[] {
  const slash = reference.apiVersion?.indexOf("/") ?? -1;
  const version = (reference.apiVersion ?? "").slice(slash + 1);
  const parts: readonly (readonly [string, string | undefined])[] = [
    ["kind", reference.kind],
    ["name", reference.name],
    ["uid", reference.uid],
  ];
  const empty = parts
    .filter(([, value]) => (value ?? "") === "")
    .map(([name]) => fieldInvalid(`${field}.${name}`, "", "must not be empty"));
  const banned = reference.apiVersion === "v1" && reference.kind === "Event";
  return [
    ...(version === "" ? [fieldInvalid(`${field}.apiVersion`, reference.apiVersion ?? "", "version must not be empty")] : []),
    ...empty,
    ...(banned ? [fieldInvalid(field, reference, "/v1, Kind=Event is disallowed from being an owner")] : []),
  ];
}

function validateOwnerReferences(references: readonly OwnerReference[], field: string): readonly FieldError[] {
  const each = references.flatMap((reference) => ownerReference(reference, field));
  const controllers = references.filter((reference) => reference.controller === true).map(({ kind, name }) => `${kind}/${name}`);
  const doubled = controllers
    .slice(1)
    .map((second) =>
      fieldInvalid(
        field,
        references,
        `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]} and ${second}`,
      ),
    );
  return [...each, ...doubled];
}

export function validateFinalizers(names: readonly string[], field: string): readonly FieldError[] {
  const each = names.flatMap((name) => formatErrors(checkQualifiedName, field, name));
  if (!names.includes("orphan") || !names.includes("foregroundDeletion")) return each;
  return [...each, fieldInvalid(field, names, "finalizer orphan and foregroundDeletion cannot be both set")];
}

export type MetaRules = { readonly name: StringFormatCheck; readonly namespaced: boolean };

function nameErrors(metadata: Fields, check: StringFormatCheck, field: string): readonly FieldError[] {
  const name = stringAt(metadata, "name", "");
  const prefix = stringAt(metadata, "generateName", "");
  const prefixed = prefix === "" ? [] : formatErrors(asPrefix(check), `${field}.generateName`, prefix);
  const own =
    name === "" ? [fieldRequired(`${field}.name`, "name or generateName is required")] : formatErrors(check, `${field}.name`, name);
  return [...prefixed, ...own];
}

function namespaceErrors(namespace: string, namespaced: boolean, field: string): readonly FieldError[] {
  if (!namespaced) return namespace === "" ? [] : [fieldForbidden(`${field}.namespace`, "not allowed on this type")];
  return namespace === "" ? [fieldRequired(`${field}.namespace`)] : formatErrors(checkDnsLabel, `${field}.namespace`, namespace);
}

/** Models ValidateObjectMeta: an object that is being created. */
export function validateObjectMeta(object: KubeObject, rules: MetaRules, field = "metadata"): readonly FieldError[] {
  const { metadata } = object;
  const generation = metadata.generation ?? 0;
  return [
    ...nameErrors(metadata, rules.name, field),
    ...namespaceErrors(metadata.namespace ?? "", rules.namespaced, field),
    ...(generation < 0 ? [fieldInvalid(`${field}.generation`, generation, notNegative)] : []),
    ...validateLabels(mapAt(metadata, "labels"), `${field}.labels`),
    ...validateAnnotations(mapAt(metadata, "annotations"), `${field}.annotations`),
    ...validateOwnerReferences(metadata.ownerReferences ?? [], `${field}.ownerReferences`),
    ...validateFinalizers(metadata.finalizers ?? [], `${field}.finalizers`),
  ];
}

const unchangeable = ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"];

/** Reports a change of an immutable field. */
export function validateImmutableField(value: unknown, live: unknown, field: string): readonly FieldError[] {
  return isSemanticDeepEqual(value, live) ? [] : [fieldInvalid(field, value, immutable)];
}

/** Models ValidateObjectMetaUpdate: an object that is being changed. */
export function validateObjectMetaUpdate(object: KubeObject, live: KubeObject, field = "metadata"): readonly FieldError[] {
  const metadata: Fields = object.metadata;
  const before: Fields = live.metadata;
  const generation = object.metadata.generation ?? 0;
  return [
    ...(before["deletionTimestamp"] === undefined ? [] : newFinalizers(metadata, before, field)),
    ...(stringAt(metadata, "resourceVersion", "") === ""
      ? [fieldInvalid(`${field}.resourceVersion`, "", "must be specified for an update")]
      : []),
    ...(generation < (live.metadata.generation ?? 0) ? [fieldInvalid(`${field}.generation`, generation, "must not be decremented")] : []),
    ...unchangeable.flatMap((name) => validateImmutableField(metadata[name], before[name], `${field}.${name}`)),
    ...validateLabels(mapAt(metadata, "labels"), `${field}.labels`),
    ...validateAnnotations(mapAt(metadata, "annotations"), `${field}.annotations`),
    ...validateOwnerReferences(object.metadata.ownerReferences ?? [], `${field}.ownerReferences`),
  ];
}

function newFinalizers(metadata: Fields, before: Fields, field: string): readonly FieldError[] {
  const kept = new Set(stringsAt(before, "finalizers"));
  const extra = [...new Set(stringsAt(metadata, "finalizers").filter((name) => !kept.has(name)))].toSorted();
  if (extra.length === 0) return [];
  const list = extra.map((name) => JSON.stringify(name)).join(", ");
  return [
    fieldForbidden(
      `${field}.finalizers`,
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
}

const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

function kubeFinalizers({ metadata }: KubeObject, field: string): readonly FieldError[] {
  return (metadata.finalizers ?? []).flatMap((name, index) =>
    name.includes("/") || standardFinalizers.has(name)
      ? []
      : [fieldInvalid(`${field}.finalizers[${index}]`, name, "name is neither a standard finalizer name nor is it fully qualified")],
  );
}

/** Models pkg/apis/core/validation ValidateObjectMeta: finalizers of built-in kinds must be qualified names. */
export function validateCoreObjectMeta(object: KubeObject, rules: MetaRules, field = "metadata"): readonly FieldError[] {
  return [...validateObjectMeta(object, rules, field), ...kubeFinalizers(object, field)];
}

/** Models pkg/apis/core/validation ValidateObjectMetaUpdate */
export function validateCoreObjectMetaUpdate(object: KubeObject, live: KubeObject, field = "metadata"): readonly FieldError[] {
  return [...validateObjectMetaUpdate(object, live, field), ...kubeFinalizers(object, field)];
}

/** Models metav1 validation ValidateLabelSelector */
export function validateLabelSelector(selector: unknown, field: string): readonly FieldError[] {
  const expressions = listAt(selector, "matchExpressions");
  return [
    ...validateLabels(mapAt(selector, "matchLabels"), `${field}.matchLabels`),
    ...expressions.flatMap((item, index) => selectorRequirement(item, `${field}.matchExpressions[${index}]`)),
  ];
}

function selectorRequirement(requirement: Fields, field: string): readonly FieldError[] {
  const operator = stringAt(requirement, "operator", "");
  const values = stringsAt(requirement, "values");
  return [
    ...operatorErrors(operator, values, field),
    ...formatErrors(checkQualifiedName, `${field}.key`, stringAt(requirement, "key", "")),
    ...values.flatMap((value, index) => formatErrors(checkLabelValue, `${field}.values[${index}]`, value)),
  ];
}

function operatorErrors(operator: string, values: readonly string[], field: string): readonly FieldError[] {
  if (operator === "In" || operator === "NotIn") {
    return values.length > 0 ? [] : [fieldRequired(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    return values.length === 0
      ? []
      : [fieldForbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  return [fieldInvalid(`${field}.operator`, operator, "not a valid selector operator")];
}
