import { fieldsAt, isFields, listAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { forbidden, invalid, notSupported, required, tooLong, type FieldError } from "../../field-error.ts";
import { isSame, isSemanticallySame } from "../edit.ts";
import { quantityOf, unitsOf } from "../quantity.ts";
import { has, oneOf, optional, optionalOneOf, present, text, within } from "./check.ts";
import { accessModeErrors } from "./claim.ts";
import { asGo, goDiff } from "./go-value.ts";
import type { KindRules } from "./kind.ts";
import { checked, coreMeta, coreMetaUpdate, immutable, unchanged } from "./meta.ts";
import { dnsSubdomain, qualifiedName } from "./names.ts";
import { positiveQuantity } from "./resources.ts";
import { nodeSelector } from "./scheduling.ts";
import { noBacksteps } from "./path.ts";

// Models pkg/apis/core/validation/validation.go ValidatePersistentVolume and pkg/apis/storage/validation ValidateStorageClass

const meta = { name: dnsSubdomain, namespaced: false };

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
  const [first, ...others] = sources.filter((name) => has(spec, name));
  if (first === undefined) return [required("spec", "must specify a volume type")];
  return [
    ...within(spec, first, "spec", (source, at) => oneSource(first, source, at)),
    ...(first === "local" && !has(spec, "nodeAffinity") ? [required("spec.nodeAffinity", "Local volume requires node affinity")] : []),
    ...others.map((name) => forbidden(`spec.${name}`, "may not specify more than 1 volume type")),
  ];
}

/** The sources that are still in use; what was moved to drivers long ago is only counted. */
function oneSource(name: string, source: Fields, at: string): readonly FieldError[] {
  const path = text(source, "path");
  switch (name) {
    case "hostPath":
      return path === "" ? [required(`${at}.path`)] : [...noBacksteps(path, `${at}.path`)];
    case "local":
      return path === "" ? [required(`${at}.path`)] : noBacksteps(path, `${at}.path`);
    case "nfs":
      return [
        ...present(source, "server", at),
        ...present(source, "path", at),
        ...(path.startsWith("/") ? [] : [invalid(`${at}.path`, path, "must be an absolute path")]),
      ];
    case "csi":
      return [...present(source, "driver", at), ...present(source, "volumeHandle", at)];
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
    const broken = unitsOf(amount) < 0n ? [invalid(at, unitsOf(amount), "must be a valid resource quantity")] : [];
    return [...broken, ...positiveQuantity(amount, at)];
  });
  return [
    ...(names.length === 0 ? [required("spec.capacity")] : []),
    ...(odd
      ? [
          notSupported(
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
    /^\/*$/.test(text(fieldsAt(spec, "hostPath"), "path")) && has(spec, "hostPath") && text(fieldsAt(spec, "hostPath"), "path") !== "";
  const recycled = root && spec["persistentVolumeReclaimPolicy"] === "Recycle";
  return [
    ...coreMeta(object, meta),
    ...(stringsAt(spec, "accessModes").length === 0 ? [required("spec.accessModes")] : []),
    ...accessModeErrors(spec, "spec"),
    ...capacityErrors(spec),
    ...optionalOneOf(spec, "persistentVolumeReclaimPolicy", "spec", ["Delete", "Recycle", "Retain"]),
    ...within(spec, "nodeAffinity", "spec", (affinity, at) =>
      has(affinity, "required")
        ? within(affinity, "required", at, nodeSelector)
        : [required(`${at}.required`, "must specify required node constraints")],
    ),
    ...sourceErrors(spec),
    ...(recycled ? [forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")] : []),
    ...optional(spec, "storageClassName", "spec", dnsSubdomain),
    ...optionalOneOf(spec, "volumeMode", "spec", ["Block", "Filesystem"]),
  ];
}

const sourceOf = (spec: Fields): Fields => Object.fromEntries(sources.filter((name) => has(spec, name)).map((name) => [name, spec[name]]));

function volumeUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  const [after, was] = [sourceOf(spec), sourceOf(before)];
  const difference = isSemanticallySame(after, was) ? undefined : goDiff(was, after, "core.PersistentVolumeSource");
  const fixed = "spec.persistentvolumesource is immutable after creation";
  const moved = has(before, "nodeAffinity") && !isSemanticallySame(spec["nodeAffinity"], before["nodeAffinity"]);
  const shown = has(spec, "nodeAffinity") ? asGo(spec["nodeAffinity"], "core.VolumeNodeAffinity") : null;
  return [
    ...volume(object),
    ...volume(object),
    ...(difference === undefined ? [] : [forbidden("spec.persistentvolumesource", `${fixed}\n${difference}`)]),
    ...unchanged(spec["volumeMode"], before["volumeMode"], "volumeMode"),
    ...(moved ? [invalid("nodeAffinity", shown, `${immutable}, except for updating from beta label to GA`)] : []),
  ];
}

export const persistentVolumeRules: KindRules = { create: volume, update: volumeUpdate };

const most = { parameters: 512, bytes: 256 * 1024 };

function parameters(object: KubeObject): readonly FieldError[] {
  const entries = Object.entries(isFields(object["parameters"]) ? object["parameters"] : {});
  if (entries.length > most.parameters) return [tooLong("parameters", most.parameters)];
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)), 0);
  return [
    ...entries.filter(([key]) => key === "").map(([key]) => invalid("parameters", key, "field can not be empty.")),
    ...(bytes > most.bytes ? [tooLong("parameters", most.bytes)] : []),
  ];
}

function topologies(object: KubeObject): readonly FieldError[] {
  return listAt(object, "allowedTopologies").flatMap((term, index) =>
    listAt(term, "matchLabelExpressions").flatMap((expression, item) => {
      const at = `allowedTopologies[${index}].matchLabelExpressions[${item}]`;
      return [
        ...checked(qualifiedName, `${at}.key`, text(expression, "key")),
        ...(stringsAt(expression, "values").length === 0 ? [required(`${at}.values`)] : []),
      ];
    }),
  );
}

function storageClass(object: KubeObject): readonly FieldError[] {
  const provisioner = text(object, "provisioner");
  const policy = text(object, "reclaimPolicy");
  return [
    ...coreMeta(object, meta),
    ...(provisioner === "" ? [required("provisioner")] : checked(qualifiedName, "provisioner", provisioner.toLowerCase())),
    ...parameters(object),
    ...(policy === "" || ["Delete", "Retain"].includes(policy) ? [] : [notSupported("reclaimPolicy", policy, ["Delete", "Retain"])]),
    ...oneOf(text(object, "volumeBindingMode"), "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
    ...topologies(object),
  ];
}

export const storageClassRules: KindRules = {
  create: storageClass,
  update: (object, live) => {
    const fixed = ["parameters", "provisioner", "reclaimPolicy"].filter((name) => !isSame(object[name], live[name]));
    return [
      ...storageClass(object),
      ...coreMetaUpdate(object, live),
      ...fixed.map((name) => forbidden(name, `updates to ${name} are forbidden.`)),
      ...unchanged(object["volumeBindingMode"], live["volumeBindingMode"], "volumeBindingMode"),
    ];
  },
};
