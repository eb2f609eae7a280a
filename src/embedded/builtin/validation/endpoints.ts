import { listAt, mapAt, numberAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { duplicate, invalid, notSupported, required, tooMany, type FieldError } from "../../field-error.ts";
import { isSemanticallySame } from "../edit.ts";
import { each, has, oneOf, optional, portNumber, text, within } from "./check.ts";
import { addressErrors, endpointAddressErrors, isV6 } from "./ip.ts";
import type { KindRules } from "./kind.ts";
import { checked, coreMeta, coreMetaUpdate, labels, unchanged } from "./meta.ts";
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName, type Check } from "./names.ts";

// Models pkg/apis/core/validation ValidateEndpoints and pkg/apis/discovery/validation ValidateEndpointSlice

const protocols = ["SCTP", "TCP", "UDP"];
const meta = { name: dnsSubdomain, namespaced: true };

const appProtocol = (port: Fields, at: string): readonly FieldError[] =>
  has(port, "appProtocol") ? checked(qualifiedName, `${at}.appProtocol`, text(port, "appProtocol")) : [];
const nodeName = (fields: Fields, at: string): readonly FieldError[] =>
  has(fields, "nodeName") ? checked(dnsSubdomain, `${at}.nodeName`, text(fields, "nodeName")) : [];

function address(fields: Fields, at: string): readonly FieldError[] {
  const ip = text(fields, "ip");
  return [
    ...addressErrors(ip, `${at}.ip`),
    ...optional(fields, "hostname", at, dnsLabel),
    ...nodeName(fields, at),
    ...endpointAddressErrors(ip, `${at}.ip`),
  ];
}

function subsets(object: KubeObject): readonly FieldError[] {
  return listAt(object, "subsets").flatMap((subset, index) => {
    const at = `subsets[${index}]`;
    const nameNeeded = listAt(subset, "ports").length > 1;
    const empty = listAt(subset, "addresses").length + listAt(subset, "notReadyAddresses").length === 0;
    return [
      ...(empty ? [required(at, "must specify `addresses` or `notReadyAddresses`")] : []),
      ...each(subset, "addresses", at, address),
      ...each(subset, "notReadyAddresses", at, address),
      ...each(subset, "ports", at, (port, path) => [
        ...(nameNeeded && text(port, "name") === "" ? [required(`${path}.name`)] : optional(port, "name", path, dnsLabel)),
        ...portNumber(numberAt(port, "port", 0), `${path}.port`),
        ...oneOf(text(port, "protocol"), `${path}.protocol`, protocols),
        ...appProtocol(port, path),
      ]),
    ];
  });
}

function endpoints(object: KubeObject, live?: KubeObject): readonly FieldError[] {
  const errors = subsets(object);
  const kept = errors.length > 0 && live !== undefined && isSemanticallySame(object["subsets"], live["subsets"]);
  return [...coreMeta(object, meta), ...(kept ? [] : errors)];
}

export const endpointsRules: KindRules = {
  create: (object) => endpoints(object),
  update: (object, live) => [...coreMetaUpdate(object, live), ...endpoints(object, live)],
};

const addressTypes = ["FQDN", "IPv4", "IPv6"];
const most = { endpoints: 1000, addresses: 100, ports: 20_000, topology: 16, hints: 8 };

/** Models apimachinery IsFullyQualifiedDomainName */
function domainName(value: string, at: string): readonly FieldError[] {
  if (value === "") return [required(at)];
  const name = value.replace(/\.$/, "");
  const problems = dnsSubdomain(name);
  if (problems.length > 0) return [invalid(at, name, problems.join(","))];
  if (!name.includes(".")) return [invalid(at, name, "should be a domain with at least two segments separated by dots")];
  const long = name.split(".").find((label) => dnsLabel(label).length > 0);
  return long === undefined ? [] : [invalid(at, long, dnsLabel(long).join(","))];
}

function sliceAddress(type: string, value: string, all: string, at: string): readonly FieldError[] {
  if (type === "FQDN") return domainName(value, at);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const errors = addressErrors(value, at);
  if (errors.length > 0) return errors;
  const fits = isV6(value) === (type === "IPv6");
  return [...(fits ? [] : [invalid(all, value, `must be an ${type} address`)]), ...endpointAddressErrors(value, at)];
}

function hints(fields: Fields, at: string): readonly FieldError[] {
  const zones = listAt(fields, "forZones").length;
  if (zones > most.hints) return [tooMany(`${at}.forZones`, zones, most.hints)];
  const nodes = listAt(fields, "forNodes").length;
  const perZone = unique(fields, "forZones", at, labelValue);
  if (nodes > most.hints) return [...perZone, tooMany(`${at}.forNodes`, nodes, most.hints)];
  return [...perZone, ...unique(fields, "forNodes", at, dnsSubdomain)];
}

function unique(fields: Fields, name: string, at: string, check: Check): readonly FieldError[] {
  const seen = new Set<string>();
  return each(fields, name, at, (item, path) => {
    const value = text(item, "name");
    const twice = seen.has(value);
    seen.add(value);
    return [...(twice ? [duplicate(`${path}.name`, value)] : []), ...checked(check, `${path}.name`, value)];
  });
}

function sliceEndpoint(endpoint: Fields, at: string, type: string): readonly FieldError[] {
  const all = `${at}.addresses`;
  const addresses = stringsAt(endpoint, "addresses");
  const topology = mapAt(endpoint, "deprecatedTopology");
  const keys = Object.keys(topology).length;
  return [
    ...(addresses.length === 0 ? [required(all, "must contain at least 1 address")] : []),
    ...(addresses.length > most.addresses ? [tooMany(all, addresses.length, most.addresses)] : []),
    ...addresses.flatMap((value, index) => sliceAddress(type, value, all, `${all}[${index}]`)),
    ...nodeName(endpoint, at),
    ...(keys > most.topology ? [tooMany(`${at}.deprecatedTopology`, keys, most.topology)] : []),
    ...labels(topology, `${at}.deprecatedTopology`),
    ...(has(endpoint, "hostname") ? checked(dnsLabel, `${at}.hostname`, text(endpoint, "hostname")) : []),
    ...within(endpoint, "hints", at, hints),
  ];
}

function slicePorts(slice: KubeObject): readonly FieldError[] {
  const ports = listAt(slice, "ports");
  if (ports.length > most.ports) return [tooMany("ports", ports.length, most.ports)];
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `ports[${index}]`;
    const name = text(port, "name");
    const twice = seen.has(name);
    seen.add(name);
    return [
      ...optional(port, "name", at, dnsLabel),
      ...(twice ? [duplicate(`${at}.name`, name)] : []),
      ...oneOf(text(port, "protocol"), `${at}.protocol`, protocols),
      ...appProtocol(port, at),
    ];
  });
}

function sliceEndpoints(slice: KubeObject, type: string): readonly FieldError[] {
  const items = listAt(slice, "endpoints");
  if (items.length > most.endpoints) return [tooMany("endpoints", items.length, most.endpoints)];
  return items.flatMap((endpoint, index) => sliceEndpoint(endpoint, `endpoints[${index}]`, type));
}

function endpointSlice(object: KubeObject, live?: KubeObject): readonly FieldError[] {
  const type = text(object, "addressType");
  const errors = sliceEndpoints(object, type);
  const kept = errors.length > 0 && live !== undefined && isSemanticallySame(object["endpoints"], live["endpoints"]);
  return [
    ...coreMeta(object, meta),
    ...(type === "" ? [required("addressType")] : addressTypes.includes(type) ? [] : [notSupported("addressType", type, addressTypes)]),
    ...slicePorts(object),
    ...(kept ? [] : errors),
  ];
}

export const endpointSliceRules: KindRules = {
  create: (object) => endpointSlice(object),
  update: (object, live) => [...endpointSlice(object, live), ...unchanged(object["addressType"], live["addressType"], "addressType")],
};
