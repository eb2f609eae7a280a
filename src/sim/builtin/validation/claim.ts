import { fieldsAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isSemanticallySame, without, withField } from "../edit.ts";
import { compare, quantityOf, type Quantity } from "../quantity.ts";
import { has, optional, optionalOneOf, present, text, within } from "./check.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate, labelSelector, unchanged } from "./meta.ts";
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

/** The new spec with everything put back that a claim may change. */
function comparable(spec: Fields, live: KubeObject): Fields {
  const before = fieldsAt(live, "spec");
  const named = text(before, "volumeName") === "" ? without(spec, "volumeName") : spec;
  const classed = has(before, "storageClassName") ? named : without(named, "storageClassName");
  if (stringAt(live, "status.phase") !== "Bound") return classed;
  const resources = fieldsAt(classed, "resources");
  const requests = { ...fieldsAt(resources, "requests"), storage: fieldsAt(before, "resources.requests")["storage"] };
  return withField({ ...classed, resources: { ...resources, requests } }, "volumeAttributesClassName", before["volumeAttributesClassName"]);
}

function storageOf(fields: Fields): Quantity {
  return quantityOf(fields["storage"]);
}

/** The server ends the first reason with a listing of differences between its internal types; that is left out. */
export function claimUpdate(claim: KubeObject, live: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(claim, "spec");
  const before = fieldsAt(live, "spec");
  const wanted = comparable(spec, live);
  const known = text(before, "volumeName") === "" ? without(before, "volumeName") : before;
  const asked = storageOf(fieldsAt(spec, "resources.requests"));
  const shrinks = compare(asked, storageOf(fieldsAt(before, "resources.requests"))) < 0;
  const tooSmall = shrinks && compare(asked, storageOf(fieldsAt(live, "status.capacity"))) <= 0;
  return [
    ...(isSemanticallySame(wanted, known) ? [] : [forbidden("spec", unchangeable)]),
    ...(tooSmall ? [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")] : []),
    ...unchanged(spec["volumeMode"], before["volumeMode"], "volumeMode"),
  ];
}

export const claimRules: KindRules = {
  create: (claim) => [...coreMeta(claim, { name: dnsSubdomain, namespaced: true }), ...claimSpec(fieldsAt(claim, "spec"), "spec")],
  update: (claim, live) => [...coreMetaUpdate(claim, live), ...claimSpec(fieldsAt(claim, "spec"), "spec"), ...claimUpdate(claim, live)],
};
