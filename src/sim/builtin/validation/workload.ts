import { fieldsAt, listAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isSemanticallySame, withField, without } from "../edit.ts";
import { has, nonNegative, text, within } from "./check.ts";
import { atMostAll, intOrPercent, isNone } from "./int-or-percent.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate, labelSelector, unchanged } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";
import { podTemplate } from "./pod.ts";
import { isEmptySelector, isUsable, mismatch, printedMap, selectorErrors } from "./selector.ts";
import { counters } from "./status.ts";

// Models pkg/apis/apps/validation/validation.go

function alwaysRestarting(spec: Fields, path: string, kind: string): readonly FieldError[] {
  const policy = stringAt(spec, "template.spec.restartPolicy", "");
  const timed = has(fieldsAt(spec, "template.spec"), "activeDeadlineSeconds");
  return [
    ...(policy === "Always" ? [] : [notSupported(`${path}.template.spec.restartPolicy`, policy, ["Always"])]),
    ...(timed ? [forbidden(`${path}.template.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)] : []),
  ];
}

function templateErrors(spec: Fields, path: string, kind: string): readonly FieldError[] {
  return [...mismatch(spec, path), ...podTemplate(fieldsAt(spec, "template"), `${path}.template`), ...alwaysRestarting(spec, path, kind)];
}

function deploymentStrategy(strategy: Fields, path: string): readonly FieldError[] {
  const type = text(strategy, "type");
  if (type === "Recreate") return has(strategy, "rollingUpdate") ? [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")] : [];
  if (type !== "RollingUpdate") return [notSupported(path, strategy, ["Recreate", "RollingUpdate"])];
  return within(strategy, "rollingUpdate", path, (rolling, at) => {
    const stuck = isNone(rolling["maxUnavailable"]) && isNone(rolling["maxSurge"]);
    return [
      ...intOrPercent(rolling["maxUnavailable"], `${at}.maxUnavailable`),
      ...intOrPercent(rolling["maxSurge"], `${at}.maxSurge`),
      ...(stuck ? [invalid(`${at}.maxUnavailable`, rolling["maxUnavailable"], "may not be 0 when `maxSurge` is 0")] : []),
      ...atMostAll(rolling["maxUnavailable"], `${at}.maxUnavailable`),
    ];
  });
}

export function deployment(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const [deadline, ready] = [numberAt(spec, "progressDeadlineSeconds"), numberAt(spec, "minReadySeconds", 0)];
  const early = deadline !== undefined && deadline <= ready;
  return [
    ...nonNegative(spec, "replicas", "spec"),
    ...selectorErrors(spec, "spec", "deployment"),
    ...templateErrors(spec, "spec", "ReplicaSet"),
    ...deploymentStrategy(fieldsAt(spec, "strategy"), "spec.strategy"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...nonNegative(spec, "revisionHistoryLimit", "spec"),
    ...nonNegative(spec, "progressDeadlineSeconds", "spec"),
    ...(early ? [invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")] : []),
  ];
}

export function replicaSet(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  return [
    ...nonNegative(spec, "replicas", "spec"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...selectorErrors(spec, "spec", "deployment"),
    ...templateErrors(spec, "spec", "ReplicaSet"),
  ];
}

export function sameSelector(object: KubeObject, live: KubeObject): readonly FieldError[] {
  return unchanged(fieldsAt(object, "spec")["selector"], fieldsAt(live, "spec")["selector"], "spec.selector");
}

function daemonSetStrategy(strategy: Fields, path: string): readonly FieldError[] {
  const type = text(strategy, "type");
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") return [notSupported(path, strategy, ["RollingUpdate", "OnDelete"])];
  return within(strategy, "rollingUpdate", path, (rolling, at) => {
    const [unavailable, surge] = [rolling["maxUnavailable"], rolling["maxSurge"]];
    return [
      ...intOrPercent(unavailable, `${at}.maxUnavailable`),
      ...intOrPercent(surge, `${at}.maxSurge`),
      ...atMostAll(unavailable, `${at}.maxUnavailable`),
      ...atMostAll(surge, `${at}.maxSurge`),
      ...(!isNone(unavailable) && !isNone(surge) ? [invalid(`${at}.maxSurge`, surge, "may not be set when maxUnavailable is non-zero")] : []),
      ...(isNone(unavailable) && isNone(surge) ? [required(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")] : []),
    ];
  });
}

export function daemonSet(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const selector = selectorErrors(spec, "spec", "daemonset").filter((error) => error.reason !== "FieldValueRequired");
  return [
    ...selector.filter((error) => !error.message.includes("empty selector")),
    ...mismatch(spec, "spec"),
    ...selector.filter((error) => error.message.includes("empty selector")),
    ...podTemplate(fieldsAt(spec, "template"), "spec.template"),
    ...alwaysRestarting(spec, "spec", "DaemonSet"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...daemonSetStrategy(fieldsAt(spec, "updateStrategy"), "spec.updateStrategy"),
    ...nonNegative(spec, "revisionHistoryLimit", "spec"),
  ];
}

/** Models pkg/apis/core/validation/validation.go ValidateReplicationController */
export function replicationController(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const selector = mapAt(spec, "selector");
  const labels = mapAt(spec, "template.metadata.labels");
  if (!has(spec, "template")) return [...nonNegative(spec, "replicas", "spec"), ...(Object.keys(selector).length === 0 ? [required("spec.selector")] : []), required("spec.template")];
  const matches = Object.entries(selector).every(([key, value]) => labels[key] === value);
  return [
    ...nonNegative(spec, "replicas", "spec"),
    ...(Object.keys(selector).length === 0 ? [required("spec.selector")] : []),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...(matches ? [] : [invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")]),
    ...podTemplate(fieldsAt(spec, "template"), "spec.template"),
    ...alwaysRestarting(spec, "spec", "ReplicationController"),
  ];
}
