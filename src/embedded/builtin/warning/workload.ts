import { fieldsAt, listAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { compareQuantities, printQuantity, quantityOf } from "../quantity.ts";
import { checkDnsLabel } from "../validation/name-formats.ts";
import { templateGenerationOf } from "../defaulting/workload.ts";
import { podTemplateWarnings, podWarnings } from "./pod.ts";
import { claimSpecWarnings } from "./storage.ts";

function nameWarnings({ metadata: { name = "" } }: KubeObject, use: string): readonly string[] {
  const problems = checkDnsLabel(name);
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
  ];
}

const inPods = "Pod names and hostnames";
const template = "spec.template";

/** Models pkg/registry/core/pod/strategy.go */
export function newPodWarnings(pod: KubeObject): readonly string[] {
  return [...nameWarnings(pod, "the Pod's hostname"), ...podWarnings(pod)];
}

/** A Deployment, a ReplicaSet or a ReplicationController. */
export function newWorkloadWarnings(workload: KubeObject): readonly string[] {
  return [...nameWarnings(workload, inPods), ...templateWarnings(workload)];
}

export function templateWarnings(workload: KubeObject): readonly string[] {
  return podTemplateWarnings(fieldsAt(workload, template), template);
}

/** A template is looked at when anything of the spec changes. */
export function isChanged({ metadata }: KubeObject, live: KubeObject): boolean {
  return metadata.generation !== live.metadata.generation;
}

export function changedTemplateWarnings(workload: KubeObject, live: KubeObject): readonly string[] {
  return isChanged(workload, live) ? templateWarnings(workload) : [];
}

/** The real server looks at the template that was. Models pkg/registry/core/replicationcontroller/strategy.go */
export function formerTemplateWarnings(workload: KubeObject, live: KubeObject): readonly string[] {
  return isChanged(workload, live) ? templateWarnings(live) : [];
}

export function daemonSetWarnings(daemonSet: KubeObject, live: KubeObject): readonly string[] {
  return templateGenerationOf(daemonSet) === templateGenerationOf(live) ? [] : templateWarnings(daemonSet);
}

/** Models pkg/registry/apps/statefulset/strategy.go, whose paths of claims differ. */
export function statefulSetWarnings(set: KubeObject, live?: KubeObject): readonly string[] {
  const claims = "spec.volumeClaimTemplates";
  return [
    ...(live === undefined || isChanged(set, live) ? templateWarnings(set) : []),
    ...listAt(set, claims).flatMap((claim, index) =>
      claimSpecWarnings(fieldsAt(claim, "spec"), `${claims}[${index}]${live === undefined ? "" : ".Spec"}`),
    ),
    ...(numberAt(set, "spec.revisionHistoryLimit", 0) < 0
      ? ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"]
      : []),
  ];
}

/** Models pkg/api/job/warnings.go */
function jobSpecWarnings(spec: Fields, path: string): readonly string[] {
  const isLarge = numberAt(spec, "completions", 0) > 100_000 && numberAt(spec, "parallelism", 0) > 10_000;
  const message =
    "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
  return [
    ...(stringAt(spec, "completionMode") === "Indexed" && isLarge ? [`${path}: ${message}`] : []),
    ...podTemplateWarnings(fieldsAt(spec, "template"), `${path}.template`),
  ];
}

export function jobWarnings(job: KubeObject, live?: KubeObject): readonly string[] {
  if (live === undefined) return [...nameWarnings(job, inPods), ...jobSpecWarnings(fieldsAt(job, "spec"), "spec")];
  return isChanged(job, live) ? jobSpecWarnings(fieldsAt(job, "spec"), "spec") : [];
}

export function cronJobWarnings(cronJob: KubeObject, live?: KubeObject): readonly string[] {
  const path = "spec.jobTemplate.spec";
  const ofJob = () => jobSpecWarnings(fieldsAt(cronJob, path), path);
  if (live === undefined) return [...nameWarnings(cronJob, inPods), ...ofJob()];
  return [
    ...(isChanged(cronJob, live) ? ofJob() : []),
    ...(stringAt(cronJob, "spec.schedule", "").includes("TZ")
      ? [
          "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
        ]
      : []),
  ];
}

/** Requests beyond limits. Models pkg/registry/core/resourcequota/strategy.go */
export function quotaWarnings(quota: KubeObject): readonly string[] {
  const hard = fieldsAt(quota, "spec.hard");
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((resource) => {
    const bare = resource === "cpu" || resource === "memory" ? [resource] : [];
    const request = [`requests.${resource}`, ...bare].find((name) => hard[name] !== undefined);
    const limit = `limits.${resource}`;
    if (request === undefined || hard[limit] === undefined) return [];
    const [requested, limited] = [quantityOf(hard[request]), quantityOf(hard[limit])];
    if (compareQuantities(requested, limited) <= 0) return [];
    return [`ResourceQuota ${request} (${printQuantity(requested)}) should be less than ${limit} (${printQuantity(limited)})`];
  });
}
