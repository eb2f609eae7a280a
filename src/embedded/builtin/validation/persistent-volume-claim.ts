import { fieldsAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { isSemanticDeepEqual, withoutFields, withField } from "../field-edits.ts";
import { compareQuantities, quantityOf, unitsOf, type Quantity } from "../quantity.ts";
import { hasField, checkOptional, checkOptionalOneOf, checkPresent, stringField, checkNestedObject } from "./field-checks.ts";
import { goDiff } from "./go-value.ts";
import type { KindRules } from "./kind-rules.ts";
import {
  validateCoreObjectMeta,
  validateCoreObjectMetaUpdate,
  immutable,
  validateLabelSelector,
  validateImmutableField,
} from "./object-meta.ts";
import { checkDnsSubdomain } from "./name-formats.ts";
import { validatePositiveQuantity, validateResourceQuantity } from "./resource-requirements.ts";

// Models pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaim and its update

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Validates the given access modes. */
export function accessModeErrors(spec: Fields, path: string): readonly FieldError[] {
  const modes = stringsAt(spec, "accessModes");
  const unknown = modes
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => fieldNotSupported(`${path}.accessModes`, mode, accessModes));
  const alone = modes.includes("ReadWriteOncePod") && modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  return [...unknown, ...(alone ? [fieldForbidden(`${path}.accessModes`, "may not use ReadWriteOncePod with other access modes")] : [])];
}

function storage(spec: Fields, path: string): readonly FieldError[] {
  const asked = fieldsAt(spec, "resources.requests")["storage"];
  const at = `${path}.resources[storage]`;
  if (asked === undefined) return [fieldRequired(at)];
  const errors = validatePositiveQuantity(quantityOf(asked), at);
  return errors.length > 0 ? errors : validateResourceQuantity("storage", quantityOf(asked), at);
}

function source(fields: Fields, path: string): readonly FieldError[] {
  const group = stringField(fields, "apiGroup");
  const kind = stringField(fields, "kind");
  const foreign = group === "" && kind !== "PersistentVolumeClaim";
  return [
    ...checkPresent(fields, "name", path),
    ...checkPresent(fields, "kind", path),
    ...(foreign ? [fieldInvalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")] : []),
    ...checkOptional(fields, "apiGroup", path, checkDnsSubdomain),
  ];
}

export function validatePersistentVolumeClaimSpec(spec: Fields, path: string): readonly FieldError[] {
  const missing = stringsAt(spec, "accessModes").length === 0;
  return [
    ...(missing ? [fieldRequired(`${path}.accessModes`, "at least 1 access mode is required")] : []),
    ...checkNestedObject(spec, "selector", path, validateLabelSelector),
    ...accessModeErrors(spec, path),
    ...storage(spec, path),
    ...checkOptional(spec, "storageClassName", path, checkDnsSubdomain),
    ...checkOptionalOneOf(spec, "volumeMode", path, ["Block", "Filesystem"]),
    ...checkNestedObject(spec, "dataSource", path, source),
    ...checkNestedObject(spec, "dataSourceRef", path, source),
    ...checkOptional(spec, "volumeAttributesClassName", path, checkDnsSubdomain),
  ];
}

const unchangeable = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** Whether a claim without a storage class gets one, which is allowed once. */
function takesClass(claim: KubeObject, live: KubeObject): boolean {
  const before = fieldsAt(live, "spec");
  const spec = fieldsAt(claim, "spec");
  const annotated = live.metadata.annotations?.[classAnnotation];
  return (
    hasField(spec, "storageClassName") &&
    !hasField(before, "storageClassName") &&
    (annotated === undefined || annotated === spec["storageClassName"])
  );
}

/** The new spec with all mutable fields reset to their live values. */
function comparable(claim: KubeObject, live: KubeObject): Fields {
  const before = fieldsAt(live, "spec");
  const spec = takesClass(claim, live) ? withoutFields(fieldsAt(claim, "spec"), "storageClassName") : fieldsAt(claim, "spec");
  if (stringAt(claim, "status.phase") !== "Bound") return spec;
  const resources = fieldsAt(spec, "resources");
  const requests = hasField(resources, "requests") && {
    requests: withField(fieldsAt(resources, "requests"), "storage", fieldsAt(before, "resources.requests")["storage"]),
  };
  return withField({ ...spec, resources: { ...resources, ...requests } }, "volumeAttributesClassName", before["volumeAttributesClassName"]);
}

function storageOf(fields: Fields): Quantity {
  return quantityOf(fields["storage"]);
}

function attributesClass(spec: Fields, before: Fields, live: KubeObject): readonly FieldError[] {
  const [name, was] = [stringAt(spec, "volumeAttributesClassName"), stringAt(before, "volumeAttributesClassName")];
  if (name === was || stringAt(live, "status.currentVolumeAttributesClassName") === undefined || (name ?? "") !== "") return [];
  const noun = name === undefined ? "nil" : "empty string";
  return [
    fieldForbidden(
      "spec.volumeAttributesClassName",
      `update to ${noun} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ];
}

function claimUpdate(claim: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, was] = [fieldsAt(claim, "spec"), fieldsAt(live, "spec")];
  const before = stringField(was, "volumeName") === "" ? withField(was, "volumeName", spec["volumeName"]) : was;
  const wanted = comparable(claim, live);
  const asked = storageOf(fieldsAt(spec, "resources.requests"));
  const shrinks = compareQuantities(asked, storageOf(fieldsAt(was, "resources.requests"))) < 0;
  const tooSmall = shrinks && compareQuantities(asked, storageOf(fieldsAt(live, "status.capacity"))) <= 0;
  const [note, noted] = [claim.metadata.annotations?.[classAnnotation] ?? "", live.metadata.annotations?.[classAnnotation] ?? ""];
  const same = isSemanticDeepEqual(wanted, before);
  return [
    ...(note === noted ? [] : [fieldInvalid(`metadata.annotations.${classAnnotation}`, note, immutable)]),
    ...(same ? [] : [fieldForbidden("spec", `${unchangeable}\n${goDiff(before, wanted, "core.PersistentVolumeClaimSpec")}`)]),
    ...(tooSmall ? [fieldForbidden("spec.resources.requests.storage", "field can not be less than status.capacity")] : []),
    ...validateImmutableField(spec["volumeMode"], was["volumeMode"], "volumeMode"),
    ...attributesClass(spec, was, live),
  ];
}

function claim(object: KubeObject): readonly FieldError[] {
  return [
    ...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: true }),
    ...validatePersistentVolumeClaimSpec(fieldsAt(object, "spec"), "spec"),
  ];
}

function statusErrors(object: KubeObject): readonly FieldError[] {
  return Object.entries(fieldsAt(object, "status.capacity")).flatMap(([name, value]) => {
    const units = unitsOf(quantityOf(value));
    return units < 0n ? [fieldInvalid(`status.capacity[${name}]`, units, "must be a valid resource quantity")] : [];
  });
}

export const claimRules: KindRules = {
  create: claim,
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...claim(object), ...claimUpdate(object, live)],
  status: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...statusErrors(object)],
};
