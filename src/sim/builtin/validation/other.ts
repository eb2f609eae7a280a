import { booleanAt, fieldsAt, listAt, mapAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { forbidden, invalid, notSupported, required, tooLong, type FieldError } from "../../field-error.ts";
import { isSemanticallySame } from "../edit.ts";
import { quantityOf } from "../quantity.ts";
import { accessModeErrors } from "./claim.ts";
import { each, has, named, oneOf, optional, optionalOneOf, portNumber, text, within } from "./check.ts";
import { checked, labelSelector, unchanged } from "./meta.ts";
import { configKey, dns1035Label, dnsSubdomain, pathSegment, portName, wildcardSubdomain } from "./names.ts";
import { positiveQuantity, quantityValue, resourceName } from "./resources.ts";
import { atMostAll, intOrPercent } from "./workload.ts";

const mostBytes = 1024 * 1024;
const locked = "field is immutable when `immutable` is set";

function keys(fields: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] {
  return Object.keys(fields).flatMap((key) => checked(configKey, `${path}[${key}]`, key));
}

function bytes(values: Readonly<Record<string, string>>, encoding: BufferEncoding): number {
  return Object.values(values).reduce((sum, value) => sum + Buffer.byteLength(value, encoding), 0);
}

/** Models pkg/apis/core/validation/validation.go ValidateConfigMap */
export function configMap(object: KubeObject): readonly FieldError[] {
  const [data, binary] = [mapAt(object, "data"), mapAt(object, "binaryData")];
  const both = Object.keys(data).filter((key) => binary[key] !== undefined);
  const large = bytes(data, "utf8") + bytes(binary, "base64") > mostBytes;
  return [
    ...keys(data, "data"),
    ...both.map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
    ...keys(binary, "binaryData"),
    ...(large ? [tooLong("", mostBytes)] : []),
  ];
}

function immutableData(object: KubeObject, live: KubeObject, names: readonly string[]): readonly FieldError[] {
  if (!booleanAt(live, "immutable")) return [];
  const changed = names.filter((name) => !isSemanticallySame(object[name], live[name]));
  return [...(booleanAt(object, "immutable") ? [] : [forbidden("immutable", locked)]), ...changed.map((name) => forbidden(name, locked))];
}

export function configMapUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  return [...immutableData(object, live, ["data", "binaryData"]), ...configMap(object)];
}

const neededKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

function secretType(secret: KubeObject): readonly FieldError[] {
  const type = stringAt(secret, "type", "");
  const data = mapAt(secret, "data");
  const account = "kubernetes.io/service-account.name";
  if (type === "kubernetes.io/service-account-token" && (mapAt(secret, "metadata.annotations")[account] ?? "") === "") {
    return [required(`metadata.annotations[${account}]`)];
  }
  if (type === "kubernetes.io/basic-auth") {
    const anonymous = data["username"] === undefined && data["password"] === undefined;
    return anonymous ? [required("data[username]"), required("data[password]")] : [];
  }
  return (neededKeys[type] ?? []).filter((key) => data[key] === undefined).map((key) => required(`data[${key}]`));
}

export function secret(object: KubeObject): readonly FieldError[] {
  const large = bytes(mapAt(object, "data"), "base64") > mostBytes;
  return [...keys(mapAt(object, "data"), "data"), ...(large ? [tooLong("data", mostBytes)] : []), ...secretType(object)];
}

export function secretUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  return [...unchanged(object["type"], live["type"], "type"), ...immutableData(object, live, ["data"]), ...secret(object)];
}

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

// Models pkg/apis/networking/validation/validation.go

function backend(fields: Fields, path: string): readonly FieldError[] {
  if (has(fields, "resource") && has(fields, "service")) return [invalid(path, "", "cannot set both resource and service backends")];
  if (has(fields, "resource")) return [];
  if (!has(fields, "service")) return [invalid(path, "", "resource or service backend is required")];
  const service = fieldsAt(fields, "service");
  const [name, number] = [stringAt(service, "port.name", ""), numberAt(service, "port.number", 0)];
  const owner = named(service, "name", `${path}.service`, dns1035Label);
  if (name !== "" && number !== 0) return [...owner, invalid(path, "", "cannot set both port name & port number")];
  if (name !== "") return [...owner, ...checked(portName, `${path}.service.port.name`, name)];
  return [...owner, ...(number === 0 ? [required(path, "port name or number is required")] : portNumber(number, `${path}.service.port.number`))];
}

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

function ingressPath(fields: Fields, path: string): readonly FieldError[] {
  if (!has(fields, "pathType")) return [required(`${path}.pathType`, "pathType must be specified")];
  const [type, target] = [text(fields, "pathType"), text(fields, "path")];
  const strict = type === "Exact" || type === "Prefix";
  const relative = !target.startsWith("/") && (strict || (type === "ImplementationSpecific" && target !== ""));
  const bad = strict && target !== "" ? ["//", "/./", "/../", "%2f", "%2F"].filter((part) => target.includes(part)) : [];
  const ends = strict && target !== "" ? ["/..", "/."].filter((part) => target.endsWith(part)) : [];
  return [
    ...(pathTypes.includes(type) ? [] : [notSupported(`${path}.pathType`, type, pathTypes)]),
    ...(relative ? [invalid(`${path}.path`, target, "must be an absolute path")] : []),
    ...bad.map((part) => invalid(`${path}.path`, target, `must not contain '${part}'`)),
    ...ends.map((part) => invalid(`${path}.path`, target, `cannot end with '${part}'`)),
    ...backend(fieldsAt(fields, "backend"), `${path}.backend`),
  ];
}

function ingressRule(rule: Fields, path: string): readonly FieldError[] {
  const host = text(rule, "host");
  const isAddress = /^(?:\d{1,3}\.){3}\d{1,3}$/.test(host);
  return [
    ...(isAddress ? [invalid(`${path}.host`, host, "must be a DNS name, not an IP address")] : []),
    ...(host === "" ? [] : checked(host.includes("*") ? wildcardSubdomain : dnsSubdomain, `${path}.host`, host)),
    ...within(rule, "http", path, (http, at) => (listAt(http, "paths").length === 0 ? [required(`${at}.paths`)] : each(http, "paths", at, ingressPath))),
  ];
}

export function ingress(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const empty = listAt(spec, "rules").length === 0 && !has(spec, "defaultBackend");
  return [
    ...(empty ? [invalid("spec", null, "either `defaultBackend` or `rules` must be specified")] : []),
    ...within(spec, "defaultBackend", "spec", backend),
    ...each(spec, "rules", "spec", ingressRule),
    ...optional(spec, "ingressClassName", "spec", dnsSubdomain),
  ];
}

function policyRule(rule: Fields, path: string, peers: string): readonly FieldError[] {
  const ports = each(rule, "ports", path, (port, at) => [
    ...optionalOneOf(port, "protocol", at, ["SCTP", "TCP", "UDP"]),
    ...(typeof port["port"] === "number" ? portNumber(port["port"], `${at}.port`) : optional(port, "port", at, portName)),
  ]);
  const sources = each(rule, peers, path, (peer, at) => [...within(peer, "podSelector", at, labelSelector), ...within(peer, "namespaceSelector", at, labelSelector), ...peerCount(peer, at)]);
  return [...ports, ...sources];
}

function peerCount(peer: Fields, path: string): readonly FieldError[] {
  const block = has(peer, "ipBlock");
  const selectors = has(peer, "podSelector") || has(peer, "namespaceSelector");
  if (!block && !selectors) return [required(path, "must specify a peer")];
  return block && selectors ? [forbidden(path, "may not specify both ipBlock and another peer")] : [];
}

export function networkPolicy(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const types = stringsAt(spec, "policyTypes");
  return [
    ...labelSelector(spec["podSelector"], "spec.podSelector"),
    ...each(spec, "ingress", "spec", (rule, at) => policyRule(rule, at, "from")),
    ...each(spec, "egress", "spec", (rule, at) => policyRule(rule, at, "to")),
    ...(types.length > 2 ? [invalid("spec.policyTypes", types, "may not specify more than two policyTypes")] : []),
    ...types.flatMap((type, index) => (["Ingress", "Egress"].includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, ["Egress", "Ingress"])])),
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
    ...(stringsAt(rule, "apiGroups").length === 0 ? [required(`${path}.apiGroups`, "resource rules must supply at least one api group")] : []),
    ...(stringsAt(rule, "resources").length === 0 ? [required(`${path}.resources`, "resource rules must supply at least one resource")] : []),
  ];
}

export function role(object: KubeObject): readonly FieldError[] {
  return listAt(object, "rules").flatMap((rule, index) => policyVerbs(rule, `rules[${index}]`, object.kind === "Role"));
}

function subject(fields: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const [kind, group] = [text(fields, "kind"), text(fields, "apiGroup")];
  const nameless = text(fields, "name") === "" ? [required(`${path}.name`)] : [];
  if (kind === "User" || kind === "Group") return [...nameless, ...(group === rbac ? [] : [notSupported(`${path}.apiGroup`, group, [rbac])])];
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
  return isSemanticallySame(object["roleRef"], live["roleRef"]) ? [] : [invalid("roleRef", object["roleRef"], "cannot change roleRef")];
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
    ...(!name.startsWith("system-") && value > 1_000_000_000 ? [forbidden("value", "maximum allowed value of a user defined priority is 1000000000")] : []),
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
