import { fieldsAt, listAt, mapAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldDuplicate, fieldForbidden, fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { isExternallyAccessible } from "../defaulting/service.ts";
import { needsHealthCheckPort } from "../prepare/service.ts";
import {
  checkEach,
  hasField,
  checkOneOf,
  checkOptional,
  checkOptionalOneOf,
  checkPortNumber,
  checkPortNumberOrName,
  stringField,
} from "./field-checks.ts";
import { ipAddressErrors, cidrErrors, endpointIpErrors } from "./ip.ts";
import type { KindRules } from "./kind-rules.ts";
import { validateLoadBalancerStatus } from "./load-balancer-status.ts";
import { formatErrors, validateCoreObjectMeta, validateCoreObjectMetaUpdate, validateLabels } from "./object-meta.ts";
import { checkDns1035Label, checkDnsLabel, checkDnsSubdomain, checkQualifiedName } from "./name-formats.ts";
import { validateAddressFamilies, validateClusterIpUpdate, validateIpFamilyUpdate, isHeadlessSpec } from "./service-address.ts";

// Models pkg/apis/core/validation/validation.go validateService and what it calls

const protocols = ["SCTP", "TCP", "UDP"];
const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";
const typeOf = (spec: Fields): string => stringField(spec, "type");

function topologyHints({ metadata }: KubeObject): readonly FieldError[] {
  const hints = metadata.annotations?.["service.kubernetes.io/topology-aware-hints"];
  const mode = metadata.annotations?.["service.kubernetes.io/topology-mode"];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  const at = "metadata.annotations[service.kubernetes.io/topology-mode]";
  return [fieldInvalid(at, mode, "must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified")];
}

function typeErrors(spec: Fields): readonly FieldError[] {
  const type = typeOf(spec);
  const bare = listAt(spec, "ports").length === 0 && !isHeadlessSpec(spec) && type !== "ExternalName" ? [fieldRequired("spec.ports")] : [];
  if (type === "ExternalName") return [...bare, ...externalName(spec)];
  const balanced = type === "LoadBalancer" || type === "NodePort";
  return balanced && isHeadlessSpec(spec)
    ? [...bare, fieldInvalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)]
    : bare;
}

function externalName(spec: Fields): readonly FieldError[] {
  const name = stringField(spec, "externalName").replace(/\.$/, "");
  const unwanted = ["clusterIPs", "ipFamilies"].filter((field) => stringsAt(spec, field).length > 0);
  return [
    ...[...unwanted, ...(hasField(spec, "ipFamilyPolicy") ? ["ipFamilyPolicy"] : [])].map((field) =>
      fieldForbidden(`spec.${field}`, "may not be set for ExternalName services"),
    ),
    ...(name === "" ? [fieldRequired("spec.externalName")] : formatErrors(checkDnsSubdomain, "spec.externalName", name)),
  ];
}

function portErrors(spec: Fields): readonly FieldError[] {
  const names = new Set<string>();
  const several = listAt(spec, "ports").length > 1;
  return checkEach(spec, "ports", "spec", (port, path) => {
    const name = stringField(port, "name");
    const twice = name !== "" && names.has(name);
    names.add(name);
    return [
      ...(several && name === "" ? [fieldRequired(`${path}.name`)] : checkOptional(port, "name", path, checkDnsLabel)),
      ...(twice ? [fieldDuplicate(`${path}.name`, name)] : []),
      ...checkPortNumber(numberAt(port, "port", 0), `${path}.port`),
      ...checkOneOf(stringField(port, "protocol"), `${path}.protocol`, protocols),
      ...checkPortNumberOrName(port["targetPort"], `${path}.targetPort`),
      ...(hasField(port, "appProtocol") ? formatErrors(checkQualifiedName, `${path}.appProtocol`, stringField(port, "appProtocol")) : []),
    ];
  });
}

const longestAffinity = 86_400;

function affinity(spec: Fields): readonly FieldError[] {
  const kind = stringField(spec, "sessionAffinity");
  const at = "spec.sessionAffinityConfig";
  const errors = checkOneOf(kind, "spec.sessionAffinity", ["ClientIP", "None"]);
  if (kind === "None" && hasField(spec, "sessionAffinityConfig"))
    return [...errors, fieldForbidden(at, "must not be set when session affinity is None")];
  // A ClientIP affinity always has a time-out, which defaulting sets.
  const seconds = numberAt(spec, "sessionAffinityConfig.clientIP.timeoutSeconds", 0);
  if (kind !== "ClientIP" || (seconds > 0 && seconds <= longestAffinity)) return errors;
  return [...errors, fieldInvalid(`${at}.clientIP.timeoutSeconds`, seconds, `must be greater than 0 and less than ${longestAffinity}`)];
}

function externalIps(spec: Fields, live: Fields): readonly FieldError[] {
  const before = stringsAt(live, "externalIPs");
  return stringsAt(spec, "externalIPs").flatMap((ip, index) => {
    const at = `spec.externalIPs[${index}]`;
    const errors = ipAddressErrors(ip, at, before);
    return errors.length > 0 ? errors : endpointIpErrors(ip, at);
  });
}

function portPairs(spec: Fields): readonly FieldError[] {
  const ports = listAt(spec, "ports");
  const inside = typeOf(spec) === "ClusterIP";
  const needless = ports.flatMap((port, index) =>
    inside && numberAt(port, "nodePort", 0) !== 0
      ? [fieldForbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
      : [],
  );
  return [
    ...needless,
    ...repeated(ports, "nodePort", (port, index) => fieldDuplicate(`spec.ports[${index}].nodePort`, port["nodePort"])),
    ...repeated(ports, "port", (port, index) => fieldDuplicate(`spec.ports[${index}]`, asGoPort(port))),
  ];
}

/** The server prints its internal type with all of Go's field names. */
function asGoPort(port: Fields): Fields {
  return { Name: "", Protocol: stringField(port, "protocol"), AppProtocol: null, Port: port["port"], TargetPort: 0, NodePort: 0 };
}

function repeated(ports: readonly Fields[], name: string, error: (port: Fields, index: number) => FieldError): readonly FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const number = numberAt(port, name, 0);
    if (name === "nodePort" && number === 0) return [];
    const key = `${stringField(port, "protocol")}/${number}`;
    const twice = seen.has(key);
    seen.add(key);
    return twice ? [error(port, index)] : [];
  });
}

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";

function sourceRanges(service: KubeObject, spec: Fields, live: KubeObject | undefined): readonly FieldError[] {
  const misplaced = (at: string): readonly FieldError[] =>
    typeOf(spec) === "LoadBalancer" ? [] : [fieldForbidden(at, onlyForLoadBalancers)];
  const ranges = stringsAt(spec, "loadBalancerSourceRanges");
  if (ranges.length > 0) {
    const at = "spec.LoadBalancerSourceRanges";
    const before = stringsAt(live, "spec.loadBalancerSourceRanges").map((range) => range.trim());
    return [...misplaced(at), ...ranges.flatMap((range, index) => cidrErrors(range.trim(), `${at}[${index}]`, before))];
  }
  const annotated = service.metadata.annotations?.[rangesAnnotation];
  if (annotated === undefined) return [];
  const at = `metadata.annotations[${rangesAnnotation}]`;
  const known = live?.metadata.annotations?.[rangesAnnotation] === annotated || annotated.trim() === "";
  return [
    ...misplaced(at),
    ...(known
      ? []
      : annotated
          .trim()
          .split(",")
          .flatMap((range) => cidrErrors(range.trim(), at))),
  ];
}

function balancerClass(spec: Fields, live?: Fields): readonly FieldError[] {
  const at = "spec.loadBalancerClass";
  const given = hasField(spec, "loadBalancerClass");
  if (typeOf(spec) !== "LoadBalancer") return given ? [fieldForbidden(at, onlyForLoadBalancers)] : [];
  const wasBalancer = live !== undefined && typeOf(live) === "LoadBalancer";
  const changed = wasBalancer && stringAt(live, "loadBalancerClass") !== stringAt(spec, "loadBalancerClass");
  return [
    ...(changed ? [fieldInvalid(at, spec["loadBalancerClass"], "may not change once set")] : []),
    ...(given ? formatErrors(checkQualifiedName, at, stringField(spec, "loadBalancerClass")) : []),
  ];
}

function externalTraffic(spec: Fields): readonly FieldError[] {
  const policy = stringField(spec, "externalTrafficPolicy");
  const port = numberAt(spec, "healthCheckNodePort", 0);
  const at = "spec.healthCheckNodePort";
  const unreachable =
    policy === "" ? [] : [fieldInvalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")];
  const needless =
    port === 0 ? [] : [fieldInvalid(at, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")];
  return [
    ...(isExternallyAccessible(spec) ? checkOneOf(policy, "spec.externalTrafficPolicy", ["Cluster", "Local"]) : unreachable),
    ...(needsHealthCheckPort(spec) ? (port === 0 ? [fieldRequired(at)] : checkPortNumber(port, at)) : needless),
  ];
}

function nodePortAllocation(spec: Fields): readonly FieldError[] {
  const given = hasField(spec, "allocateLoadBalancerNodePorts");
  if (given === (typeOf(spec) === "LoadBalancer")) return [];
  return given
    ? [fieldForbidden("spec.allocateLoadBalancerNodePorts", onlyForLoadBalancers)]
    : [fieldRequired("allocateLoadBalancerNodePorts")];
}

function service(object: KubeObject, live?: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const before = fieldsAt(live, "spec");
  return [
    ...topologyHints(object),
    ...typeErrors(spec),
    ...portErrors(spec),
    ...validateLabels(mapAt(spec, "selector"), "spec.selector"),
    ...affinity(spec),
    ...validateAddressFamilies(spec, before),
    ...externalIps(spec, before),
    ...checkOneOf(typeOf(spec), "spec.type", types),
    ...portPairs(spec),
    ...sourceRanges(object, spec, live),
    ...nodePortAllocation(spec),
    ...balancerClass(spec),
    ...externalTraffic(spec),
    ...checkOptionalOneOf(spec, "internalTrafficPolicy", "spec", ["Cluster", "Local"]),
    ...checkOptionalOneOf(spec, "trafficDistribution", "spec", ["PreferClose", "PreferSameZone", "PreferSameNode"]),
  ];
}

function update(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  const moved = needsHealthCheckPort(spec) && needsHealthCheckPort(before) && spec["healthCheckNodePort"] !== before["healthCheckNodePort"];
  return [
    ...validateCoreObjectMetaUpdate(object, live),
    ...validateClusterIpUpdate(spec, before),
    ...validateIpFamilyUpdate(spec, before),
    ...balancerClass(spec, before),
    ...(moved ? [fieldForbidden("spec.healthCheckNodePort", "field is immutable")] : []),
    ...service(object, live),
  ];
}

export const serviceRules: KindRules = {
  create: (object) => [...validateCoreObjectMeta(object, { name: checkDns1035Label, namespaced: true }), ...service(object)],
  update,
  status: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...validateLoadBalancerStatus(object, live)],
};
