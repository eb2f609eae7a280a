import { fieldsAt, listAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldDuplicate, fieldForbidden, fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { resourceQuantitiesAt } from "../pod-resources.ts";
import { compareQuantities, printQuantity, quantityOf, type Quantity } from "../quantity.ts";
import { checkEach, stringField, checkNestedObject } from "./field-checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { formatErrors, validateCoreObjectMeta, validateCoreObjectMetaUpdate, immutable } from "./object-meta.ts";
import { checkDnsSubdomain, checkQualifiedName } from "./name-formats.ts";
import {
  allowsOvercommit,
  validateContainerResourceName,
  validateResourceQuantity,
  validateResourceName,
} from "./resource-requirements.ts";

// Models pkg/apis/core/validation/validation.go ValidateResourceQuota and ValidateLimitRange

const meta = { name: checkDnsSubdomain, namespaced: true };
const compute = ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);
const quotaResources = new Set([
  ...compute,
  "ephemeral-storage",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "persistentvolumeclaims",
  "configmaps",
  "services.nodeports",
  "services.loadbalancers",
]);
const isQuotaResource = (name: string): boolean => quotaResources.has(name) || /^(?:requests\.)?hugepages-/.test(name);

function quotaResourceName(name: string, path: string): readonly FieldError[] {
  const errors = validateResourceName(name, path);
  return name.includes("/") || isQuotaResource(name)
    ? errors
    : [...errors, fieldInvalid(path, name, "must be a standard resource for quota")];
}

function amounts(fields: Fields, name: string, path: string): readonly FieldError[] {
  return [...resourceQuantitiesAt(fields, name)].flatMap(([resource, amount]) => {
    const at = `${path}.${name}[${resource}]`;
    return [...quotaResourceName(resource, at), ...validateResourceQuantity(resource, amount, at)];
  });
}

const onlyPods = new Set(["pods"]);
const podResources = new Set(["pods", ...compute]);
const claimResources = new Set(["persistentvolumeclaims", "requests.storage"]);
/** The quota resources that each scope supports. */
const scopes: Readonly<Record<string, ReadonlySet<string>>> = {
  Terminating: podResources,
  NotTerminating: podResources,
  BestEffort: onlyPods,
  NotBestEffort: podResources,
  PriorityClass: podResources,
  CrossNamespacePodAffinity: podResources,
  VolumeAttributesClass: claimResources,
};
const yesOrNo = new Set(["Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity"]);

/** One error for each limit that the scope does not support. */
function unfitLimits(scope: string, spec: Fields, error: FieldError): readonly FieldError[] {
  const fitting = scopes[scope];
  const limits = Object.keys(fieldsAt(spec, "hard")).filter(isQuotaResource);
  return fitting === undefined ? [] : limits.filter((name) => !fitting.has(name)).map(() => error);
}

function conflicts(names: readonly string[], path: string, shown: unknown): readonly FieldError[] {
  const pairs = [
    ["BestEffort", "NotBestEffort"],
    ["Terminating", "NotTerminating"],
  ];
  return pairs.filter((pair) => pair.every((name) => names.includes(name))).map(() => fieldInvalid(path, shown, "conflicting scopes"));
}

function scopeErrors(spec: Fields): readonly FieldError[] {
  const names = stringsAt(spec, "scopes");
  const at = "spec.scopes";
  const each = names.flatMap((scope) => [
    ...(scopes[scope] === undefined ? [fieldInvalid(at, names, "unsupported scope")] : []),
    ...unfitLimits(scope, spec, fieldInvalid(at, names, "unsupported scope applied to resource")),
  ]);
  return [...each, ...conflicts(names, at, names)];
}

const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function scopeOperator(expression: Fields, at: string): readonly FieldError[] {
  const operator = stringField(expression, "operator");
  const values = stringsAt(expression, "values");
  const wanted =
    yesOrNo.has(stringField(expression, "scopeName")) && operator !== "Exists" ? [fieldInvalid(`${at}.operator`, operator, mustExist)] : [];
  if (operator === "In" || operator === "NotIn") {
    const none = fieldRequired(`${at}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
    return values.length === 0 ? [...wanted, none] : wanted;
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    const some = fieldInvalid(`${at}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
    return values.length === 0 ? wanted : [...wanted, some];
  }
  return [...wanted, fieldInvalid(`${at}.operator`, operator, "not a valid selector operator")];
}

function scopeSelector(spec: Fields): readonly FieldError[] {
  const at = "spec.scopeSelector.matchExpressions";
  return checkNestedObject(spec, "scopeSelector", "spec", (selector) => {
    const expressions = listAt(selector, "matchExpressions");
    const errors = expressions.flatMap((expression) => {
      const scope = stringField(expression, "scopeName");
      return [
        ...(scopes[scope] === undefined ? [fieldInvalid(`${at}.scopeName`, scope, "unsupported scope")] : []),
        ...unfitLimits(scope, spec, fieldInvalid(at, selectorAsGo(expressions), "unsupported scope applied to resource")),
        ...scopeOperator(expression, at),
      ];
    });
    return [
      ...errors,
      ...conflicts(
        expressions.map((expression) => stringField(expression, "scopeName")),
        at,
        spec["scopes"] ?? null,
      ),
    ];
  });
}

/** The server prints its internal type. */
function selectorAsGo(expressions: readonly Fields[]): Fields {
  return {
    MatchExpressions: expressions.map((expression) => ({
      ScopeName: stringField(expression, "scopeName"),
      Operator: stringField(expression, "operator"),
      Values: expression["values"] ?? null,
    })),
  };
}

function quotaSpec(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  return [...amounts(spec, "hard", "spec"), ...scopeErrors(spec), ...scopeSelector(spec)];
}

function quotaStatus(object: KubeObject): readonly FieldError[] {
  const status = fieldsAt(object, "status");
  return [...amounts(status, "hard", "status"), ...amounts(status, "used", "status")];
}

export const resourceQuotaRules: KindRules = {
  create: (object) => [...validateCoreObjectMeta(object, meta), ...quotaSpec(object), ...quotaStatus(object)],
  update: (object, live) => {
    const [after, before] = [new Set(stringsAt(object, "spec.scopes")), new Set(stringsAt(live, "spec.scopes"))];
    const same = after.size === before.size && [...after].every((scope) => before.has(scope));
    const shown = fieldsAt(object, "spec")["scopes"] ?? null;
    return [
      ...validateCoreObjectMetaUpdate(object, live),
      ...quotaSpec(object),
      ...(same ? [] : [fieldInvalid("spec.scopes", shown, immutable)]),
    ];
  },
  status: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...quotaStatus(object)],
};

const limitTypes = new Set(["Pod", "Container", "PersistentVolumeClaim"]);

function limitType(type: string, at: string): readonly FieldError[] {
  const errors = formatErrors(checkQualifiedName, at, type);
  if (errors.length > 0 || type.includes("/") || limitTypes.has(type)) return errors;
  return [fieldInvalid(at, type, "must be a standard limit type or fully qualified")];
}

function namesOf(limit: Fields, field: string, path: string): readonly FieldError[] {
  const check = ["Pod", "Container"].includes(stringField(limit, "type")) ? validateContainerResourceName : validateResourceName;
  return Object.keys(fieldsAt(limit, field)).flatMap((name) => check(name, `${path}.${field}[${name}]`));
}

function limitErrors(limit: Fields, path: string): readonly FieldError[] {
  const isPod = stringField(limit, "type") === "Pod";
  const lists = isPod ? ["min", "max"] : ["max", "min", "default", "defaultRequest"];
  const forbiddenFields = ["default", "defaultRequest"].filter((field) => isPod && Object.keys(fieldsAt(limit, field)).length > 0);
  const bounded = ["min", "max"].some((field) => fieldsAt(limit, field)["storage"] !== undefined);
  const unbounded = stringField(limit, "type") === "PersistentVolumeClaim" && !bounded;
  return [
    ...["max", "min"].flatMap((field) => namesOf(limit, field, path)),
    ...forbiddenFields.map((field) => fieldForbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'")),
    ...(isPod ? [] : ["default", "defaultRequest"].flatMap((field) => namesOf(limit, field, path))),
    ...(unbounded
      ? [fieldRequired(`${path}.limits`, "either minimum or maximum storage value is required, but neither was provided")]
      : []),
    ...namesOf(limit, "maxLimitRequestRatio", path),
    ...[...new Set([...lists, "maxLimitRequestRatio"].flatMap((field) => Object.keys(fieldsAt(limit, field))))].flatMap((name) =>
      amountErrors(limit, name, path, isPod),
    ),
  ];
}

const one = quantityOf("1");

const more = (a: Quantity | undefined, b: Quantity | undefined): boolean =>
  a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
const shown = (value: Quantity | undefined): string => (value ? printQuantity(value) : "");

function amountErrors(limit: Fields, name: string, path: string, isPod: boolean): readonly FieldError[] {
  const of = (field: string): Quantity | undefined =>
    isPod && field.startsWith("default") ? undefined : resourceQuantitiesAt(limit, field).get(name);
  const [min, max, standard, asked, ratio] = [of("min"), of("max"), of("default"), of("defaultRequest"), of("maxLimitRequestRatio")];
  const error = (field: string, value: Quantity | undefined, detail: string): FieldError =>
    fieldInvalid(`${path}.${field}[${name}]`, value && printQuantity(value), detail);
  const uneven = !allowsOvercommit(name) && standard !== undefined && asked !== undefined && compareQuantities(standard, asked) !== 0;
  return [
    ...(more(min, max) ? [error("min", min, `min value ${shown(min)} is greater than max value ${shown(max)}`)] : []),
    ...(more(min, asked)
      ? [error("defaultRequest", asked, `min value ${shown(min)} is greater than default request value ${shown(asked)}`)]
      : []),
    ...(more(asked, max)
      ? [error("defaultRequest", asked, `default request value ${shown(asked)} is greater than max value ${shown(max)}`)]
      : []),
    ...(more(asked, standard)
      ? [error("defaultRequest", asked, `default request value ${shown(asked)} is greater than default limit value ${shown(standard)}`)]
      : []),
    ...(more(min, standard) ? [error("default", min, `min value ${shown(min)} is greater than default value ${shown(standard)}`)] : []),
    ...(more(standard, max) ? [error("default", max, `default value ${shown(standard)} is greater than max value ${shown(max)}`)] : []),
    ...(more(one, ratio) ? [error("maxLimitRequestRatio", ratio, `ratio ${shown(ratio)} is less than 1`)] : []),
    ...(ratio && min && max ? ratioErrors(ratio, min, max, (detail) => error("maxLimitRequestRatio", ratio, detail)) : []),
    ...(uneven
      ? [error("defaultRequest", asked, `default value ${shown(standard)} must equal to defaultRequest value ${shown(asked)} in ${name}`)]
      : []),
  ];
}

function ratioErrors(ratio: Quantity, min: Quantity, max: Quantity, error: (detail: string) => FieldError): readonly FieldError[] {
  const limit = Number(max.nano) / Number(min.nano);
  return Number(ratio.nano) / 1e9 > limit ? [error(`ratio ${printQuantity(ratio)} is greater than max/min = ${limit.toFixed(6)}`)] : [];
}

function limitRange(object: KubeObject): readonly FieldError[] {
  const seen = new Set<string>();
  const limits = checkEach(fieldsAt(object, "spec"), "limits", "spec", (limit, at) => {
    const type = stringField(limit, "type");
    const twice = seen.has(type) ? [fieldDuplicate(`${at}.type`, type)] : [];
    seen.add(type);
    return [...limitType(type, `${at}.type`), ...twice, ...limitErrors(limit, at)];
  });
  return [...validateCoreObjectMeta(object, meta), ...limits];
}

export const limitRangeRules: KindRules = { create: limitRange, update: limitRange };
