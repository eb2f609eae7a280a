import { listAt, mapAt, numberAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldDuplicate, fieldInvalid, fieldNotSupported, fieldRequired, fieldTooMany, type FieldError } from "../../field-error.ts";
import { isSemanticDeepEqual } from "../field-edits.ts";
import { checkEach, hasField, checkOneOf, checkOptional, checkPortNumber, stringField, checkNestedObject } from "./field-checks.ts";
import { ipAddressErrors, endpointIpErrors, isIPv6Address } from "./ip.ts";
import type { KindRules } from "./kind-rules.ts";
import {
  formatErrors,
  validateCoreObjectMeta,
  validateCoreObjectMetaUpdate,
  validateLabels,
  validateImmutableField,
} from "./object-meta.ts";
import { checkDnsLabel, checkDnsSubdomain, checkLabelValue, checkQualifiedName, type StringFormatCheck } from "./name-formats.ts";

// Models pkg/apis/core/validation ValidateEndpoints and pkg/apis/discovery/validation ValidateEndpointSlice

const protocols = ["SCTP", "TCP", "UDP"];
const meta = { name: checkDnsSubdomain, namespaced: true };

const appProtocol = (port: Fields, at: string): readonly FieldError[] =>
  hasField(port, "appProtocol") ? formatErrors(checkQualifiedName, `${at}.appProtocol`, stringField(port, "appProtocol")) : [];
const nodeName = (fields: Fields, at: string): readonly FieldError[] =>
  hasField(fields, "nodeName") ? formatErrors(checkDnsSubdomain, `${at}.nodeName`, stringField(fields, "nodeName")) : [];

function address(fields: Fields, at: string): readonly FieldError[] {
  const ip = stringField(fields, "ip");
  return [
    ...ipAddressErrors(ip, `${at}.ip`),
    ...checkOptional(fields, "hostname", at, checkDnsLabel),
    ...nodeName(fields, at),
    ...endpointIpErrors(ip, `${at}.ip`),
  ];
}

function subsets(object: KubeObject): readonly FieldError[] {
  return listAt(object, "subsets").flatMap((subset, index) => {
    const at = `subsets[${index}]`;
    const nameNeeded = listAt(subset, "ports").length > 1;
    const empty = listAt(subset, "addresses").length + listAt(subset, "notReadyAddresses").length === 0;
    return [
      ...(empty ? [fieldRequired(at, "must specify `addresses` or `notReadyAddresses`")] : []),
      ...checkEach(subset, "addresses", at, address),
      ...checkEach(subset, "notReadyAddresses", at, address),
      ...checkEach(subset, "ports", at, (port, path) => [
        ...(nameNeeded && stringField(port, "name") === ""
          ? [fieldRequired(`${path}.name`)]
          : checkOptional(port, "name", path, checkDnsLabel)),
        ...checkPortNumber(numberAt(port, "port", 0), `${path}.port`),
        ...checkOneOf(stringField(port, "protocol"), `${path}.protocol`, protocols),
        ...appProtocol(port, path),
      ]),
    ];
  });
}

function endpoints(object: KubeObject, live?: KubeObject): readonly FieldError[] {
  const errors = subsets(object);
  const kept = errors.length > 0 && live !== undefined && isSemanticDeepEqual(object["subsets"], live["subsets"]);
  return [...validateCoreObjectMeta(object, meta), ...(kept ? [] : errors)];
}

export const endpointsRules: KindRules = {
  create: (object) => endpoints(object),
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...endpoints(object, live)],
};

const addressTypes = ["FQDN", "IPv4", "IPv6"];
const most = { endpoints: 1000, addresses: 100, ports: 20_000, topology: 16, hints: 8 };

/** Models apimachinery IsFullyQualifiedDomainName */
function domainName(value: string, at: string): readonly FieldError[] {
  if (value === "") return [fieldRequired(at)];
  const name = value.replace(/\.$/, "");
  const problems = checkDnsSubdomain(name);
  if (problems.length > 0) return [fieldInvalid(at, name, problems.join(","))];
  if (!name.includes(".")) return [fieldInvalid(at, name, "should be a domain with at least two segments separated by dots")];
  const long = name.split(".").find((label) => checkDnsLabel(label).length > 0);
  return long === undefined ? [] : [fieldInvalid(at, long, checkDnsLabel(long).join(","))];
}

function sliceAddress(type: string, value: string, all: string, at: string): readonly FieldError[] {
  if (type === "FQDN") return domainName(value, at);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const errors = ipAddressErrors(value, at);
  if (errors.length > 0) return errors;
  const fits = isIPv6Address(value) === (type === "IPv6");
  return [...(fits ? [] : [fieldInvalid(all, value, `must be an ${type} address`)]), ...endpointIpErrors(value, at)];
}

function hints(fields: Fields, at: string): readonly FieldError[] {
  const zones = listAt(fields, "forZones").length;
  if (zones > most.hints) return [fieldTooMany(`${at}.forZones`, zones, most.hints)];
  const nodes = listAt(fields, "forNodes").length;
  const perZone = unique(fields, "forZones", at, checkLabelValue);
  if (nodes > most.hints) return [...perZone, fieldTooMany(`${at}.forNodes`, nodes, most.hints)];
  return [...perZone, ...unique(fields, "forNodes", at, checkDnsSubdomain)];
}

function unique(fields: Fields, name: string, at: string, check: StringFormatCheck): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach(fields, name, at, (item, path) => {
    const value = stringField(item, "name");
    const twice = seen.has(value);
    seen.add(value);
    return [...(twice ? [fieldDuplicate(`${path}.name`, value)] : []), ...formatErrors(check, `${path}.name`, value)];
  });
}

function sliceEndpoint(endpoint: Fields, at: string, type: string): readonly FieldError[] {
  const all = `${at}.addresses`;
  const addresses = stringsAt(endpoint, "addresses");
  const topology = mapAt(endpoint, "deprecatedTopology");
  const keys = Object.keys(topology).length;
  return [
    ...(addresses.length === 0 ? [fieldRequired(all, "must contain at least 1 address")] : []),
    ...(addresses.length > most.addresses ? [fieldTooMany(all, addresses.length, most.addresses)] : []),
    ...addresses.flatMap((value, index) => sliceAddress(type, value, all, `${all}[${index}]`)),
    ...nodeName(endpoint, at),
    ...(keys > most.topology ? [fieldTooMany(`${at}.deprecatedTopology`, keys, most.topology)] : []),
    ...validateLabels(topology, `${at}.deprecatedTopology`),
    ...(hasField(endpoint, "hostname") ? formatErrors(checkDnsLabel, `${at}.hostname`, stringField(endpoint, "hostname")) : []),
    ...checkNestedObject(endpoint, "hints", at, hints),
  ];
}

function slicePorts(slice: KubeObject): readonly FieldError[] {
  const ports = listAt(slice, "ports");
  if (ports.length > most.ports) return [fieldTooMany("ports", ports.length, most.ports)];
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `ports[${index}]`;
    const name = stringField(port, "name");
    const twice = seen.has(name);
    seen.add(name);
    return [
      ...checkOptional(port, "name", at, checkDnsLabel),
      ...(twice ? [fieldDuplicate(`${at}.name`, name)] : []),
      ...checkOneOf(stringField(port, "protocol"), `${at}.protocol`, protocols),
      ...appProtocol(port, at),
    ];
  });
}

function sliceEndpoints(slice: KubeObject, type: string): readonly FieldError[] {
  const items = listAt(slice, "endpoints");
  if (items.length > most.endpoints) return [fieldTooMany("endpoints", items.length, most.endpoints)];
  return items.flatMap((endpoint, index) => sliceEndpoint(endpoint, `endpoints[${index}]`, type));
}

function endpointSlice(object: KubeObject, live?: KubeObject): readonly FieldError[] {
  const type = stringField(object, "addressType");
  const errors = sliceEndpoints(object, type);
  const kept = errors.length > 0 && live !== undefined && isSemanticDeepEqual(object["endpoints"], live["endpoints"]);
  return [
    ...validateCoreObjectMeta(object, meta),
    ...(type === ""
      ? [fieldRequired("addressType")]
      : addressTypes.includes(type)
        ? []
        : [fieldNotSupported("addressType", type, addressTypes)]),
    ...slicePorts(object),
    ...(kept ? [] : errors),
  ];
}

export const endpointSliceRules: KindRules = {
  create: (object) => endpointSlice(object),
  update: (object, live) => [
    ...endpointSlice(object, live),
    ...validateImmutableField(object["addressType"], live["addressType"], "addressType"),
  ],
};
