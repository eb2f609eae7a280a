import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldDuplicate, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { checkEach, hasField, checkOptionalOneOf, stringField, checkNestedObject } from "./field-checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { checkMatchConditions } from "./match-conditions.ts";
import { formatErrors, validateLabelSelector, validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.ts";
import { checkDns1035Label, checkDnsSubdomain, inclusiveRange } from "./name-formats.ts";

// Models pkg/apis/admissionregistration/validation/validation.go, webhook configurations

function fullName(name: string, at: string): readonly FieldError[] {
  if (name === "") return [fieldRequired(at)];
  const problems = checkDnsSubdomain(name);
  if (problems.length > 0) return [fieldInvalid(at, name, problems.join(","))];
  return name.split(".").length < 3 ? [fieldInvalid(at, name, "should be a domain with at least three segments separated by dots")] : [];
}

function alone(rule: Fields, name: string, path: string, noun: string): readonly FieldError[] {
  const values = stringsAt(rule, name);
  const at = `${path}.${name}`;
  if (values.length === 0) return [fieldRequired(at)];
  return values.length > 1 && values.includes("*") ? [fieldInvalid(at, values, `if '*' is present, must not specify other ${noun}`)] : [];
}

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

function resources(rule: Fields, path: string): readonly FieldError[] {
  const names = stringsAt(rule, "resources");
  const at = `${path}.resources`;
  // The server looks at the last of them alone.
  const last = names.findLast((name) => name !== "" && !name.includes("/"));
  return [
    ...(names.length === 0 ? [fieldRequired(at)] : []),
    ...names.flatMap((name, index) =>
      name === "" ? [fieldRequired(`${at}[${index}]`)] : covered(names.slice(0, index), name, `${at}[${index}]`),
    ),
    ...(names.length > 1 && names.includes("*/*")
      ? [fieldInvalid(at, names, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(names.includes("*") && last !== "*"
      ? [fieldInvalid(at, names, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}

/** Reports names that an earlier pattern already covers. */
function covered(before: readonly string[], name: string, at: string): readonly FieldError[] {
  const slash = name.indexOf("/");
  if (slash < 0) return [];
  const patterns = [`${name.slice(0, slash)}/*`, `*/${name.slice(slash + 1)}`];
  return patterns
    .filter((pattern) => before.includes(pattern))
    .map((pattern) => fieldInvalid(at, name, `if '${pattern}' is present, must not specify ${name}`));
}

/** What is wrong with a rule of a webhook or of a policy. */
export function validateRuleWithOperations(fields: Fields, path: string): readonly FieldError[] {
  const unknown = stringsAt(fields, "operations").flatMap((operation, index) =>
    operations.includes(operation) ? [] : [fieldNotSupported(`${path}.operations[${index}]`, operation, operations)],
  );
  return [
    ...alone(fields, "operations", path, "operations"),
    ...unknown,
    ...alone(fields, "apiGroups", path, "API groups"),
    ...alone(fields, "apiVersions", path, "API versions"),
    ...stringsAt(fields, "apiVersions").flatMap((version, index) =>
      version === "" ? [fieldRequired(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...resources(fields, path),
    ...checkOptionalOneOf(fields, "scope", path, ["*", "Cluster", "Namespaced"]),
  ];
}

const form = "; desired format: https://host[/path]";

function url(value: string, at: string): readonly FieldError[] {
  const parts = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(value) ?? [];
  const [, scheme = "", user, host = "", query = "", fragment = ""] = parts;
  return [
    ...(scheme.toLowerCase() === "https" ? [] : [fieldInvalid(at, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`)]),
    ...(host === "" ? [fieldInvalid(at, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [fieldInvalid(at, user, "user information is not permitted in the URL")]),
    ...(fragment === "" ? [] : [fieldInvalid(at, fragment, "fragments are not permitted in the URL")]),
    ...(query === "" ? [] : [fieldInvalid(at, query, "query parameters are not permitted in the URL")]),
  ];
}

/** The server swaps name and namespace: each is reported at the other's path. */
function service(fields: Fields, at: string): readonly FieldError[] {
  const port = numberAt(fields, "port", 0);
  const wrongPort = port < 1 || port > 65_535 ? [fieldInvalid(`${at}.port`, port, `port is not valid: ${inclusiveRange(1, 65_535)}`)] : [];
  return [
    ...(stringField(fields, "namespace") === "" ? [fieldRequired(`${at}.name`)] : []),
    ...(stringField(fields, "name") === "" ? [fieldRequired(`${at}.namespace`)] : []),
    ...wrongPort,
    ...urlPath(stringAt(fields, "path", "/"), `${at}.path`),
  ];
}

function urlPath(path: string, at: string): readonly FieldError[] {
  if (path === "/" || path === "") return [];
  if (path === "//") return [fieldInvalid(at, path, "segment[0] may not be empty")];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  return [
    ...(path.startsWith("/") ? [] : [fieldInvalid(at, path, "must start with a '/'")]),
    ...steps.flatMap((step, index) =>
      step === ""
        ? [fieldInvalid(at, path, `segment[${index}] may not be empty`)]
        : checkDnsSubdomain(step).map((problem) => fieldInvalid(at, path, `segment[${index}]: ${problem}`)),
    ),
  ];
}

/** What is wrong with how a webhook is called. */
export function validateWebhookClient(config: Fields, at: string): readonly FieldError[] {
  if (hasField(config, "url") === hasField(config, "service")) return [fieldRequired(at, "exactly one of url or service is required")];
  return hasField(config, "url") ? url(stringField(config, "url"), `${at}.url`) : checkNestedObject(config, "service", at, service);
}

function sideEffects(hook: Fields, path: string): readonly FieldError[] {
  const harmless = ["None", "NoneOnDryRun"];
  if (!hasField(hook, "sideEffects")) return [fieldRequired(`${path}.sideEffects`, `must specify one of ${harmless.join(", ")}`)];
  return checkOptionalOneOf(hook, "sideEffects", path, harmless);
}

function reviewVersions(hook: Fields, path: string): readonly FieldError[] {
  const at = `${path}.admissionReviewVersions`;
  const versions = stringsAt(hook, "admissionReviewVersions");
  if (versions.length === 0) return [fieldRequired(at, "must specify one of v1, v1beta1")];
  const known = versions.some((version) => version === "v1" || version === "v1beta1");
  return [
    ...versions.flatMap((version, index) =>
      versions.indexOf(version) < index
        ? [fieldInvalid(`${at}[${index}]`, version, "duplicate version")]
        : formatErrors(checkDns1035Label, `${at}[${index}]`, version),
    ),
    ...(known ? [] : [fieldInvalid(at, versions, "must include at least one of v1, v1beta1")]),
  ];
}

function webhook(hook: Fields, path: string): readonly FieldError[] {
  const seconds = numberAt(hook, "timeoutSeconds", 10);
  const unfit = seconds > 30 || seconds < 1;
  return [
    ...fullName(stringField(hook, "name"), `${path}.name`),
    ...checkEach(hook, "rules", path, validateRuleWithOperations),
    ...checkOptionalOneOf(hook, "failurePolicy", path, ["Fail", "Ignore"]),
    ...checkOptionalOneOf(hook, "matchPolicy", path, ["Equivalent", "Exact"]),
    ...sideEffects(hook, path),
    ...(unfit ? [fieldInvalid(`${path}.timeoutSeconds`, seconds, "the timeout value must be between 1 and 30 seconds")] : []),
    ...checkNestedObject(hook, "namespaceSelector", path, validateLabelSelector),
    ...checkNestedObject(hook, "objectSelector", path, validateLabelSelector),
    ...checkOptionalOneOf(hook, "reinvocationPolicy", path, ["IfNeeded", "Never"]),
    ...validateWebhookClient(fieldsAt(hook, "clientConfig"), `${path}.clientConfig`),
    ...reviewVersions(hook, path),
    ...checkMatchConditions(hook, `${path}.matchConditions`, { hasParams: false, hasAuthorizer: true }),
  ];
}

function configuration(object: KubeObject): readonly FieldError[] {
  const names = new Set<string>();
  const hooks = listAt(object, "webhooks").flatMap((hook, index) => {
    const path = `webhooks[${index}]`;
    const name = stringField(hook, "name");
    const twice = name !== "" && names.has(name) ? [fieldDuplicate(`${path}.name`, name)] : [];
    names.add(name);
    return [...webhook(hook, path), ...twice];
  });
  return [...validateObjectMeta(object, { name: checkDnsSubdomain, namespaced: false }), ...hooks];
}

export const webhookConfigurationRules: KindRules = { create: configuration, update: configuration, status: validateObjectMetaUpdate };
