import { fieldsAt, mapAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changed, changedItems, filled, isUnset, withField } from "../field-edits.ts";
import { withTemplateDefaults } from "./pod.ts";
import { claimSpecDefaults } from "./volume.ts";

// Models pkg/apis/apps/v1/defaults.go

function rollingUpdate(strategy: Fields, defaults: Fields): Fields {
  const typed = filled(strategy, { type: "RollingUpdate" });
  if (typed["type"] !== "RollingUpdate") return typed;
  return changed(filled(typed, { rollingUpdate: {} }), "rollingUpdate", (fields) => filled(fields, defaults));
}

export function deploymentDefaults(deployment: KubeObject): KubeObject {
  return changed(deployment, "spec", (spec) => {
    const own = filled(spec, { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    const rolled = changed(own, "strategy", (strategy) => rollingUpdate(strategy, { maxUnavailable: "25%", maxSurge: "25%" }));
    return withTemplateDefaults(rolled);
  });
}

export function replicaSetDefaults(replicaSet: KubeObject): KubeObject {
  return changed(replicaSet, "spec", (spec) => withTemplateDefaults(filled(spec, { replicas: 1 })));
}

const templateGeneration = "deprecated.daemonset.template.generation";

/** The template generation is an annotation that every DaemonSet carries. Models pkg/apis/apps/v1/conversion.go */
function withTemplateGeneration(daemonSet: KubeObject): KubeObject {
  const annotations = mapAt(daemonSet, "metadata.annotations");
  if (annotations[templateGeneration] !== undefined) return daemonSet;
  return { ...daemonSet, metadata: { ...daemonSet.metadata, annotations: { ...annotations, [templateGeneration]: "0" } } };
}

export function daemonSetDefaults(daemonSet: KubeObject): KubeObject {
  return changed(withTemplateGeneration(daemonSet), "spec", (spec) => {
    const own = filled(spec, { updateStrategy: {}, revisionHistoryLimit: 10 });
    const rolled = changed(own, "updateStrategy", (strategy) => rollingUpdate(strategy, { maxUnavailable: 1, maxSurge: 0 }));
    return withTemplateDefaults(rolled);
  });
}

/** The template generation in a DaemonSet's annotation. */
export function templateGenerationOf(daemonSet: KubeObject): number {
  return Number(mapAt(daemonSet, "metadata.annotations")[templateGeneration] ?? 0);
}

export function setTemplateGeneration(daemonSet: KubeObject, generation: number): KubeObject {
  const annotations = { ...mapAt(daemonSet, "metadata.annotations"), [templateGeneration]: String(generation) };
  return { ...daemonSet, metadata: { ...daemonSet.metadata, annotations } };
}

// A StatefulSet strategy with a type and no parameters gets none, unlike other workloads.
function statefulStrategy(strategy: Fields): Fields {
  const typed = isUnset(strategy["type"]) ? filled({ ...strategy, type: "RollingUpdate" }, { rollingUpdate: {} }) : strategy;
  if (typed["type"] !== "RollingUpdate") return typed;
  return changed(typed, "rollingUpdate", (fields) => filled(fields, { partition: 0 }));
}

function claimTemplate(template: Fields): Fields {
  const named = { ...template, apiVersion: "v1", kind: "PersistentVolumeClaim" };
  const same = template["apiVersion"] === named.apiVersion && template["kind"] === named.kind;
  const pending = changed(filled(same ? template : named, { status: {} }), "status", (status) => filled(status, { phase: "Pending" }));
  return changed(pending, "spec", claimSpecDefaults);
}

export function statefulSetDefaults(statefulSet: KubeObject): KubeObject {
  return changed(statefulSet, "spec", (spec) => {
    const own = filled(spec, {
      podManagementPolicy: "OrderedReady",
      updateStrategy: {},
      persistentVolumeClaimRetentionPolicy: {},
      replicas: 1,
      revisionHistoryLimit: 10,
    });
    const rolled = changed(own, "updateStrategy", statefulStrategy);
    const retained = changed(rolled, "persistentVolumeClaimRetentionPolicy", (policy) =>
      filled(policy, { whenDeleted: "Retain", whenScaled: "Retain" }),
    );
    return withTemplateDefaults(changedItems(retained, "volumeClaimTemplates", claimTemplate));
  });
}

/** The labels of the template, for a controller without labels. */
function withTemplateLabels(object: KubeObject, labels: Fields): KubeObject {
  const none = Object.keys(fieldsAt(object, "metadata.labels")).length === 0;
  return none && Object.keys(labels).length > 0
    ? { ...object, metadata: { ...object.metadata, labels: labels as Record<string, string> } }
    : object;
}

/** Models pkg/apis/core/v1/defaults.go SetDefaults_ReplicationController */
export function replicationControllerDefaults(controller: KubeObject): KubeObject {
  const labels = mapAt(controller, "spec.template.metadata.labels");
  return changed(withTemplateLabels(controller, labels), "spec", (spec) => {
    const selects = Object.keys(fieldsAt(spec, "selector")).length > 0 || Object.keys(labels).length === 0;
    const selecting = selects ? spec : withField(spec, "selector", labels);
    return withTemplateDefaults(filled(selecting, { replicas: 1 }));
  });
}

// Models pkg/apis/batch/v1/defaults.go

const mostRetries = 2 ** 31 - 1;

function jobSpec(spec: Fields): Fields {
  const both = isUnset(spec["completions"]) && isUnset(spec["parallelism"]);
  const counted = filled(spec, {
    completions: both ? 1 : undefined,
    parallelism: 1,
    backoffLimit: numberAt(spec, "backoffLimitPerIndex") === undefined ? 6 : mostRetries,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: isUnset(spec["podFailurePolicy"]) ? "TerminatingOrFailed" : "Failed",
    manualSelector: false,
  });
  return withTemplateDefaults(changed(counted, "podFailurePolicy", failurePolicy));
}

function failurePolicy(policy: Fields): Fields {
  return changedItems(policy, "rules", (rule) =>
    changedItems(rule, "onPodConditions", (pattern) =>
      pattern["status"] === "" ? { ...pattern, status: "True" } : filled(pattern, { status: "True" }),
    ),
  );
}

export function jobDefaults(job: KubeObject): KubeObject {
  return changed(withTemplateLabels(job, fieldsAt(job, "spec.template.metadata.labels")), "spec", jobSpec);
}

/** The Job template of a CronJob gets the defaults of its Pods only: those of the Job are set when it is created. */
export function cronJobDefaults(cronJob: KubeObject): KubeObject {
  return changed(cronJob, "spec", (spec) => {
    const own = filled(spec, { concurrencyPolicy: "Allow", suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
    return changed(own, "jobTemplate", (template) =>
      changed(template, "spec", (job) => withTemplateDefaults(changed(job, "podFailurePolicy", failurePolicy))),
    );
  });
}
