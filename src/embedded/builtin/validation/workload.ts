import { fieldsAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { hasField, checkNonNegative, stringField, checkNestedObject } from "./field-checks.ts";
import { asGo } from "./go-value.ts";
import { validateAtMost100Percent, validateIntOrPercent, isZeroIntOrPercent } from "./int-or-percent.ts";
import type { KindRules } from "./kind-rules.ts";
import { validateCoreObjectMeta, validateCoreObjectMetaUpdate, validateLabelSelector, validateImmutableField } from "./object-meta.ts";
import { checkDnsSubdomain } from "./name-formats.ts";
import { validatePodTemplate } from "./pod.ts";
import { isEmptyLabelSelector, isValidSelector, validateTemplateLabels, printedMap, selectorErrors } from "./label-selector.ts";
import { workloadStatusRules } from "./workload-status.ts";

// Models pkg/apis/apps/validation/validation.go: Deployment, ReplicaSet, DaemonSet; and pkg/apis/core/validation ValidateReplicationController

const meta = { name: checkDnsSubdomain, namespaced: true };

export function validateRestartPolicyAlways(spec: Fields, path: string, kind: string): readonly FieldError[] {
  const policy = stringAt(spec, "template.spec.restartPolicy", "");
  const timed = hasField(fieldsAt(spec, "template.spec"), "activeDeadlineSeconds");
  return [
    ...(policy === "Always" ? [] : [fieldNotSupported(`${path}.template.spec.restartPolicy`, policy, ["Always"])]),
    ...(timed ? [fieldForbidden(`${path}.template.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)] : []),
  ];
}

/** A template is compared only with a valid selector. */
function templateErrors(spec: Fields, path: string): readonly FieldError[] {
  if (!isValidSelector(spec["selector"])) return [fieldInvalid(`${path}.selector`, spec["selector"], "invalid label selector")];
  return [
    ...validateTemplateLabels(spec, path),
    ...validatePodTemplate(fieldsAt(spec, "template"), `${path}.template`),
    ...validateRestartPolicyAlways(spec, path, "ReplicaSet"),
  ];
}

function deploymentStrategy(strategy: Fields, path: string): readonly FieldError[] {
  const type = stringField(strategy, "type");
  if (type === "Recreate")
    return hasField(strategy, "rollingUpdate")
      ? [fieldForbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  if (type !== "RollingUpdate") return [fieldNotSupported(path, asGo(strategy, "apps.DeploymentStrategy"), ["Recreate", "RollingUpdate"])];
  return checkNestedObject(strategy, "rollingUpdate", path, (rolling, at) => {
    const stuck = isZeroIntOrPercent(rolling["maxUnavailable"]) && isZeroIntOrPercent(rolling["maxSurge"]);
    return [
      ...validateIntOrPercent(rolling["maxUnavailable"], `${at}.maxUnavailable`),
      ...validateIntOrPercent(rolling["maxSurge"], `${at}.maxSurge`),
      ...(stuck ? [fieldInvalid(`${at}.maxUnavailable`, rolling["maxUnavailable"], "may not be 0 when `maxSurge` is 0")] : []),
      ...validateAtMost100Percent(rolling["maxUnavailable"], `${at}.maxUnavailable`),
    ];
  });
}

function deployment(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const deadline = numberAt(spec, "progressDeadlineSeconds");
  const early = deadline !== undefined && deadline <= numberAt(spec, "minReadySeconds", 0);
  return [
    ...checkNonNegative(spec, "replicas", "spec"),
    ...selectorErrors(spec, "spec", "deployment"),
    ...templateErrors(spec, "spec"),
    ...deploymentStrategy(fieldsAt(spec, "strategy"), "spec.strategy"),
    ...checkNonNegative(spec, "minReadySeconds", "spec"),
    ...checkNonNegative(spec, "revisionHistoryLimit", "spec"),
    ...checkNonNegative(spec, "progressDeadlineSeconds", "spec"),
    ...(early ? [fieldInvalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")] : []),
  ];
}

function sameSelector(object: KubeObject, live: KubeObject): readonly FieldError[] {
  return validateImmutableField(fieldsAt(object, "spec")["selector"], fieldsAt(live, "spec")["selector"], "spec.selector");
}

export const deploymentRules: KindRules = {
  create: (object) => [...validateCoreObjectMeta(object, meta), ...deployment(object)],
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...deployment(object), ...sameSelector(object, live)],
  status: workloadStatusRules({
    counts: [
      "observedGeneration",
      "replicas",
      "updatedReplicas",
      "readyReplicas",
      "availableReplicas",
      "unavailableReplicas",
      "terminatingReplicas",
      "collisionCount",
    ],
    within: [
      ["updatedReplicas", "replicas", "status.replicas"],
      ["readyReplicas", "replicas", "status.replicas"],
      ["availableReplicas", "replicas", "status.replicas"],
      ["availableReplicas", "readyReplicas", "readyReplicas"],
    ],
  }),
};

function replicaSet(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  return [
    ...checkNonNegative(spec, "replicas", "spec"),
    ...checkNonNegative(spec, "minReadySeconds", "spec"),
    ...selectorErrors(spec, "spec", "deployment"),
    ...templateErrors(spec, "spec"),
  ];
}

const replicaCounters = {
  counts: ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration", "terminatingReplicas"],
  within: [
    ["fullyLabeledReplicas", "replicas", "status.replicas"],
    ["readyReplicas", "replicas", "status.replicas"],
    ["availableReplicas", "replicas", "status.replicas"],
    ["availableReplicas", "readyReplicas", "readyReplicas"],
  ],
} as const;

export const replicaSetRules: KindRules = {
  create: (object) => [...validateCoreObjectMeta(object, meta), ...replicaSet(object)],
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...replicaSet(object), ...sameSelector(object, live)],
  status: workloadStatusRules(replicaCounters),
};

function daemonSetStrategy(strategy: Fields, path: string): readonly FieldError[] {
  const type = stringField(strategy, "type");
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate")
    return [fieldNotSupported(path, asGo(strategy, "apps.DaemonSetUpdateStrategy"), ["RollingUpdate", "OnDelete"])];
  if (!hasField(strategy, "rollingUpdate")) return [fieldRequired(`${path}.rollingUpdate`)];
  return checkNestedObject(strategy, "rollingUpdate", path, (rolling, at) => {
    const [unavailable, surge] = [rolling["maxUnavailable"], rolling["maxSurge"]];
    return [
      ...validateIntOrPercent(unavailable, `${at}.maxUnavailable`),
      ...validateIntOrPercent(surge, `${at}.maxSurge`),
      ...validateAtMost100Percent(unavailable, `${at}.maxUnavailable`),
      ...validateAtMost100Percent(surge, `${at}.maxSurge`),
      ...(!isZeroIntOrPercent(unavailable) && !isZeroIntOrPercent(surge)
        ? [fieldInvalid(`${at}.maxSurge`, surge, "may not be set when maxUnavailable is non-zero")]
        : []),
      ...(isZeroIntOrPercent(unavailable) && isZeroIntOrPercent(surge)
        ? [fieldRequired(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")]
        : []),
    ];
  });
}

function daemonSet(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const selector = fieldsAt(spec, "selector");
  const empty = hasField(spec, "selector") && isEmptyLabelSelector(selector);
  return [
    ...validateLabelSelector(selector, "spec.selector"),
    ...(isValidSelector(selector) ? validateTemplateLabels(spec, "spec") : []),
    ...(empty ? [fieldInvalid("spec.selector", selector, "empty selector is invalid for daemonset")] : []),
    ...validatePodTemplate(fieldsAt(spec, "template"), "spec.template"),
    ...validateRestartPolicyAlways(spec, "spec", "DaemonSet"),
    ...checkNonNegative(spec, "minReadySeconds", "spec"),
    ...daemonSetStrategy(fieldsAt(spec, "updateStrategy"), "spec.updateStrategy"),
    ...checkNonNegative(spec, "revisionHistoryLimit", "spec"),
  ];
}

export const daemonSetRules: KindRules = {
  create: (object) => [...validateCoreObjectMeta(object, meta), ...daemonSet(object)],
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...sameSelector(object, live), ...daemonSet(object)],
  status: workloadStatusRules({
    counts: [
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
      "observedGeneration",
      "updatedNumberScheduled",
      "numberAvailable",
      "numberUnavailable",
      "collisionCount",
    ],
  }),
};

function replicationController(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const selector = mapAt(spec, "selector");
  const none = Object.keys(selector).length === 0;
  return [
    ...checkNonNegative(spec, "minReadySeconds", "spec"),
    ...(none ? [fieldRequired("spec.selector")] : []),
    ...(hasField(spec, "replicas") ? checkNonNegative(spec, "replicas", "spec") : [fieldRequired("spec.replicas")]),
    ...(hasField(spec, "template") ? controllerTemplate(spec, selector) : [fieldRequired("spec.template")]),
  ];
}

function controllerTemplate(spec: Fields, selector: Readonly<Record<string, string>>): readonly FieldError[] {
  const labels = mapAt(spec, "template.metadata.labels");
  const picks = Object.entries(selector).every(([key, value]) => labels[key] === value);
  return [
    ...(picks ? [] : [fieldInvalid("spec.template.metadata.labels", printedMap(labels), "`selector` does not match template `labels`")]),
    ...validatePodTemplate(fieldsAt(spec, "template"), "spec.template"),
    ...validateRestartPolicyAlways(spec, "spec", "ReplicationController"),
  ];
}

export const replicationControllerRules: KindRules = {
  create: (object) => [...validateCoreObjectMeta(object, meta), ...replicationController(object)],
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...replicationController(object)],
  status: workloadStatusRules(replicaCounters),
};
