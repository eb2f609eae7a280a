import { booleanAt, fieldsAt, mapAt, valueAt, type KubeObject } from "../../../core/object/index.ts";
import { changed, isSemanticDeepEqual } from "../field-edits.ts";
import { setTemplateGeneration, templateGenerationOf } from "../defaulting/workload.ts";
import { bumpGenerationOnChange, keepStatus, takeStatusOnly, withGeneration, withStatus } from "./generation-and-status.ts";

/**
 * Changes of annotations increase the generation too, since they are copied to the ReplicaSets. Models
 * pkg/registry/apps/deployment/strategy.go
 */
export function prepareDeploymentForUpdate(object: KubeObject, live: KubeObject): KubeObject {
  const kept = bumpGenerationOnChange(keepStatus(object, live), live, ["spec"]);
  const same = isSemanticDeepEqual(object.metadata.annotations, live.metadata.annotations);
  return same ? kept : withGeneration(kept, (live.metadata.generation ?? 0) + 1);
}

export function prepareDeploymentStatus(object: KubeObject, live: KubeObject): KubeObject {
  const written = takeStatusOnly(object, live);
  const { labels, ...rest } = written.metadata;
  if (isSemanticDeepEqual(labels, live.metadata.labels)) return written;
  return { ...written, metadata: live.metadata.labels === undefined ? rest : { ...rest, labels: live.metadata.labels } };
}

// Models pkg/registry/apps/daemonset/strategy.go

export function prepareDaemonSetForCreate(object: KubeObject): KubeObject {
  const generation = Math.max(templateGenerationOf(object), 1);
  return withStatus(withGeneration(setTemplateGeneration(object, generation), 1), {});
}

export function prepareDaemonSetForUpdate(object: KubeObject, live: KubeObject): KubeObject {
  const same = isSemanticDeepEqual(fieldsAt(object, "spec.template"), fieldsAt(live, "spec.template"));
  const templates = setTemplateGeneration(keepStatus(object, live), templateGenerationOf(live) + (same ? 0 : 1));
  return bumpGenerationOnChange(templates, live, ["spec"]);
}

// Models pkg/registry/batch/job/strategy.go

const controllerUid = "batch.kubernetes.io/controller-uid";

/** A Job without manualSelector selects its Pods by its uid, which must be set by now. */
export function prepareJobForCreate(job: KubeObject): KubeObject {
  const numbered = withStatus(withGeneration(job, 1), {});
  return booleanAt(job, "spec.manualSelector") ? numbered : withGeneratedSelector(numbered);
}

function withGeneratedSelector(job: KubeObject): KubeObject {
  const { name, uid = "" } = job.metadata;
  const generated = { "job-name": name, "batch.kubernetes.io/job-name": name, "controller-uid": uid, [controllerUid]: uid };
  const shared = job.metadata.labels;
  const selecting = changed(job, "spec", (spec) => {
    const template = fieldsAt(spec, "template");
    const metadata = fieldsAt(template, "metadata");
    const labels = { ...generated, ...mapAt(metadata, "labels") };
    const selector = fieldsAt(spec, "selector");
    const matchLabels = { [controllerUid]: uid, ...mapAt(selector, "matchLabels") };
    return { ...spec, selector: { ...selector, matchLabels }, template: { ...template, metadata: { ...metadata, labels } } };
  });
  // Labels that a Job has by default are those of its template, the same map: what is added to one is in both.
  if (shared === undefined || shared !== valueAt(job, "spec.template.metadata.labels")) return selecting;
  return { ...selecting, metadata: { ...selecting.metadata, labels: mapAt(selecting, "spec.template.metadata.labels") } };
}

export function prepareJobForUpdate(object: KubeObject, live: KubeObject): KubeObject {
  return bumpGenerationOnChange(keepStatus(object, live), live, ["spec"]);
}
