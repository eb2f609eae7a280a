import { fieldsAt, isFields, listAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, fieldTooLong, type FieldError } from "../../field-error.ts";
import { isDeepEqual, isSemanticDeepEqual } from "../field-edits.ts";
import { quantityOf, unitsOf } from "../quantity.ts";
import { hasField, checkOneOf, checkOptional, checkOptionalOneOf, checkPresent, stringField, checkNestedObject } from "./field-checks.ts";
import { accessModeErrors } from "./persistent-volume-claim.ts";
import { asGo, goDiff } from "./go-value.ts";
import type { KindRules } from "./kind-rules.ts";
import { formatErrors, validateCoreObjectMeta, validateCoreObjectMetaUpdate, immutable, validateImmutableField } from "./object-meta.ts";
import { checkDnsSubdomain, checkQualifiedName } from "./name-formats.ts";
import { validatePositiveQuantity } from "./resource-requirements.ts";
import { validateNodeSelector } from "./scheduling.ts";
import { validatePathNoBacksteps } from "./volume-path.ts";

// Models pkg/apis/core/validation/validation.go ValidatePersistentVolume and pkg/apis/storage/validation ValidateStorageClass

const meta = { name: checkDnsSubdomain, namespaced: false };

const sources = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
];

function sourceErrors(spec: Fields): readonly FieldError[] {
  const [first, ...others] = sources.filter((name) => hasField(spec, name));
  if (first === undefined) return [fieldRequired("spec", "must specify a volume type")];
  return [
    ...checkNestedObject(spec, first, "spec", (source, at) => oneSource(first, source, at)),
    ...(first === "local" && !hasField(spec, "nodeAffinity")
      ? [fieldRequired("spec.nodeAffinity", "Local volume requires node affinity")]
      : []),
    ...others.map((name) => fieldForbidden(`spec.${name}`, "may not specify more than 1 volume type")),
  ];
}

/** Validates the sources that are still in use; those that moved to CSI drivers are only counted. */
function oneSource(name: string, source: Fields, at: string): readonly FieldError[] {
  const path = stringField(source, "path");
  switch (name) {
    case "hostPath":
      return path === "" ? [fieldRequired(`${at}.path`)] : [...validatePathNoBacksteps(path, `${at}.path`)];
    case "local":
      return path === "" ? [fieldRequired(`${at}.path`)] : validatePathNoBacksteps(path, `${at}.path`);
    case "nfs":
      return [
        ...checkPresent(source, "server", at),
        ...checkPresent(source, "path", at),
        ...(path.startsWith("/") ? [] : [fieldInvalid(`${at}.path`, path, "must be an absolute path")]),
      ];
    case "csi":
      return [...checkPresent(source, "driver", at), ...checkPresent(source, "volumeHandle", at)];
    default:
      return [];
  }
}

function capacityErrors(spec: Fields): readonly FieldError[] {
  const capacity = fieldsAt(spec, "capacity");
  const names = Object.keys(capacity);
  const odd = capacity["storage"] === undefined || names.length > 1;
  const each = Object.entries(capacity).flatMap(([name, value]) => {
    const at = `spec.capacity[${name}]`;
    const amount = quantityOf(value);
    const broken = unitsOf(amount) < 0n ? [fieldInvalid(at, unitsOf(amount), "must be a valid resource quantity")] : [];
    return [...broken, ...validatePositiveQuantity(amount, at)];
  });
  return [
    ...(names.length === 0 ? [fieldRequired("spec.capacity")] : []),
    ...(odd
      ? [
          fieldNotSupported(
            "spec.capacity",
            names.length === 0 ? null : Object.fromEntries(Object.entries(capacity).toSorted(([a], [b]) => (a < b ? -1 : 1))),
            ["storage"],
          ),
        ]
      : []),
    ...each,
  ];
}

function volume(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const root =
    /^\/*$/.test(stringField(fieldsAt(spec, "hostPath"), "path")) &&
    hasField(spec, "hostPath") &&
    stringField(fieldsAt(spec, "hostPath"), "path") !== "";
  const recycled = root && spec["persistentVolumeReclaimPolicy"] === "Recycle";
  return [
    ...validateCoreObjectMeta(object, meta),
    ...(stringsAt(spec, "accessModes").length === 0 ? [fieldRequired("spec.accessModes")] : []),
    ...accessModeErrors(spec, "spec"),
    ...capacityErrors(spec),
    ...checkOptionalOneOf(spec, "persistentVolumeReclaimPolicy", "spec", ["Delete", "Recycle", "Retain"]),
    ...checkNestedObject(spec, "nodeAffinity", "spec", (affinity, at) =>
      hasField(affinity, "required")
        ? checkNestedObject(affinity, "required", at, validateNodeSelector)
        : [fieldRequired(`${at}.required`, "must specify required node constraints")],
    ),
    ...sourceErrors(spec),
    ...(recycled ? [fieldForbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")] : []),
    ...checkOptional(spec, "storageClassName", "spec", checkDnsSubdomain),
    ...checkOptionalOneOf(spec, "volumeMode", "spec", ["Block", "Filesystem"]),
  ];
}

const sourceOf = (spec: Fields): Fields =>
  Object.fromEntries(sources.filter((name) => hasField(spec, name)).map((name) => [name, spec[name]]));

function volumeUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  const [after, was] = [sourceOf(spec), sourceOf(before)];
  const difference = isSemanticDeepEqual(after, was) ? undefined : goDiff(was, after, "core.PersistentVolumeSource");
  const fixed = "spec.persistentvolumesource is immutable after creation";
  const moved = hasField(before, "nodeAffinity") && !isSemanticDeepEqual(spec["nodeAffinity"], before["nodeAffinity"]);
  const shown = hasField(spec, "nodeAffinity") ? asGo(spec["nodeAffinity"], "core.VolumeNodeAffinity") : null;
  return [
    ...volume(object),
    ...volume(object),
    ...(difference === undefined ? [] : [fieldForbidden("spec.persistentvolumesource", `${fixed}\n${difference}`)]),
    ...validateImmutableField(spec["volumeMode"], before["volumeMode"], "volumeMode"),
    ...(moved ? [fieldInvalid("nodeAffinity", shown, `${immutable}, except for updating from beta label to GA`)] : []),
  ];
}

export const persistentVolumeRules: KindRules = { create: volume, update: volumeUpdate };

const most = { parameters: 512, bytes: 256 * 1024 };

function parameters(object: KubeObject): readonly FieldError[] {
  const entries = Object.entries(isFields(object["parameters"]) ? object["parameters"] : {});
  if (entries.length > most.parameters) return [fieldTooLong("parameters", most.parameters)];
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)), 0);
  return [
    ...entries.filter(([key]) => key === "").map(([key]) => fieldInvalid("parameters", key, "field can not be empty.")),
    ...(bytes > most.bytes ? [fieldTooLong("parameters", most.bytes)] : []),
  ];
}

function topologies(object: KubeObject): readonly FieldError[] {
  return listAt(object, "allowedTopologies").flatMap((term, index) =>
    listAt(term, "matchLabelExpressions").flatMap((expression, item) => {
      const at = `allowedTopologies[${index}].matchLabelExpressions[${item}]`;
      return [
        ...formatErrors(checkQualifiedName, `${at}.key`, stringField(expression, "key")),
        ...(stringsAt(expression, "values").length === 0 ? [fieldRequired(`${at}.values`)] : []),
      ];
    }),
  );
}

function storageClass(object: KubeObject): readonly FieldError[] {
  const provisioner = stringField(object, "provisioner");
  const policy = stringField(object, "reclaimPolicy");
  return [
    ...validateCoreObjectMeta(object, meta),
    ...(provisioner === "" ? [fieldRequired("provisioner")] : formatErrors(checkQualifiedName, "provisioner", provisioner.toLowerCase())),
    ...parameters(object),
    ...(policy === "" || ["Delete", "Retain"].includes(policy) ? [] : [fieldNotSupported("reclaimPolicy", policy, ["Delete", "Retain"])]),
    ...checkOneOf(stringField(object, "volumeBindingMode"), "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
    ...topologies(object),
  ];
}

export const storageClassRules: KindRules = {
  create: storageClass,
  update: (object, live) => {
    const fixed = ["parameters", "provisioner", "reclaimPolicy"].filter((name) => !isDeepEqual(object[name], live[name]));
    return [
      ...storageClass(object),
      ...validateCoreObjectMetaUpdate(object, live),
      ...fixed.map((name) => fieldForbidden(name, `updates to ${name} are forbidden.`)),
      ...validateImmutableField(object["volumeBindingMode"], live["volumeBindingMode"], "volumeBindingMode"),
    ];
  },
};
