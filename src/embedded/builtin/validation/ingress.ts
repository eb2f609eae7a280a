import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { forbidden, invalid, notSupported, required, tooLong, type FieldError } from "../../field-error.ts";
import { each, has, named, portNumber, text, within } from "./check.ts";
import { domainPrefixedPath } from "./domain-path.ts";
import { parseAddress } from "./ip.ts";
import type { KindRules } from "./kind.ts";
import { ingressStatus, notAName } from "./load-balancer.ts";
import { checked, coreMeta, coreMetaUpdate, unchanged } from "./meta.ts";
import { dns1035Label, dnsLabel, dnsSubdomain, pathSegment, portName, wildcardSubdomain, type Check } from "./names.ts";

// Models pkg/apis/networking/validation/validation.go, Ingress and IngressClass

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];
const bannedParts = ["//", "/./", "/../", "%2f", "%2F"];
const bannedEnds = ["/..", "/."];

const hostCheck = (host: string): Check => (host.includes("*") ? wildcardSubdomain : dnsSubdomain);

function pathErrors(path: Fields, at: string): readonly FieldError[] {
  const value = text(path, "path");
  const type = text(path, "pathType");
  const where = `${at}.path`;
  const relative = value.startsWith("/") ? [] : [invalid(where, value, "must be an absolute path")];
  if (type === "ImplementationSpecific") return value === "" ? [] : relative;
  if (!pathTypes.includes(type)) return [notSupported(`${at}.pathType`, type, pathTypes)];
  return [
    ...relative,
    ...bannedParts.filter((part) => value.includes(part)).map((part) => invalid(where, value, `must not contain '${part}'`)),
    ...bannedEnds.filter((end) => value.endsWith(end)).map((end) => invalid(where, value, `cannot end with '${end}'`)),
  ];
}

function backendErrors(backend: Fields, at: string, serviceName: Check): readonly FieldError[] {
  const [resource, service] = [has(backend, "resource"), has(backend, "service")];
  if (resource && service) return [invalid(at, "", "cannot set both resource and service backends")];
  if (resource) return within(backend, "resource", at, reference);
  if (!service) return [invalid(at, "", "resource or service backend is required")];
  return [...named(backend["service"], "name", `${at}.service`, serviceName), ...backendPort(fieldsAt(backend, "service.port"), at)];
}

function backendPort(port: Fields, at: string): readonly FieldError[] {
  const name = text(port, "name");
  const number = numberAt(port, "number", 0);
  if (name !== "" && number !== 0) return [invalid(at, "", "cannot set both port name & port number")];
  if (name !== "") return checked(portName, `${at}.service.port.name`, name);
  return number === 0 ? [required(at, "port name or number is required")] : portNumber(number, `${at}.service.port.number`);
}

function reference(target: Fields, at: string): readonly FieldError[] {
  return [
    ...(has(target, "apiGroup") ? checked(dnsSubdomain, `${at}.apiGroup`, text(target, "apiGroup")) : []),
    ...named(target, "kind", at, pathSegment),
    ...named(target, "name", at, pathSegment),
  ];
}

function ruleErrors(rule: Fields, at: string, serviceName: Check): readonly FieldError[] {
  const host = text(rule, "host");
  const address = host !== "" && parseAddress(host) ? [invalid(`${at}.host`, host, notAName)] : [];
  return [
    ...address,
    ...(host === "" ? [] : checked(hostCheck(host), `${at}.host`, host)),
    ...within(rule, "http", at, (http, path) => httpErrors(http, path, serviceName)),
  ];
}

function httpErrors(http: Fields, at: string, serviceName: Check): readonly FieldError[] {
  const none = listAt(http, "paths").length === 0 ? [required(`${at}.paths`)] : [];
  return [
    ...none,
    ...each(http, "paths", at, (path, where) => {
      if (!has(path, "pathType")) return [required(`${where}.pathType`, "pathType must be specified")];
      return [...pathErrors(path, where), ...backendErrors(fieldsAt(path, "backend"), `${where}.backend`, serviceName)];
    }),
  ];
}

const secretName: Check = (name) => (name === "" ? [] : dnsSubdomain(name));

function tlsErrors(tls: Fields, at: string, anySecret: boolean): readonly FieldError[] {
  const hosts = stringsAt(tls, "hosts").flatMap((host, index) => checked(hostCheck(host), `${at}.hosts[${index}]`, host));
  return anySecret ? hosts : [...hosts, ...checked(secretName, `${at}.secretName`, text(tls, "secretName"))];
}

function specErrors(spec: Fields, live: Fields): readonly FieldError[] {
  const serviceName = usesPlainLabels(live) ? dnsLabel : dns1035Label;
  const anySecret = listAt(live, "tls").some((tls) => secretName(text(tls, "secretName")).length > 0);
  const empty = listAt(spec, "rules").length === 0 && !has(spec, "defaultBackend");
  return [
    ...(empty ? [invalid("spec", has(spec, "rules") ? [] : null, "either `defaultBackend` or `rules` must be specified")] : []),
    ...within(spec, "defaultBackend", "spec", (backend, at) => backendErrors(backend, at, serviceName)),
    ...each(spec, "rules", "spec", (rule, at) => ruleErrors(rule, at, serviceName)),
    ...each(spec, "tls", "spec", (tls, at) => tlsErrors(tls, at, anySecret)),
    ...(has(spec, "ingressClassName") ? checked(dnsSubdomain, "spec.ingressClassName", text(spec, "ingressClassName")) : []),
  ];
}

/** Names of Services that only newer rules allow stay allowed where they are already used. */
function usesPlainLabels(live: Fields): boolean {
  const backends = [
    live["defaultBackend"],
    ...listAt(live, "rules").flatMap((rule) => listAt(rule, "http.paths").map((path) => path["backend"])),
  ];
  const names = backends.map((backend) => stringAt(backend, "service.name")).filter((name) => name !== undefined);
  return names.some((name) => dnsLabel(name).length === 0 && dns1035Label(name).length > 0);
}

const meta = { name: dnsSubdomain, namespaced: true };
const classAnnotation = "kubernetes.io/ingress.class";

function classMatch(ingress: KubeObject): readonly FieldError[] {
  const annotated = ingress.metadata.annotations?.[classAnnotation];
  const named = stringAt(ingress, "spec.ingressClassName");
  if (annotated === undefined || named === undefined || annotated === named) return [];
  return [invalid(`annotations.${classAnnotation}`, annotated, "must match `ingressClassName` when both are specified")];
}

export const ingressRules: KindRules = {
  create: (object) => [...coreMeta(object, meta), ...specErrors(fieldsAt(object, "spec"), {}), ...classMatch(object)],
  update: (object, live) => [
    ...coreMetaUpdate(object, live),
    ...coreMeta(object, meta),
    ...specErrors(fieldsAt(object, "spec"), fieldsAt(live, "spec")),
  ],
  status: (object, live) => [...coreMetaUpdate(object, live), ...ingressStatus(object, live)],
};

const longestController = 250;

function parameters(target: Fields, at: string): readonly FieldError[] {
  const scope = stringAt(target, "scope");
  const errors = reference(target, at);
  if (scope === undefined) return [...errors, required(`${at}.scope`)];
  if (scope === "Cluster")
    return has(target, "namespace") ? [...errors, forbidden(`${at}.namespace`, "`parameters.scope` is set to 'Cluster'")] : errors;
  if (scope !== "Namespace") return [...errors, notSupported(`${at}.scope`, scope, ["Cluster", "Namespace"])];
  if (!has(target, "namespace")) return [...errors, required(`${at}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  return [...errors, ...checked(dnsLabel, `${at}.namespace`, text(target, "namespace"))];
}

function ingressClass(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const controller = text(spec, "controller");
  return [
    ...coreMeta(object, { name: dnsSubdomain, namespaced: false }),
    ...(controller.length > longestController ? [tooLong("spec.controller", longestController)] : []),
    ...domainPrefixedPath(controller, "spec.controller"),
    ...within(spec, "parameters", "spec", parameters),
  ];
}

export const ingressClassRules: KindRules = {
  create: ingressClass,
  update: (object, live) => [
    ...coreMetaUpdate(object, live),
    ...unchanged(fieldsAt(object, "spec")["controller"], fieldsAt(live, "spec")["controller"], "spec.controller"),
    ...ingressClass(object),
  ],
};
