import { fieldsAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { quantityOf } from "../quantity.ts";
import {
  checkEach,
  hasField,
  checkRequired,
  checkNonNegative,
  checkOptionalOneOf,
  stringField,
  checkNestedObject,
} from "./field-checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { formatErrors, validateCoreObjectMeta, validateCoreObjectMetaUpdate, notNegative } from "./object-meta.ts";
import { checkDnsLabel, checkDnsSubdomain, checkPathSegment } from "./name-formats.ts";
import { validateContainerResourceName } from "./resource-requirements.ts";

// Models pkg/apis/autoscaling/validation/validation.go

/** What the apiVersion of a reference must be: anything, well formed, or well formed with a group. */
type VersionRule = "anything" | "wellFormed" | "withGroup";

/** Validates a reference by itself: the object it names need not exist. Most references may leave the group out. */
function reference(ref: Fields, path: string, rule: VersionRule = "wellFormed"): readonly FieldError[] {
  const version = stringField(ref, "apiVersion");
  const why = rule === "anything" ? undefined : versionProblem(version, rule);
  const wrong = why === undefined ? [] : [fieldInvalid(`${path}.apiVersion`, version, why)];
  return [...checkRequired(ref, "kind", path, checkPathSegment), ...checkRequired(ref, "name", path, checkPathSegment), ...wrong];
}

function versionProblem(version: string, rule: VersionRule): string | undefined {
  const parts = version.split("/").length;
  if (parts > 2) return `unexpected GroupVersion string: ${version}`;
  return rule === "withGroup" && parts < 2 ? "apiVersion must specify API group" : undefined;
}

/**
 * The rule for what is scaled: an update accepts what the live object already has, and only ReplicationControllers have no group.
 * Models pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go validationOptionsForHorizontalPodAutoscaler
 */
function targetRule(object: KubeObject, live?: KubeObject): VersionRule {
  const [now, before] = [fieldsAt(object, "spec.scaleTargetRef"), live === undefined ? {} : fieldsAt(live, "spec.scaleTargetRef")];
  if (live !== undefined && now["apiVersion"] === before["apiVersion"] && now["kind"] === before["kind"]) return "anything";
  return now["kind"] === "ReplicationController" ? "wellFormed" : "withGroup";
}

function targetErrors(target: Fields, path: string): readonly FieldError[] {
  const type = stringField(target, "type");
  const utilization = numberAt(target, "averageUtilization");
  const amounts = ["value", "averageValue"].filter((name) => hasField(target, name) && quantityOf(target[name]).nano <= 0n);
  return [
    ...(type === "" ? [fieldRequired(`${path}.type`, "must specify a metric target type")] : []),
    ...(["Utilization", "Value", "AverageValue"].includes(type)
      ? []
      : [fieldInvalid(`${path}.type`, type, "must be either Utilization, Value, or AverageValue")]),
    ...amounts.map((name) => fieldInvalid(`${path}.${name}`, target[name], "must be positive")),
    ...(utilization !== undefined && utilization < 1
      ? [fieldInvalid(`${path}.averageUtilization`, utilization, "must be greater than 0")]
      : []),
  ];
}

function identifier(source: Fields, path: string): readonly FieldError[] {
  const name = stringAt(source, "metric.name", "");
  return name === ""
    ? [fieldRequired(`${path}.metric.name`, "must specify a metric name")]
    : formatErrors(checkPathSegment, `${path}.metric.name`, name);
}

/** At least one of two ways to set a target is required, and for some sources not both. */
function eitherOf(
  target: Fields,
  path: string,
  first: string,
  second: string,
  details: { readonly none: string; readonly both?: string },
): readonly FieldError[] {
  const [a, b] = [hasField(target, first), hasField(target, second)];
  const missing = first === "value" ? second : first;
  const extra = first === "value" ? first : second;
  return [
    ...(!a && !b ? [fieldRequired(`${path}.target.${missing}`, details.none)] : []),
    ...(a && b && details.both !== undefined ? [fieldForbidden(`${path}.target.${extra}`, details.both)] : []),
  ];
}

const raw = {
  none: "must set either a target raw value or a target utilization",
  both: "may not set both a target raw value and a target utilization",
};

const sources: Readonly<Record<string, (source: Fields, path: string, target: Fields) => readonly FieldError[]>> = {
  object: (source, path, target) => [
    ...reference(fieldsAt(source, "describedObject"), `${path}.describedObject`),
    ...identifier(source, path),
    ...targetErrors(target, `${path}.target`),
    ...eitherOf(target, path, "value", "averageValue", { none: "must set either a target value or averageValue" }),
  ],
  external: (source, path, target) => [
    ...identifier(source, path),
    ...targetErrors(target, `${path}.target`),
    ...eitherOf(target, path, "value", "averageValue", {
      none: "must set either a target value for metric or a per-pod target",
      both: "may not set both a target value for metric and a per-pod target",
    }),
  ],
  pods: (source, path, target) => [
    ...identifier(source, path),
    ...targetErrors(target, `${path}.target`),
    ...(hasField(target, "averageValue")
      ? []
      : [fieldRequired(`${path}.target.averageValue`, "must specify a positive target averageValue")]),
  ],
  resource: (source, path, target) => [
    ...(stringField(source, "name") === "" ? [fieldRequired(`${path}.name`, "must specify a resource name")] : []),
    ...targetErrors(target, `${path}.target`),
    ...eitherOf(target, path, "averageUtilization", "averageValue", raw),
  ],
  containerResource: (source, path, target) => [
    ...(stringField(source, "name") === ""
      ? [fieldRequired(`${path}.name`, "must specify a resource name")]
      : validateContainerResourceName(stringField(source, "name"), `${path}.name`)),
    ...(stringField(source, "container") === ""
      ? [fieldRequired(`${path}.container`, "must specify a container")]
      : formatErrors(checkDnsLabel, `${path}.container`, stringField(source, "container"))),
    ...targetErrors(target, `${path}.target`),
    ...eitherOf(target, path, "averageUtilization", "averageValue", raw),
  ],
};

const types: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

function metric(spec: Fields, path: string): readonly FieldError[] {
  const type = stringField(spec, "type");
  const expected = types[type];
  const unknown = expected === undefined ? [fieldNotSupported(`${path}.type`, type, Object.keys(types))] : [];
  const given = Object.keys(sources).filter((name) => hasField(spec, name));
  const first = given[0];
  const check = first === undefined ? undefined : sources[first];
  const others = given.length === 1 ? [] : given.filter((name) => name !== expected);
  return [
    ...(type === "" ? [fieldRequired(`${path}.type`, "must specify a metric source type")] : []),
    ...unknown,
    ...(first !== undefined && check
      ? checkNestedObject(spec, first, path, (source, at) => check(source, at, fieldsAt(source, "target")))
      : []),
    ...(expected !== undefined && !hasField(spec, expected)
      ? [fieldRequired(`${path}.${expected}`, "must populate information for the given metric source")]
      : []),
    ...unknown,
    ...others.map((name) => fieldForbidden(`${path}.${name}`, "must populate the given metric source only")),
  ];
}

const most = { window: 3600, period: 1800 };

function scalingRules(rules: Fields, path: string): readonly FieldError[] {
  const window = numberAt(rules, "stabilizationWindowSeconds");
  const at = `${path}.stabilizationWindowSeconds`;
  const policies = rules["policies"];
  const none = !Array.isArray(policies) || policies.length === 0;
  const negative = hasField(rules, "tolerance") && quantityOf(rules["tolerance"]).nano < 0n;
  return [
    ...(window !== undefined && window < 0 ? [fieldInvalid(at, window, "must be greater than or equal to zero")] : []),
    ...(window !== undefined && window > most.window ? [fieldInvalid(at, window, `must be less than or equal to ${most.window}`)] : []),
    ...checkOptionalOneOf(rules, "selectPolicy", path, ["Disabled", "Max", "Min"]),
    ...(none ? [fieldRequired(`${path}.policies`, "must specify at least one Policy")] : []),
    ...checkEach(rules, "policies", path, scalingPolicy),
    ...(negative ? [fieldInvalid(`${path}.tolerance`, rules["tolerance"], notNegative)] : []),
  ];
}

function scalingPolicy(policy: Fields, path: string): readonly FieldError[] {
  const [value, period] = [numberAt(policy, "value", 0), numberAt(policy, "periodSeconds", 0)];
  const type = stringField(policy, "type");
  return [
    ...(["Pods", "Percent"].includes(type) ? [] : [fieldNotSupported(`${path}.type`, type, ["Percent", "Pods"])]),
    ...(value <= 0 ? [fieldInvalid(`${path}.value`, value, "must be greater than zero")] : []),
    ...(period <= 0 ? [fieldInvalid(`${path}.periodSeconds`, period, "must be greater than zero")] : []),
    ...(period > most.period ? [fieldInvalid(`${path}.periodSeconds`, period, `must be less than or equal to ${most.period}`)] : []),
  ];
}

function autoscaler(object: KubeObject, rule: VersionRule): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const [low, high] = [numberAt(spec, "minReplicas"), numberAt(spec, "maxReplicas", 0)];
  return [
    ...(low !== undefined && low < 1 ? [fieldInvalid("spec.minReplicas", low, "must be greater than or equal to 1")] : []),
    ...(high < 1 ? [fieldInvalid("spec.maxReplicas", high, "must be greater than 0")] : []),
    ...(low !== undefined && high < low ? [fieldInvalid("spec.maxReplicas", high, "must be greater than or equal to `minReplicas`")] : []),
    ...reference(fieldsAt(spec, "scaleTargetRef"), "spec.scaleTargetRef", rule),
    ...checkEach(spec, "metrics", "spec", metric),
    ...(low === 0 ? zeroReplicas(spec) : []),
    ...checkNestedObject(spec, "behavior", "spec", (behavior, at) => [
      ...checkNestedObject(behavior, "scaleUp", at, scalingRules),
      ...checkNestedObject(behavior, "scaleDown", at, scalingRules),
    ]),
  ];
}

function zeroReplicas(spec: Fields): readonly FieldError[] {
  const seen = checkEach(spec, "metrics", "spec", (one, at) =>
    ["Object", "External"].includes(stringField(one, "type")) ? [fieldRequired(at)] : [],
  );
  return seen.length > 0
    ? []
    : [fieldForbidden("spec.metrics", "must specify at least one Object or External metric to support scaling to zero replicas")];
}

export const autoscalerRules: KindRules = {
  create: (object) => [
    ...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: true }),
    ...autoscaler(object, targetRule(object)),
  ],
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...autoscaler(object, targetRule(object, live))],
  status: (object, live) => [
    ...validateCoreObjectMetaUpdate(object, live),
    ...["currentReplicas", "desiredReplicas"].flatMap((name) => checkNonNegative(fieldsAt(object, "status"), name, "status")),
  ],
};
