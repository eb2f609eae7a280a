import { booleanAt, fieldsAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isSemanticallySame, withField } from "../edit.ts";
import { has, nonNegative, oneOf, optionalOneOf, text } from "./check.ts";
import { labelSelector, unchanged } from "./meta.ts";
import { dnsLabel } from "./names.ts";
import { podTemplate } from "./pod.ts";
import { scheduleProblem } from "./schedule.ts";
import { mismatch } from "./workload.ts";

// Models pkg/apis/batch/validation/validation.go

const counts = ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"];

function completionMode(spec: Fields, path: string): readonly FieldError[] {
  const indexed = spec["completionMode"] === "Indexed";
  const only = ["backoffLimitPerIndex", "maxFailedIndexes"].filter((name) => !indexed && has(spec, name));
  const limitless = has(spec, "maxFailedIndexes") && !has(spec, "backoffLimitPerIndex");
  return [
    ...(limitless ? [required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")] : []),
    ...optionalOneOf(spec, "completionMode", path, ["NonIndexed", "Indexed"]),
    ...(indexed && !has(spec, "completions") ? [required(`${path}.completions`, "when completion mode is Indexed")] : []),
    ...only.map((name) => invalid(`${path}.${name}`, spec[name], "requires indexed completion mode")),
  ];
}

function restartPolicy(spec: Fields, path: string): readonly FieldError[] {
  const policy = stringAt(spec, "template.spec.restartPolicy", "");
  const at = `${path}.template.spec.restartPolicy`;
  if (policy === "Always" || policy === "") return [required(at, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [notSupported(at, policy, ["OnFailure", "Never"])];
  return has(spec, "podFailurePolicy") && policy !== "Never" ? [invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified')] : [];
}

function replacement(spec: Fields, path: string): readonly FieldError[] {
  const supported = has(spec, "podFailurePolicy") ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  return optionalOneOf(spec, "podReplacementPolicy", path, supported);
}

/** A Job without its selector, as it stands in a CronJob. */
function jobTemplateSpec(spec: Fields, path: string): readonly FieldError[] {
  return [
    ...counts.flatMap((name) => nonNegative(spec, name, path)),
    ...completionMode(spec, path),
    ...replacement(spec, path),
    ...podTemplate(fieldsAt(spec, "template"), `${path}.template`),
    ...restartPolicy(spec, path),
  ];
}

function jobSpec(spec: Fields, path: string): readonly FieldError[] {
  const selector = has(spec, "selector") ? labelSelector(spec["selector"], `${path}.selector`) : [required(`${path}.selector`)];
  return [...jobTemplateSpec(spec, path), ...selector, ...mismatch(spec, path)];
}

const generated = { name: ["batch.kubernetes.io/job-name", "job-name"], uid: ["batch.kubernetes.io/controller-uid", "controller-uid"] };

/** Labels that a Job makes for itself may not be given with other values. Models validateGeneratedSelector */
function generatedLabels(job: KubeObject): readonly FieldError[] {
  if (booleanAt(job, "spec.manualSelector")) return [];
  const labels = mapAt(job, "spec.template.metadata.labels");
  const wanted = [
    ...generated.uid.toReversed().map((key) => [key, job.metadata.uid ?? ""] as const),
    ...generated.name.toReversed().map((key) => [key, job.metadata.name] as const),
  ];
  return wanted.flatMap(([key, value]) =>
    labels[key] === undefined || labels[key] === value ? [] : [invalid(`spec.template.metadata.labels`, labels, `must be '${value}'`)],
  );
}

export function job(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const last = `${object.metadata.name}-${numberAt(spec, "completions", 0) - 1}`;
  const indexed = spec["completionMode"] === "Indexed" && numberAt(spec, "completions", 0) > 0 && dnsLabel(last).length > 0;
  return [
    ...generatedLabels(object),
    ...jobSpec(spec, "spec"),
    ...(indexed ? [invalid("metadata.name", object.metadata.name, `will not able to create pod with invalid DNS label: ${last}`)] : []),
  ];
}

const directives = ["nodeSelector", "tolerations", "schedulingGates", "affinity"];

/** A suspended Job that never started may still be told where to run. */
function templateUpdate(spec: Fields, live: KubeObject): readonly FieldError[] {
  const [after, before] = [fieldsAt(spec, "template"), fieldsAt(live, "spec.template")];
  const open = booleanAt(live, "spec.suspend") && stringAt(live, "status.startTime") === undefined;
  const pod = directives.reduce((fields, name) => withField(fields, name, fieldsAt(before, "spec")[name]), fieldsAt(after, "spec"));
  const comparable = open ? { ...after, metadata: before["metadata"], spec: pod } : after;
  return isSemanticallySame(comparable, before) ? [] : [invalid("spec.template", after, "field is immutable")];
}

function completionsUpdate(spec: Fields, before: Fields): readonly FieldError[] {
  if (spec["completionMode"] !== "Indexed") return unchanged(spec["completions"], before["completions"], "spec.completions");
  if (spec["completions"] === before["completions"] || spec["completions"] === spec["parallelism"]) return [];
  return [invalid("spec.completions", spec["completions"], "can only be modified in tandem with spec.parallelism")];
}

export function jobUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  const fixed = ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"];
  return [
    ...completionsUpdate(spec, before),
    ...unchanged(spec["selector"], before["selector"], "spec.selector"),
    ...templateUpdate(spec, live),
    ...fixed.flatMap((name) => unchanged(spec[name], before[name], `spec.${name}`)),
  ];
}

function schedule(spec: Fields, path: string): readonly FieldError[] {
  const value = text(spec, "schedule");
  if (value === "") return [required(`${path}.schedule`)];
  const problem = scheduleProblem(value);
  const zoned = value.includes("TZ") ? [invalid(`${path}.schedule`, value, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")] : [];
  return [...(problem === undefined ? [] : [invalid(`${path}.schedule`, value, problem)]), ...zoned];
}

export function cronJob(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  return [
    ...schedule(spec, "spec"),
    ...nonNegative(spec, "startingDeadlineSeconds", "spec"),
    ...oneOf(text(spec, "concurrencyPolicy"), "spec.concurrencyPolicy", ["Allow", "Forbid", "Replace"]),
    ...jobTemplateSpec(fieldsAt(spec, "jobTemplate.spec"), "spec.jobTemplate.spec"),
    ...nonNegative(spec, "successfulJobsHistoryLimit", "spec"),
    ...nonNegative(spec, "failedJobsHistoryLimit", "spec"),
  ];
}

export function cronJobName(object: KubeObject): readonly FieldError[] {
  const { name } = object.metadata;
  return name.length > 52 ? [invalid("metadata.name", name, "must be no more than 52 characters")] : [];
}

