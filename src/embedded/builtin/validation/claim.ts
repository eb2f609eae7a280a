import { fieldsAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isSemanticallySame, without, withField } from "../edit.ts";
import { compare, quantityOf, unitsOf, type Quantity } from "../quantity.ts";
import { has, optional, optionalOneOf, present, text, within } from "./check.ts";
import { goDiff } from "./go-value.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate, immutable, labelSelector, unchanged } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";
import { positiveQuantity, quantityValue } from "./resources.ts";

// Models pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaim and its update

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** What is wrong with the access modes that are there. */
export function accessModeErrors(spec: Fields, path: string): readonly FieldError[] {
  const modes = stringsAt(spec, "accessModes");
  const unknown = modes.filter((mode) => !accessModes.includes(mode)).map((mode) => notSupported(`${path}.accessModes`, mode, accessModes));
  const alone = modes.includes("ReadWriteOncePod") && modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  return [...unknown, ...(alone ? [forbidden(`${path}.accessModes`, "may not use ReadWriteOncePod with other access modes")] : [])];
}

function storage(spec: Fields, path: string): readonly FieldError[] {
  const asked = fieldsAt(spec, "resources.requests")["storage"];
  const at = `${path}.resources[storage]`;
  if (asked === undefined) return [required(at)];
  const errors = positiveQuantity(quantityOf(asked), at);
  return errors.length > 0 ? errors : quantityValue("storage", quantityOf(asked), at);
}

function source(fields: Fields, path: string): readonly FieldError[] {
  const group = text(fields, "apiGroup");
  const kind = text(fields, "kind");
  const foreign = group === "" && kind !== "PersistentVolumeClaim";
  return [
    ...present(fields, "name", path),
    ...present(fields, "kind", path),
    ...(foreign ? [invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")] : []),
    ...optional(fields, "apiGroup", path, dnsSubdomain),
  ];
}

export function claimSpec(spec: Fields, path: string): readonly FieldError[] {
  const missing = stringsAt(spec, "accessModes").length === 0;
  return [
    ...(missing ? [required(`${path}.accessModes`, "at least 1 access mode is required")] : []),
    ...within(spec, "selector", path, labelSelector),
    ...accessModeErrors(spec, path),
    ...storage(spec, path),
    ...optional(spec, "storageClassName", path, dnsSubdomain),
    ...optionalOneOf(spec, "volumeMode", path, ["Block", "Filesystem"]),
    ...within(spec, "dataSource", path, source),
    ...within(spec, "dataSourceRef", path, source),
    ...optional(spec, "volumeAttributesClassName", path, dnsSubdomain),
  ];
}

const unchangeable = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** Whether a claim without a class is given one, as it may be once. */
function takesClass(claim: KubeObject, live: KubeObject): boolean {
  const before = fieldsAt(live, "spec");
  const spec = fieldsAt(claim, "spec");
  const annotated = live.metadata.annotations?.[classAnnotation];
  return (
    has(spec, "storageClassName") && !has(before, "storageClassName") && (annotated === undefined || annotated === spec["storageClassName"])
  );
}

/** The new spec with everything put back that a claim may change. */
function comparable(claim: KubeObject, live: KubeObject): Fields {
  const before = fieldsAt(live, "spec");
  const spec = takesClass(claim, live) ? without(fieldsAt(claim, "spec"), "storageClassName") : fieldsAt(claim, "spec");
  if (stringAt(claim, "status.phase") !== "Bound") return spec;
  const resources = fieldsAt(spec, "resources");
  const requests = has(resources, "requests") && {
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
    forbidden("spec.volumeAttributesClassName", `update to ${noun} is forbidden when status.currentVolumeAttributesClassName is not nil`),
  ];
}

function claimUpdate(claim: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, was] = [fieldsAt(claim, "spec"), fieldsAt(live, "spec")];
  const before = text(was, "volumeName") === "" ? withField(was, "volumeName", spec["volumeName"]) : was;
  const wanted = comparable(claim, live);
  const asked = storageOf(fieldsAt(spec, "resources.requests"));
  const shrinks = compare(asked, storageOf(fieldsAt(was, "resources.requests"))) < 0;
  const tooSmall = shrinks && compare(asked, storageOf(fieldsAt(live, "status.capacity"))) <= 0;
  const [note, noted] = [claim.metadata.annotations?.[classAnnotation] ?? "", live.metadata.annotations?.[classAnnotation] ?? ""];
  const same = isSemanticallySame(wanted, before);
  return [
    ...(note === noted ? [] : [invalid(`metadata.annotations.${classAnnotation}`, note, immutable)]),
    ...(same ? [] : [forbidden("spec", `${unchangeable}\n${goDiff(before, wanted, "core.PersistentVolumeClaimSpec")}`)]),
    ...(tooSmall ? [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")] : []),
    ...unchanged(spec["volumeMode"], was["volumeMode"], "volumeMode"),
    ...attributesClass(spec, was, live),
  ];
}

function claim(object: KubeObject): readonly FieldError[] {
  return [...coreMeta(object, { name: dnsSubdomain, namespaced: true }), ...claimSpec(fieldsAt(object, "spec"), "spec")];
}

function statusErrors(object: KubeObject): readonly FieldError[] {
  return Object.entries(fieldsAt(object, "status.capacity")).flatMap(([name, value]) => {
    const units = unitsOf(quantityOf(value));
    return units < 0n ? [invalid(`status.capacity[${name}]`, units, "must be a valid resource quantity")] : [];
  });
}

export const claimRules: KindRules = {
  create: claim,
  update: (object, live) => [...coreMetaUpdate(object, live), ...claim(object), ...claimUpdate(object, live)],
  status: (object, live) => [...coreMetaUpdate(object, live), ...statusErrors(object)],
};
