import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isSemanticallySame } from "../edit.ts";
import { quantityOf } from "../quantity.ts";
import { accessModeErrors } from "./claim.ts";
import { has, named, oneOf, optional, optionalOneOf, text } from "./check.ts";
import { atMostAll, intOrPercent } from "./int-or-percent.ts";
import { labelSelector, unchanged } from "./meta.ts";
import { dnsSubdomain, pathSegment } from "./names.ts";
import { positiveQuantity, quantityValue, resourceName } from "./resources.ts";

// Models pkg/apis/core/validation/validation.go ValidatePersistentVolumeSpec

export function persistentVolume(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const capacity = fieldsAt(spec, "capacity");
  const odd = capacity["storage"] === undefined || Object.keys(capacity).length > 1;
  return [
    ...(stringsAt(spec, "accessModes").length === 0 ? [required("spec.accessModes")] : []),
    ...accessModeErrors(spec, "spec"),
    ...(Object.keys(capacity).length === 0 ? [required("spec.capacity")] : []),
    ...(odd ? [notSupported("spec.capacity", Object.keys(capacity).length === 0 ? null : capacity, ["storage"])] : []),
    ...Object.entries(capacity).flatMap(([name, value]) => positiveQuantity(quantityOf(value), `spec.capacity[${name}]`)),
    ...optionalOneOf(spec, "persistentVolumeReclaimPolicy", "spec", ["Delete", "Recycle", "Retain"]),
    ...optional(spec, "storageClassName", "spec", dnsSubdomain),
    ...optionalOneOf(spec, "volumeMode", "spec", ["Block", "Filesystem"]),
  ];
}

/** Models pkg/apis/policy/validation/validation.go */
export function disruptionBudget(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const both = has(spec, "minAvailable") && has(spec, "maxUnavailable");
  const amounts = ["minAvailable", "maxUnavailable"].filter((name) => has(spec, name));
  return [
    ...(both ? [invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set")] : []),
    ...amounts.flatMap((name) => [...intOrPercent(spec[name], `spec.${name}`), ...atMostAll(spec[name], `spec.${name}`)]),
    ...labelSelector(spec["selector"], "spec.selector"),
    ...optionalOneOf(spec, "unhealthyPodEvictionPolicy", "spec", ["AlwaysAllow", "IfHealthyBudget"]),
  ];
}

/** Models pkg/apis/autoscaling/validation/validation.go */
export function autoscaler(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const [low, high] = [numberAt(spec, "minReplicas"), numberAt(spec, "maxReplicas", 0)];
  const target = fieldsAt(spec, "scaleTargetRef");
  return [
    ...(low !== undefined && low < 1 ? [invalid("spec.minReplicas", low, "must be greater than or equal to 1")] : []),
    ...(high < 1 ? [invalid("spec.maxReplicas", high, "must be greater than 0")] : []),
    ...(low !== undefined && high < low ? [invalid("spec.maxReplicas", high, "must be greater than or equal to `minReplicas`")] : []),
    ...named(target, "kind", "spec.scaleTargetRef", pathSegment),
    ...named(target, "name", "spec.scaleTargetRef", pathSegment),
    ...(text(target, "apiVersion").includes("/")
      ? []
      : [invalid("spec.scaleTargetRef.apiVersion", text(target, "apiVersion"), "apiVersion must specify API group")]),
  ];
}

// Models pkg/apis/rbac/validation/validation.go

const rbac = "rbac.authorization.k8s.io";

function policyVerbs(rule: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const urls = stringsAt(rule, "nonResourceURLs");
  const verbs = stringsAt(rule, "verbs").length === 0 ? [required(`${path}.verbs`, "verbs must contain at least one value")] : [];
  if (urls.length > 0) {
    const mixed = ["apiGroups", "resources", "resourceNames"].some((name) => stringsAt(rule, name).length > 0);
    return [
      ...verbs,
      ...(namespaced ? [invalid(`${path}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs")] : []),
      ...(mixed ? [invalid(`${path}.nonResourceURLs`, urls, "rules cannot apply to both regular resources and non-resource URLs")] : []),
    ];
  }
  return [
    ...verbs,
    ...(stringsAt(rule, "apiGroups").length === 0
      ? [required(`${path}.apiGroups`, "resource rules must supply at least one api group")]
      : []),
    ...(stringsAt(rule, "resources").length === 0
      ? [required(`${path}.resources`, "resource rules must supply at least one resource")]
      : []),
  ];
}

export function role(object: KubeObject): readonly FieldError[] {
  return listAt(object, "rules").flatMap((rule, index) => policyVerbs(rule, `rules[${index}]`, object.kind === "Role"));
}

function subject(fields: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const [kind, group] = [text(fields, "kind"), text(fields, "apiGroup")];
  const nameless = text(fields, "name") === "" ? [required(`${path}.name`)] : [];
  if (kind === "User" || kind === "Group")
    return [...nameless, ...(group === rbac ? [] : [notSupported(`${path}.apiGroup`, group, [rbac])])];
  if (kind !== "ServiceAccount") return [...nameless, notSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  return [
    ...nameless,
    ...optional(fields, "name", path, dnsSubdomain),
    ...(group === "" ? [] : [notSupported(`${path}.apiGroup`, group, [""])]),
    ...(!namespaced && text(fields, "namespace") === "" ? [required(`${path}.namespace`)] : []),
  ];
}

export function roleBinding(object: KubeObject): readonly FieldError[] {
  const ref = fieldsAt(object, "roleRef");
  const namespaced = object.kind === "RoleBinding";
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  return [
    ...(text(ref, "apiGroup") === rbac ? [] : [notSupported("roleRef.apiGroup", text(ref, "apiGroup"), [rbac])]),
    ...(kinds.includes(text(ref, "kind")) ? [] : [notSupported("roleRef.kind", text(ref, "kind"), kinds)]),
    ...named(ref, "name", "roleRef", pathSegment),
    ...listAt(object, "subjects").flatMap((fields, index) => subject(fields, `subjects[${index}]`, namespaced)),
  ];
}

export function roleBindingUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const ref = fieldsAt(object, "roleRef");
  // The server prints its internal type here, under Go's field names.
  const shown = { APIGroup: text(ref, "apiGroup"), Kind: text(ref, "kind"), Name: text(ref, "name") };
  return isSemanticallySame(ref, live["roleRef"]) ? [] : [invalid("roleRef", shown, "cannot change roleRef")];
}

/** Models pkg/apis/storage/validation/validation.go */
export function storageClass(object: KubeObject): readonly FieldError[] {
  const provisioner = stringAt(object, "provisioner", "");
  return [
    ...(provisioner === "" ? [required("provisioner")] : []),
    ...optionalOneOf(object, "reclaimPolicy", "", ["Delete", "Retain"]).map((error) => ({ ...error, field: "reclaimPolicy" })),
    ...oneOf(stringAt(object, "volumeBindingMode", ""), "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
  ];
}

export function storageClassUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const fixed = ["parameters", "provisioner", "reclaimPolicy"].filter((name) => !isSemanticallySame(object[name], live[name]));
  return [
    ...fixed.map((name) => forbidden(name, `updates to ${name} are forbidden.`)),
    ...unchanged(object["volumeBindingMode"], live["volumeBindingMode"], "volumeBindingMode"),
  ];
}

// Models pkg/apis/scheduling/validation/validation.go

const systemClasses: Readonly<Record<string, number>> = { "system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000 };

export function priorityClass(object: KubeObject): readonly FieldError[] {
  const { name } = object.metadata;
  const value = numberAt(object, "value", 0);
  const reserved = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
  const unknown = name.startsWith("system-") && systemClasses[name] !== value;
  return [
    ...(unknown ? [forbidden("metadata.name", reserved)] : []),
    ...(!name.startsWith("system-") && value > 1_000_000_000
      ? [forbidden("value", "maximum allowed value of a user defined priority is 1000000000")]
      : []),
    ...oneOf(stringAt(object, "preemptionPolicy", "PreemptLowerPriority"), "preemptionPolicy", ["PreemptLowerPriority", "Never"]),
  ];
}

export function priorityClassUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  return [
    ...(numberAt(object, "value", 0) === numberAt(live, "value", 0) ? [] : [forbidden("value", "may not be changed in an update.")]),
    ...unchanged(object["preemptionPolicy"], live["preemptionPolicy"], "preemptionPolicy"),
  ];
}

/** Models pkg/apis/core/validation/validation.go ValidateResourceQuotaSpec */
export function resourceQuota(object: KubeObject): readonly FieldError[] {
  return Object.entries(fieldsAt(object, "spec.hard")).flatMap(([name, value]) => {
    const path = `spec.hard[${name}]`;
    return [...resourceName(name, path), ...quantityValue(name, quantityOf(value), path)];
  });
}
