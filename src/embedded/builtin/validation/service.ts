import { fieldsAt, listAt, mapAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { duplicate, forbidden, invalid, required, type FieldError } from "../../field-error.ts";
import { isExternallyAccessible } from "../defaults/service.ts";
import { needsHealthCheckPort } from "../prepare/service.ts";
import { each, has, oneOf, optional, optionalOneOf, portNumber, portNumberOrName, text } from "./check.ts";
import { addressErrors, blockErrors, endpointAddressErrors } from "./ip.ts";
import type { KindRules } from "./kind.ts";
import { loadBalancerStatus } from "./load-balancer.ts";
import { checked, coreMeta, coreMetaUpdate, labels } from "./meta.ts";
import { dns1035Label, dnsLabel, dnsSubdomain, qualifiedName } from "./names.ts";
import { addressFamilies, clusterIpChanges, familyChanges, isHeadless } from "./service-address.ts";

// Models pkg/apis/core/validation/validation.go validateService and what it calls

const protocols = ["SCTP", "TCP", "UDP"];
const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";
const typeOf = (spec: Fields): string => text(spec, "type");

function topologyHints({ metadata }: KubeObject): readonly FieldError[] {
  const hints = metadata.annotations?.["service.kubernetes.io/topology-aware-hints"];
  const mode = metadata.annotations?.["service.kubernetes.io/topology-mode"];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  const at = "metadata.annotations[service.kubernetes.io/topology-mode]";
  return [invalid(at, mode, "must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified")];
}

function typeErrors(spec: Fields): readonly FieldError[] {
  const type = typeOf(spec);
  const bare = listAt(spec, "ports").length === 0 && !isHeadless(spec) && type !== "ExternalName" ? [required("spec.ports")] : [];
  if (type === "ExternalName") return [...bare, ...externalName(spec)];
  const balanced = type === "LoadBalancer" || type === "NodePort";
  return balanced && isHeadless(spec)
    ? [...bare, invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)]
    : bare;
}

function externalName(spec: Fields): readonly FieldError[] {
  const name = text(spec, "externalName").replace(/\.$/, "");
  const unwanted = ["clusterIPs", "ipFamilies"].filter((field) => stringsAt(spec, field).length > 0);
  return [
    ...[...unwanted, ...(has(spec, "ipFamilyPolicy") ? ["ipFamilyPolicy"] : [])].map((field) =>
      forbidden(`spec.${field}`, "may not be set for ExternalName services"),
    ),
    ...(name === "" ? [required("spec.externalName")] : checked(dnsSubdomain, "spec.externalName", name)),
  ];
}

function portErrors(spec: Fields): readonly FieldError[] {
  const names = new Set<string>();
  const several = listAt(spec, "ports").length > 1;
  return each(spec, "ports", "spec", (port, path) => {
    const name = text(port, "name");
    const twice = name !== "" && names.has(name);
    names.add(name);
    return [
      ...(several && name === "" ? [required(`${path}.name`)] : optional(port, "name", path, dnsLabel)),
      ...(twice ? [duplicate(`${path}.name`, name)] : []),
      ...portNumber(numberAt(port, "port", 0), `${path}.port`),
      ...oneOf(text(port, "protocol"), `${path}.protocol`, protocols),
      ...portNumberOrName(port["targetPort"], `${path}.targetPort`),
      ...(has(port, "appProtocol") ? checked(qualifiedName, `${path}.appProtocol`, text(port, "appProtocol")) : []),
    ];
  });
}

const longestAffinity = 86_400;

function affinity(spec: Fields): readonly FieldError[] {
  const kind = text(spec, "sessionAffinity");
  const at = "spec.sessionAffinityConfig";
  const errors = oneOf(kind, "spec.sessionAffinity", ["ClientIP", "None"]);
  if (kind === "None" && has(spec, "sessionAffinityConfig"))
    return [...errors, forbidden(at, "must not be set when session affinity is None")];
  // A ClientIP affinity always has a time-out: the defaults see to it.
  const seconds = numberAt(spec, "sessionAffinityConfig.clientIP.timeoutSeconds", 0);
  if (kind !== "ClientIP" || (seconds > 0 && seconds <= longestAffinity)) return errors;
  return [...errors, invalid(`${at}.clientIP.timeoutSeconds`, seconds, `must be greater than 0 and less than ${longestAffinity}`)];
}

function externalIps(spec: Fields, live: Fields): readonly FieldError[] {
  const before = stringsAt(live, "externalIPs");
  return stringsAt(spec, "externalIPs").flatMap((ip, index) => {
    const at = `spec.externalIPs[${index}]`;
    const errors = addressErrors(ip, at, before);
    return errors.length > 0 ? errors : endpointAddressErrors(ip, at);
  });
}

function portPairs(spec: Fields): readonly FieldError[] {
  const ports = listAt(spec, "ports");
  const inside = typeOf(spec) === "ClusterIP";
  const needless = ports.flatMap((port, index) =>
    inside && numberAt(port, "nodePort", 0) !== 0
      ? [forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
      : [],
  );
  return [
    ...needless,
    ...repeated(ports, "nodePort", (port, index) => duplicate(`spec.ports[${index}].nodePort`, port["nodePort"])),
    ...repeated(ports, "port", (port, index) => duplicate(`spec.ports[${index}]`, asGoPort(port))),
  ];
}

/** The server prints its internal type: Go's field names, all of them. */
function asGoPort(port: Fields): Fields {
  return { Name: "", Protocol: text(port, "protocol"), AppProtocol: null, Port: port["port"], TargetPort: 0, NodePort: 0 };
}

function repeated(ports: readonly Fields[], name: string, error: (port: Fields, index: number) => FieldError): readonly FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const number = numberAt(port, name, 0);
    if (name === "nodePort" && number === 0) return [];
    const key = `${text(port, "protocol")}/${number}`;
    const twice = seen.has(key);
    seen.add(key);
    return twice ? [error(port, index)] : [];
  });
}

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";

function sourceRanges(service: KubeObject, spec: Fields, live: KubeObject | undefined): readonly FieldError[] {
  const misplaced = (at: string): readonly FieldError[] => (typeOf(spec) === "LoadBalancer" ? [] : [forbidden(at, onlyForLoadBalancers)]);
  const ranges = stringsAt(spec, "loadBalancerSourceRanges");
  if (ranges.length > 0) {
    const at = "spec.LoadBalancerSourceRanges";
    const before = stringsAt(live, "spec.loadBalancerSourceRanges").map((range) => range.trim());
    return [...misplaced(at), ...ranges.flatMap((range, index) => blockErrors(range.trim(), `${at}[${index}]`, before))];
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
          .flatMap((range) => blockErrors(range.trim(), at))),
  ];
}

function balancerClass(spec: Fields, live?: Fields): readonly FieldError[] {
  const at = "spec.loadBalancerClass";
  const given = has(spec, "loadBalancerClass");
  if (typeOf(spec) !== "LoadBalancer") return given ? [forbidden(at, onlyForLoadBalancers)] : [];
  const wasBalancer = live !== undefined && typeOf(live) === "LoadBalancer";
  const changed = wasBalancer && stringAt(live, "loadBalancerClass") !== stringAt(spec, "loadBalancerClass");
  return [
    ...(changed ? [invalid(at, spec["loadBalancerClass"], "may not change once set")] : []),
    ...(given ? checked(qualifiedName, at, text(spec, "loadBalancerClass")) : []),
  ];
}

function externalTraffic(spec: Fields): readonly FieldError[] {
  const policy = text(spec, "externalTrafficPolicy");
  const port = numberAt(spec, "healthCheckNodePort", 0);
  const at = "spec.healthCheckNodePort";
  const unreachable =
    policy === "" ? [] : [invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")];
  const needless =
    port === 0 ? [] : [invalid(at, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")];
  return [
    ...(isExternallyAccessible(spec) ? oneOf(policy, "spec.externalTrafficPolicy", ["Cluster", "Local"]) : unreachable),
    ...(needsHealthCheckPort(spec) ? (port === 0 ? [required(at)] : portNumber(port, at)) : needless),
  ];
}

function nodePortAllocation(spec: Fields): readonly FieldError[] {
  const given = has(spec, "allocateLoadBalancerNodePorts");
  if (given === (typeOf(spec) === "LoadBalancer")) return [];
  return given ? [forbidden("spec.allocateLoadBalancerNodePorts", onlyForLoadBalancers)] : [required("allocateLoadBalancerNodePorts")];
}

function service(object: KubeObject, live?: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const before = fieldsAt(live, "spec");
  return [
    ...topologyHints(object),
    ...typeErrors(spec),
    ...portErrors(spec),
    ...labels(mapAt(spec, "selector"), "spec.selector"),
    ...affinity(spec),
    ...addressFamilies(spec, before),
    ...externalIps(spec, before),
    ...oneOf(typeOf(spec), "spec.type", types),
    ...portPairs(spec),
    ...sourceRanges(object, spec, live),
    ...nodePortAllocation(spec),
    ...balancerClass(spec),
    ...externalTraffic(spec),
    ...optionalOneOf(spec, "internalTrafficPolicy", "spec", ["Cluster", "Local"]),
    ...optionalOneOf(spec, "trafficDistribution", "spec", ["PreferClose", "PreferSameZone", "PreferSameNode"]),
  ];
}

function update(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  const moved = needsHealthCheckPort(spec) && needsHealthCheckPort(before) && spec["healthCheckNodePort"] !== before["healthCheckNodePort"];
  return [
    ...coreMetaUpdate(object, live),
    ...clusterIpChanges(spec, before),
    ...familyChanges(spec, before),
    ...balancerClass(spec, before),
    ...(moved ? [forbidden("spec.healthCheckNodePort", "field is immutable")] : []),
    ...service(object, live),
  ];
}

export const serviceRules: KindRules = {
  create: (object) => [...coreMeta(object, { name: dns1035Label, namespaced: true }), ...service(object)],
  update,
  status: (object, live) => [...coreMetaUpdate(object, live), ...loadBalancerStatus(object, live)],
};
