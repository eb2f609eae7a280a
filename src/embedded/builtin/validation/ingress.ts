import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, fieldTooLong, type FieldError } from "../../field-error.ts";
import { checkEach, hasField, checkRequired, checkPortNumber, stringField, checkNestedObject } from "./field-checks.ts";
import { validateDomainPrefixedPath } from "./domain-prefixed-path.ts";
import { parseIp } from "./ip.ts";
import type { KindRules } from "./kind-rules.ts";
import { validateIngressStatus, notAName } from "./load-balancer-status.ts";
import { formatErrors, validateCoreObjectMeta, validateCoreObjectMetaUpdate, validateImmutableField } from "./object-meta.ts";
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  checkPortName,
  checkWildcardSubdomain,
  type StringFormatCheck,
} from "./name-formats.ts";

// Models pkg/apis/networking/validation/validation.go, Ingress and IngressClass

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];
const bannedParts = ["//", "/./", "/../", "%2f", "%2F"];
const bannedEnds = ["/..", "/."];

const hostCheck = (host: string): StringFormatCheck => (host.includes("*") ? checkWildcardSubdomain : checkDnsSubdomain);

function pathErrors(path: Fields, at: string): readonly FieldError[] {
  const value = stringField(path, "path");
  const type = stringField(path, "pathType");
  const where = `${at}.path`;
  const relative = value.startsWith("/") ? [] : [fieldInvalid(where, value, "must be an absolute path")];
  if (type === "ImplementationSpecific") return value === "" ? [] : relative;
  if (!pathTypes.includes(type)) return [fieldNotSupported(`${at}.pathType`, type, pathTypes)];
  return [
    ...relative,
    ...bannedParts.filter((part) => value.includes(part)).map((part) => fieldInvalid(where, value, `must not contain '${part}'`)),
    ...bannedEnds.filter((end) => value.endsWith(end)).map((end) => fieldInvalid(where, value, `cannot end with '${end}'`)),
  ];
}

function backendErrors(backend: Fields, at: string, serviceName: StringFormatCheck): readonly FieldError[] {
  const [resource, service] = [hasField(backend, "resource"), hasField(backend, "service")];
  if (resource && service) return [fieldInvalid(at, "", "cannot set both resource and service backends")];
  if (resource) return checkNestedObject(backend, "resource", at, reference);
  if (!service) return [fieldInvalid(at, "", "resource or service backend is required")];
  return [
    ...checkRequired(backend["service"], "name", `${at}.service`, serviceName),
    ...backendPort(fieldsAt(backend, "service.port"), at),
  ];
}

function backendPort(port: Fields, at: string): readonly FieldError[] {
  const name = stringField(port, "name");
  const number = numberAt(port, "number", 0);
  if (name !== "" && number !== 0) return [fieldInvalid(at, "", "cannot set both port name & port number")];
  if (name !== "") return formatErrors(checkPortName, `${at}.service.port.name`, name);
  return number === 0 ? [fieldRequired(at, "port name or number is required")] : checkPortNumber(number, `${at}.service.port.number`);
}

function reference(target: Fields, at: string): readonly FieldError[] {
  return [
    ...(hasField(target, "apiGroup") ? formatErrors(checkDnsSubdomain, `${at}.apiGroup`, stringField(target, "apiGroup")) : []),
    ...checkRequired(target, "kind", at, checkPathSegment),
    ...checkRequired(target, "name", at, checkPathSegment),
  ];
}

function ruleErrors(rule: Fields, at: string, serviceName: StringFormatCheck): readonly FieldError[] {
  const host = stringField(rule, "host");
  const address = host !== "" && parseIp(host) ? [fieldInvalid(`${at}.host`, host, notAName)] : [];
  return [
    ...address,
    ...(host === "" ? [] : formatErrors(hostCheck(host), `${at}.host`, host)),
    ...checkNestedObject(rule, "http", at, (http, path) => httpErrors(http, path, serviceName)),
  ];
}

function httpErrors(http: Fields, at: string, serviceName: StringFormatCheck): readonly FieldError[] {
  const none = listAt(http, "paths").length === 0 ? [fieldRequired(`${at}.paths`)] : [];
  return [
    ...none,
    ...checkEach(http, "paths", at, (path, where) => {
      if (!hasField(path, "pathType")) return [fieldRequired(`${where}.pathType`, "pathType must be specified")];
      return [...pathErrors(path, where), ...backendErrors(fieldsAt(path, "backend"), `${where}.backend`, serviceName)];
    }),
  ];
}

const secretName: StringFormatCheck = (name) => (name === "" ? [] : checkDnsSubdomain(name));

function tlsErrors(tls: Fields, at: string, anySecret: boolean): readonly FieldError[] {
  const hosts = stringsAt(tls, "hosts").flatMap((host, index) => formatErrors(hostCheck(host), `${at}.hosts[${index}]`, host));
  return anySecret ? hosts : [...hosts, ...formatErrors(secretName, `${at}.secretName`, stringField(tls, "secretName"))];
}

function specErrors(spec: Fields, live: Fields): readonly FieldError[] {
  const serviceName = usesPlainLabels(live) ? checkDnsLabel : checkDns1035Label;
  const anySecret = listAt(live, "tls").some((tls) => secretName(stringField(tls, "secretName")).length > 0);
  const empty = listAt(spec, "rules").length === 0 && !hasField(spec, "defaultBackend");
  return [
    ...(empty ? [fieldInvalid("spec", hasField(spec, "rules") ? [] : null, "either `defaultBackend` or `rules` must be specified")] : []),
    ...checkNestedObject(spec, "defaultBackend", "spec", (backend, at) => backendErrors(backend, at, serviceName)),
    ...checkEach(spec, "rules", "spec", (rule, at) => ruleErrors(rule, at, serviceName)),
    ...checkEach(spec, "tls", "spec", (tls, at) => tlsErrors(tls, at, anySecret)),
    ...(hasField(spec, "ingressClassName")
      ? formatErrors(checkDnsSubdomain, "spec.ingressClassName", stringField(spec, "ingressClassName"))
      : []),
  ];
}

/** Service names that only newer rules accept stay valid where the live object uses them. */
function usesPlainLabels(live: Fields): boolean {
  const backends = [
    live["defaultBackend"],
    ...listAt(live, "rules").flatMap((rule) => listAt(rule, "http.paths").map((path) => path["backend"])),
  ];
  const names = backends.map((backend) => stringAt(backend, "service.name")).filter((name) => name !== undefined);
  return names.some((name) => checkDnsLabel(name).length === 0 && checkDns1035Label(name).length > 0);
}

const meta = { name: checkDnsSubdomain, namespaced: true };
const classAnnotation = "kubernetes.io/ingress.class";

function classMatch(ingress: KubeObject): readonly FieldError[] {
  const annotated = ingress.metadata.annotations?.[classAnnotation];
  const named = stringAt(ingress, "spec.ingressClassName");
  if (annotated === undefined || named === undefined || annotated === named) return [];
  return [fieldInvalid(`annotations.${classAnnotation}`, annotated, "must match `ingressClassName` when both are specified")];
}

export const ingressRules: KindRules = {
  create: (object) => [...validateCoreObjectMeta(object, meta), ...specErrors(fieldsAt(object, "spec"), {}), ...classMatch(object)],
  update: (object, live) => [
    ...validateCoreObjectMetaUpdate(object, live),
    ...validateCoreObjectMeta(object, meta),
    ...specErrors(fieldsAt(object, "spec"), fieldsAt(live, "spec")),
  ],
  status: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...validateIngressStatus(object, live)],
};

const longestController = 250;

function parameters(target: Fields, at: string): readonly FieldError[] {
  const scope = stringAt(target, "scope");
  const errors = reference(target, at);
  if (scope === undefined) return [...errors, fieldRequired(`${at}.scope`)];
  if (scope === "Cluster")
    return hasField(target, "namespace")
      ? [...errors, fieldForbidden(`${at}.namespace`, "`parameters.scope` is set to 'Cluster'")]
      : errors;
  if (scope !== "Namespace") return [...errors, fieldNotSupported(`${at}.scope`, scope, ["Cluster", "Namespace"])];
  if (!hasField(target, "namespace")) return [...errors, fieldRequired(`${at}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  return [...errors, ...formatErrors(checkDnsLabel, `${at}.namespace`, stringField(target, "namespace"))];
}

function ingressClass(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const controller = stringField(spec, "controller");
  return [
    ...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: false }),
    ...(controller.length > longestController ? [fieldTooLong("spec.controller", longestController)] : []),
    ...validateDomainPrefixedPath(controller, "spec.controller"),
    ...checkNestedObject(spec, "parameters", "spec", parameters),
  ];
}

export const ingressClassRules: KindRules = {
  create: ingressClass,
  update: (object, live) => [
    ...validateCoreObjectMetaUpdate(object, live),
    ...validateImmutableField(fieldsAt(object, "spec")["controller"], fieldsAt(live, "spec")["controller"], "spec.controller"),
    ...ingressClass(object),
  ],
};
