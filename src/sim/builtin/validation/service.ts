import { fieldsAt, listAt, mapAt, numberAt, stringsAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { duplicate, forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isExternallyAccessible } from "../defaults/service.ts";
import { needsHealthCheckPort } from "../prepare/service.ts";
import { each, has, oneOf, portNumber, portNumberOrName, text } from "./check.ts";
import { checked, labels } from "./meta.ts";
import { dnsLabel, dnsSubdomain, qualifiedName } from "./names.ts";

// Models pkg/apis/core/validation/validation.go validateService

const protocols = ["SCTP", "TCP", "UDP"];
const isHeadless = (spec: Fields): boolean => stringsAt(spec, "clusterIPs")[0] === "None";

function typeErrors(spec: Fields): readonly FieldError[] {
  const type = text(spec, "type");
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) return [invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)];
  if (type !== "ExternalName") return [];
  const name = text(spec, "externalName").replace(/\.$/, "");
  const unwanted = ["clusterIPs", "ipFamilies", "ipFamilyPolicy"].filter((field) => has(spec, field));
  return [
    ...unwanted.map((field) => forbidden(`spec.${field}`, "may not be set for ExternalName services")),
    ...(name === "" ? [required("spec.externalName")] : checked(dnsSubdomain, "spec.externalName", name)),
  ];
}

function ports(spec: Fields): readonly FieldError[] {
  const several = listAt(spec, "ports").length > 1;
  const names = new Set<string>();
  return each(spec, "ports", "spec", (port, at) => {
    const name = text(port, "name");
    const twice = name !== "" && names.has(name) ? [duplicate(`${at}.name`, name)] : [];
    names.add(name);
    return [
      ...(several && name === "" ? [required(`${at}.name`)] : []),
      ...(name === "" ? [] : checked(dnsLabel, `${at}.name`, name)),
      ...twice,
      ...portNumber(numberAt(port, "port", 0), `${at}.port`),
      ...oneOf(text(port, "protocol"), `${at}.protocol`, protocols),
      ...portNumberOrName(port["targetPort"], `${at}.targetPort`),
      ...(has(port, "appProtocol") ? checked(qualifiedName, `${at}.appProtocol`, text(port, "appProtocol")) : []),
    ];
  });
}

function affinity(spec: Fields): readonly FieldError[] {
  const value = text(spec, "sessionAffinity");
  const seconds = numberAt(spec, "sessionAffinityConfig.clientIP.timeoutSeconds", 0);
  const long = value === "ClientIP" && (seconds <= 0 || seconds > 86_400);
  return [
    ...oneOf(value, "spec.sessionAffinity", ["ClientIP", "None"]),
    ...(long ? [invalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, "must be greater than 0 and less than 86400")] : []),
  ];
}

const isIp = (value: string): boolean => /^(?:\d{1,3}\.){3}\d{1,3}$/.test(value) || /^[0-9a-fA-F:]*:[0-9a-fA-F:.]*$/.test(value);
const notAnIp = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

function addresses(spec: Fields): readonly FieldError[] {
  if (spec["type"] === "ExternalName") return [];
  const [ip, ips] = [text(spec, "clusterIP"), stringsAt(spec, "clusterIPs")];
  const wrong = ips.flatMap((each, index) => ((index === 0 && each === "None") || isIp(each) ? [] : [invalid(`spec.clusterIPs[${index}]`, each, notAnIp)]));
  return [
    ...(ip !== "" && ips.length === 0 ? [required("spec.clusterIPs")] : []),
    ...(ip !== "" && ips.length > 0 && ips[0] !== ip ? [invalid("spec.clusterIPs", ips, "first value must match `clusterIP`")] : []),
    ...(ip === "" && ips.length > 0 ? [invalid("spec.clusterIPs", ips, "must be empty when `clusterIP` is not specified")] : []),
    ...wrong,
  ];
}

function portUse(spec: Fields): readonly FieldError[] {
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  const inside = spec["type"] === "ClusterIP" ? each(spec, "ports", "spec", (port, at) => (numberAt(port, "nodePort", 0) === 0 ? [] : [forbidden(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'")])) : [];
  const shared = each(spec, "ports", "spec", (port, at) => {
    const number = numberAt(port, "nodePort", 0);
    const key = `${text(port, "protocol")}/${number}`;
    if (number === 0) return [];
    if (nodePorts.has(key)) return [duplicate(`${at}.nodePort`, number)];
    nodePorts.add(key);
    return [];
  });
  const doubled = each(spec, "ports", "spec", (port, at) => {
    const [protocol, number] = [text(port, "protocol"), numberAt(port, "port", 0)];
    const key = `${protocol}/${number}`;
    // The server prints its internal type: Go's field names, all of them.
    if (numbers.has(key)) return [duplicate(at, { Name: "", Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 })];
    numbers.add(key);
    return [];
  });
  return [...inside, ...shared, ...doubled];
}

function trafficPolicy(spec: Fields): readonly FieldError[] {
  const policy = text(spec, "externalTrafficPolicy");
  const port = numberAt(spec, "healthCheckNodePort", 0);
  const outside = isExternallyAccessible(spec);
  const needless = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [
    ...(outside ? oneOf(policy, "spec.externalTrafficPolicy", ["Cluster", "Local"]) : []),
    ...(!outside && policy !== "" ? [invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")] : []),
    ...(!needsHealthCheckPort(spec) && port !== 0 ? [invalid("spec.healthCheckNodePort", port, needless)] : []),
  ];
}

export function service(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const type = text(spec, "type");
  const bare = listAt(spec, "ports").length === 0 && !isHeadless(spec) && type !== "ExternalName";
  const internal = text(spec, "internalTrafficPolicy");
  return [
    ...(bare ? [required("spec.ports")] : []),
    ...typeErrors(spec),
    ...ports(spec),
    ...labels(mapAt(spec, "selector"), "spec.selector"),
    ...affinity(spec),
    ...addresses(spec),
    ...oneOf(type, "spec.type", ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]),
    ...portUse(spec),
    ...(has(spec, "allocateLoadBalancerNodePorts") && type !== "LoadBalancer" ? [forbidden("spec.allocateLoadBalancerNodePorts", "may only be used when `type` is 'LoadBalancer'")] : []),
    ...(has(spec, "loadBalancerClass") && type !== "LoadBalancer" ? [forbidden("spec.loadBalancerClass", "may only be used when `type` is 'LoadBalancer'")] : []),
    ...trafficPolicy(spec),
    ...(internal === "" || ["Cluster", "Local"].includes(internal) ? [] : [notSupported("spec.internalTrafficPolicy", internal, ["Cluster", "Local"])]),
  ];
}

export function serviceUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  if (spec["type"] === "ExternalName" || before["type"] === "ExternalName" || (isHeadless(spec) && isHeadless(before))) return service(object);
  const [after, ips] = [stringsAt(spec, "clusterIPs"), stringsAt(before, "clusterIPs")];
  const unset = ips.length > after.length && after.length === 0 ? [invalid("spec.clusterIPs[0]", after, "primary clusterIP can not be unset")] : [];
  const moved = after.length > 0 && ips.length > 0 && after[0] !== ips[0] ? [invalid("spec.clusterIPs[0]", after, "may not change once set")] : [];
  return [...unset, ...moved, ...service(object)];
}
