import { fieldsAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { has, nonNegative, text, within } from "./check.ts";
import { asGo } from "./go-value.ts";
import { atMostAll, intOrPercent, isNone } from "./int-or-percent.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate, labelSelector, unchanged } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";
import { podTemplate } from "./pod.ts";
import { isEmptySelector, isUsable, mismatch, printedMap, selectorErrors } from "./selector.ts";
import { statusRules } from "./status.ts";

// Models pkg/apis/apps/validation/validation.go: Deployment, ReplicaSet, DaemonSet; and pkg/apis/core/validation ValidateReplicationController

const meta = { name: dnsSubdomain, namespaced: true };

export function alwaysRestarting(spec: Fields, path: string, kind: string): readonly FieldError[] {
  const policy = stringAt(spec, "template.spec.restartPolicy", "");
  const timed = has(fieldsAt(spec, "template.spec"), "activeDeadlineSeconds");
  return [
    ...(policy === "Always" ? [] : [notSupported(`${path}.template.spec.restartPolicy`, policy, ["Always"])]),
    ...(timed ? [forbidden(`${path}.template.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)] : []),
  ];
}

/** A template can only be held against a selector that is one. */
function templateErrors(spec: Fields, path: string): readonly FieldError[] {
  if (!isUsable(spec["selector"])) return [invalid(`${path}.selector`, spec["selector"], "invalid label selector")];
  return [
    ...mismatch(spec, path),
    ...podTemplate(fieldsAt(spec, "template"), `${path}.template`),
    ...alwaysRestarting(spec, path, "ReplicaSet"),
  ];
}

function deploymentStrategy(strategy: Fields, path: string): readonly FieldError[] {
  const type = text(strategy, "type");
  if (type === "Recreate")
    return has(strategy, "rollingUpdate")
      ? [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  if (type !== "RollingUpdate") return [notSupported(path, asGo(strategy, "apps.DeploymentStrategy"), ["Recreate", "RollingUpdate"])];
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

function deployment(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const deadline = numberAt(spec, "progressDeadlineSeconds");
  const early = deadline !== undefined && deadline <= numberAt(spec, "minReadySeconds", 0);
  return [
    ...nonNegative(spec, "replicas", "spec"),
    ...selectorErrors(spec, "spec", "deployment"),
    ...templateErrors(spec, "spec"),
    ...deploymentStrategy(fieldsAt(spec, "strategy"), "spec.strategy"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...nonNegative(spec, "revisionHistoryLimit", "spec"),
    ...nonNegative(spec, "progressDeadlineSeconds", "spec"),
    ...(early ? [invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")] : []),
  ];
}

function sameSelector(object: KubeObject, live: KubeObject): readonly FieldError[] {
  return unchanged(fieldsAt(object, "spec")["selector"], fieldsAt(live, "spec")["selector"], "spec.selector");
}

export const deploymentRules: KindRules = {
  create: (object) => [...coreMeta(object, meta), ...deployment(object)],
  update: (object, live) => [...coreMetaUpdate(object, live), ...deployment(object), ...sameSelector(object, live)],
  status: statusRules({
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
    ...nonNegative(spec, "replicas", "spec"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
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
  create: (object) => [...coreMeta(object, meta), ...replicaSet(object)],
  update: (object, live) => [...coreMetaUpdate(object, live), ...replicaSet(object), ...sameSelector(object, live)],
  status: statusRules(replicaCounters),
};

function daemonSetStrategy(strategy: Fields, path: string): readonly FieldError[] {
  const type = text(strategy, "type");
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") return [notSupported(path, asGo(strategy, "apps.DaemonSetUpdateStrategy"), ["RollingUpdate", "OnDelete"])];
  if (!has(strategy, "rollingUpdate")) return [required(`${path}.rollingUpdate`)];
  return within(strategy, "rollingUpdate", path, (rolling, at) => {
    const [unavailable, surge] = [rolling["maxUnavailable"], rolling["maxSurge"]];
    return [
      ...intOrPercent(unavailable, `${at}.maxUnavailable`),
      ...intOrPercent(surge, `${at}.maxSurge`),
      ...atMostAll(unavailable, `${at}.maxUnavailable`),
      ...atMostAll(surge, `${at}.maxSurge`),
      ...(!isNone(unavailable) && !isNone(surge)
        ? [invalid(`${at}.maxSurge`, surge, "may not be set when maxUnavailable is non-zero")]
        : []),
      ...(isNone(unavailable) && isNone(surge) ? [required(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")] : []),
    ];
  });
}

function daemonSet(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const selector = fieldsAt(spec, "selector");
  const empty = has(spec, "selector") && isEmptySelector(selector);
  return [
    ...labelSelector(selector, "spec.selector"),
    ...(isUsable(selector) ? mismatch(spec, "spec") : []),
    ...(empty ? [invalid("spec.selector", selector, "empty selector is invalid for daemonset")] : []),
    ...podTemplate(fieldsAt(spec, "template"), "spec.template"),
    ...alwaysRestarting(spec, "spec", "DaemonSet"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...daemonSetStrategy(fieldsAt(spec, "updateStrategy"), "spec.updateStrategy"),
    ...nonNegative(spec, "revisionHistoryLimit", "spec"),
  ];
}

export const daemonSetRules: KindRules = {
  create: (object) => [...coreMeta(object, meta), ...daemonSet(object)],
  update: (object, live) => [...coreMetaUpdate(object, live), ...sameSelector(object, live), ...daemonSet(object)],
  status: statusRules({
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
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...(none ? [required("spec.selector")] : []),
    ...(has(spec, "replicas") ? nonNegative(spec, "replicas", "spec") : [required("spec.replicas")]),
    ...(has(spec, "template") ? controllerTemplate(spec, selector) : [required("spec.template")]),
  ];
}

function controllerTemplate(spec: Fields, selector: Readonly<Record<string, string>>): readonly FieldError[] {
  const labels = mapAt(spec, "template.metadata.labels");
  const picks = Object.entries(selector).every(([key, value]) => labels[key] === value);
  return [
    ...(picks ? [] : [invalid("spec.template.metadata.labels", printedMap(labels), "`selector` does not match template `labels`")]),
    ...podTemplate(fieldsAt(spec, "template"), "spec.template"),
    ...alwaysRestarting(spec, "spec", "ReplicationController"),
  ];
}

export const replicationControllerRules: KindRules = {
  create: (object) => [...coreMeta(object, meta), ...replicationController(object)],
  update: (object, live) => [...coreMetaUpdate(object, live), ...replicationController(object)],
  status: statusRules(replicaCounters),
};
