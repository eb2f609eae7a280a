import { booleanAt, fieldsAt, mapAt, type KubeObject } from "../../../core/object/index.ts";
import { changed, isSemanticallySame } from "../edit.ts";
import { setTemplateGeneration, templateGenerationOf } from "../defaults/workload.ts";
import { countedChanges, keepStatus, onlyStatus, withGeneration, withStatus } from "./general.ts";

/** Annotations count, too: they are copied to the ReplicaSets. Models pkg/registry/apps/deployment/strategy.go */
export function updatedDeployment(object: KubeObject, live: KubeObject): KubeObject {
  const kept = countedChanges(keepStatus(object, live), live, ["spec"]);
  const same = isSemanticallySame(object.metadata.annotations, live.metadata.annotations);
  return same ? kept : withGeneration(kept, (live.metadata.generation ?? 0) + 1);
}

export function deploymentStatus(object: KubeObject, live: KubeObject): KubeObject {
  const written = onlyStatus(object, live);
  const { labels, ...rest } = written.metadata;
  if (isSemanticallySame(labels, live.metadata.labels)) return written;
  return { ...written, metadata: live.metadata.labels === undefined ? rest : { ...rest, labels: live.metadata.labels } };
}

// Models pkg/registry/apps/daemonset/strategy.go

export function createdDaemonSet(object: KubeObject): KubeObject {
  const generation = Math.max(templateGenerationOf(object), 1);
  return withStatus(withGeneration(setTemplateGeneration(object, generation), 1), {});
}

export function updatedDaemonSet(object: KubeObject, live: KubeObject): KubeObject {
  const same = isSemanticallySame(fieldsAt(object, "spec.template"), fieldsAt(live, "spec.template"));
  const templates = setTemplateGeneration(keepStatus(object, live), templateGenerationOf(live) + (same ? 0 : 1));
  return countedChanges(templates, live, ["spec"]);
}

// Models pkg/registry/batch/job/strategy.go

const controllerUid = "batch.kubernetes.io/controller-uid";

/** A Job that brings no selector of its own selects its Pods by its uid, which the object must have by now. */
export function createdJob(job: KubeObject): KubeObject {
  const numbered = withStatus(withGeneration(job, 1), {});
  return booleanAt(job, "spec.manualSelector") ? numbered : withGeneratedSelector(numbered);
}

function withGeneratedSelector(job: KubeObject): KubeObject {
  const { name, uid = "" } = job.metadata;
  const generated = { "job-name": name, "batch.kubernetes.io/job-name": name, "controller-uid": uid, [controllerUid]: uid };
  return changed(job, "spec", (spec) => {
    const template = fieldsAt(spec, "template");
    const metadata = fieldsAt(template, "metadata");
    const labels = { ...generated, ...mapAt(metadata, "labels") };
    const selector = fieldsAt(spec, "selector");
    const matchLabels = { [controllerUid]: uid, ...mapAt(selector, "matchLabels") };
    return { ...spec, selector: { ...selector, matchLabels }, template: { ...template, metadata: { ...metadata, labels } } };
  });
}

export function updatedByCount(object: KubeObject, live: KubeObject): KubeObject {
  return countedChanges(keepStatus(object, live), live, ["spec"]);
}
