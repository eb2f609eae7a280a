import { booleanAt, fieldsAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, fieldNotSupported, fieldRequired, fieldTooLong, type FieldError } from "../../field-error.ts";
import { isSemanticDeepEqual, withField, withoutFields } from "../field-edits.ts";
import { hasField, checkNonNegative, checkOptionalOneOf, stringField, checkNestedObject } from "./field-checks.ts";
import { validateDomainPrefixedPath } from "./domain-prefixed-path.ts";
import { asGo, type GoType } from "./go-value.ts";
import { validatePodFailurePolicy, validateSuccessPolicy } from "./job-policy.ts";
import { validateJobStatus } from "./job-status.ts";
import type { KindRules } from "./kind-rules.ts";
import {
  validateCoreObjectMeta,
  validateCoreObjectMetaUpdate,
  immutable,
  validateLabelSelector,
  validateImmutableField,
} from "./object-meta.ts";
import { checkDnsLabel, checkDnsSubdomain } from "./name-formats.ts";
import { validatePodTemplate } from "./pod.ts";
import { isValidSelector, validateTemplateLabels, printedMap, selectorMatches } from "./label-selector.ts";

// Models pkg/apis/batch/validation/validation.go, Job

const counts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];
const most = { parallelism: 100_000, failedIndexes: 100_000, completions: 100_000, manyCompletions: 10_000, managedBy: 63 };
const needsIndexes = "requires indexed completion mode";

function managedBy(spec: Fields, path: string): readonly FieldError[] {
  if (!hasField(spec, "managedBy")) return [];
  const name = stringField(spec, "managedBy");
  const at = `${path}.managedBy`;
  return [...validateDomainPrefixedPath(name, at), ...(name.length > most.managedBy ? [fieldTooLong(at, most.managedBy)] : [])];
}

function atMost(spec: Fields, name: string, path: string, limit: number, when = ""): readonly FieldError[] {
  const value = numberAt(spec, name);
  return value !== undefined && value > limit
    ? [fieldInvalid(`${path}.${name}`, value, `must be less than or equal to ${limit}${when}`)]
    : [];
}

function indexed(spec: Fields, path: string): readonly FieldError[] {
  const completions = numberAt(spec, "completions");
  const failures = numberAt(spec, "maxFailedIndexes");
  const tooManyFailures = completions !== undefined && failures !== undefined && failures > completions;
  return [
    ...(completions === undefined ? [fieldRequired(`${path}.completions`, "when completion mode is Indexed")] : []),
    ...atMost(spec, "parallelism", path, most.parallelism, " when completion mode is Indexed"),
    ...(tooManyFailures ? [fieldInvalid(`${path}.maxFailedIndexes`, failures, "must be less than or equal to completions")] : []),
    ...atMost(spec, "maxFailedIndexes", path, most.failedIndexes),
    ...(hasField(spec, "backoffLimitPerIndex") && (completions ?? 0) > most.completions ? manyCompletions(spec, path) : []),
  ];
}

function manyCompletions(spec: Fields, path: string): readonly FieldError[] {
  const when = ` when completions are above ${most.completions} and used with backoff limit per index`;
  const missing = `must be specified when completions is above ${most.completions}`;
  return [
    ...(hasField(spec, "maxFailedIndexes") ? [] : [fieldRequired(`${path}.maxFailedIndexes`, missing)]),
    ...atMost(spec, "parallelism", path, most.manyCompletions, when),
    ...atMost(spec, "maxFailedIndexes", path, most.manyCompletions, when),
  ];
}

function completionMode(spec: Fields, path: string): readonly FieldError[] {
  const mode = stringAt(spec, "completionMode", "NonIndexed");
  const perIndex = ["backoffLimitPerIndex", "maxFailedIndexes"].filter((name) => mode === "NonIndexed" && hasField(spec, name));
  return [
    ...checkOptionalOneOf(spec, "completionMode", path, ["NonIndexed", "Indexed"]),
    ...(mode === "Indexed" ? indexed(spec, path) : []),
    ...perIndex.map((name) => fieldInvalid(`${path}.${name}`, spec[name], needsIndexes)),
  ];
}

function policies(spec: Fields, path: string): readonly FieldError[] {
  const replacements = hasField(spec, "podFailurePolicy") ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  const success = checkNestedObject(spec, "successPolicy", path, (policy, at) =>
    spec["completionMode"] === "Indexed"
      ? validateSuccessPolicy(policy, spec, at)
      : [fieldInvalid(at, asGo(policy, "batch.SuccessPolicy"), needsIndexes)],
  );
  return [
    ...checkNestedObject(spec, "podFailurePolicy", path, (policy, at) => validatePodFailurePolicy(policy, spec, at)),
    ...success,
    ...checkOptionalOneOf(spec, "podReplacementPolicy", path, replacements),
  ];
}

function restartPolicy(spec: Fields, path: string): readonly FieldError[] {
  const policy = stringAt(spec, "template.spec.restartPolicy", "");
  const at = `${path}.template.spec.restartPolicy`;
  if (policy === "Always" || policy === "") return [fieldRequired(at, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [fieldNotSupported(at, policy, ["OnFailure", "Never"])];
  return hasField(spec, "podFailurePolicy") && policy !== "Never"
    ? [fieldInvalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}

/** A Job spec without its selector, as in a CronJob. */
export function validateJobTemplateSpec(spec: Fields, path: string): readonly FieldError[] {
  const limitless = hasField(spec, "maxFailedIndexes") && !hasField(spec, "backoffLimitPerIndex");
  return [
    ...counts.flatMap((name) => checkNonNegative(spec, name, path)),
    ...(limitless ? [fieldRequired(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")] : []),
    ...managedBy(spec, path),
    ...completionMode(spec, path),
    ...policies(spec, path),
    ...validatePodTemplate(fieldsAt(spec, "template"), `${path}.template`),
    ...restartPolicy(spec, path),
  ];
}

function jobSpec(spec: Fields, path: string): readonly FieldError[] {
  const selector = hasField(spec, "selector")
    ? validateLabelSelector(spec["selector"], `${path}.selector`)
    : [fieldRequired(`${path}.selector`)];
  return [
    ...validateJobTemplateSpec(spec, path),
    ...selector,
    ...(isValidSelector(spec["selector"]) ? validateTemplateLabels(spec, path, true) : []),
  ];
}

/**
 * The labels and the selector that the server generates for a Job cannot be overridden. Models
 * validateGeneratedSelector and ValidateHasLabel
 */
function generatedSelector(job: KubeObject): readonly FieldError[] {
  const { name = "", uid = "" } = job.metadata;
  if (booleanAt(job, "spec.manualSelector") || !hasField(fieldsAt(job, "spec"), "selector")) return [];
  const expected = {
    "controller-uid": uid,
    "job-name": name,
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
  };
  const labels = mapAt(job, "spec.template.metadata.labels");
  const wrong = Object.entries(expected).flatMap(([key, value]) => {
    const at = `spec.template.metadata.labels[${key}]`;
    if (labels[key] === undefined) return [fieldRequired(at, `must be '${value}'`)];
    return labels[key] === value ? [] : [fieldInvalid(at, printedMap(labels), `must be '${value}'`)];
  });
  const selector = fieldsAt(job, "spec.selector");
  const fits = !isValidSelector(selector) || selectorMatches(selector, expected);
  return [...wrong, ...(fits ? [] : [fieldInvalid("spec.selector", inOrder(selector), "`selector` not auto-generated")])];
}

function inOrder(selector: Fields): Fields {
  const labels = printedMap(mapAt(selector, "matchLabels"));
  return labels === null ? selector : { matchLabels: labels, ...withoutFields(selector, "matchLabels") };
}

function hostnames(job: KubeObject): readonly FieldError[] {
  const completions = numberAt(job, "spec.completions", 0);
  if (stringAt(job, "spec.completionMode") !== "Indexed" || completions <= 0) return [];
  const { name } = job.metadata;
  const last = `${name}-${completions - 1}`;
  return checkDnsLabel(last).length === 0
    ? []
    : [fieldInvalid("metadata.name", name, `will not able to create pod with invalid DNS label: ${last}`)];
}

/** The scheduling directives and labels of a suspended Job may still change. */
function withDirectivesOf(template: Fields, before: Fields): Fields {
  const [pod, own] = [fieldsAt(before, "spec"), fieldsAt(template, "spec")];
  const simple = ["nodeSelector", "tolerations", "schedulingGates"].reduce((fields, name) => withField(fields, name, own[name]), pod);
  const near = { ...withoutFields(fieldsAt(pod, "affinity"), "nodeAffinity"), ...nodeAffinityOf(own) };
  const affinity = Object.keys(near).length === 0 && !hasField(own, "affinity") ? undefined : near;
  const { labels, annotations } = fieldsAt(template, "metadata");
  const metadata = withField(withField(fieldsAt(before, "metadata"), "labels", labels), "annotations", annotations);
  return { ...before, metadata, spec: withField(simple, "affinity", affinity) };
}

function nodeAffinityOf(pod: Fields): Fields {
  const node = fieldsAt(pod, "affinity")["nodeAffinity"];
  return node === undefined ? {} : { nodeAffinity: node };
}

function templateUpdate(spec: Fields, live: KubeObject): readonly FieldError[] {
  const template = fieldsAt(spec, "template");
  const before = fieldsAt(live, "spec.template");
  const open = booleanAt(live, "spec.suspend") && stringAt(live, "status.startTime") === undefined;
  const comparable = open ? withDirectivesOf(template, before) : before;
  if (isSemanticDeepEqual(template, comparable)) return [];
  return [fieldInvalid("spec.template", asGo(template, "core.PodTemplateSpec"), immutable)];
}

function completionsUpdate(spec: Fields, before: Fields): readonly FieldError[] {
  if (spec["completionMode"] !== "Indexed") return validateImmutableField(spec["completions"], before["completions"], "spec.completions");
  const [completions, parallelism] = [numberAt(spec, "completions"), numberAt(spec, "parallelism")];
  if (completions === undefined || completions === before["completions"] || completions === parallelism) return [];
  return [fieldInvalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism")];
}

/** An immutable field, printed as the server's internal type. */
function sameAsGo(spec: Fields, before: Fields, name: string, type: GoType): readonly FieldError[] {
  if (isSemanticDeepEqual(spec[name], before[name])) return [];
  return [fieldInvalid(`spec.${name}`, hasField(spec, name) ? asGo(spec[name], type) : null, immutable)];
}

function specUpdate(job: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(job, "spec"), fieldsAt(live, "spec")];
  const same = (name: string): readonly FieldError[] => validateImmutableField(spec[name], before[name], `spec.${name}`);
  return [
    ...jobSpec(spec, "spec"),
    ...completionsUpdate(spec, before),
    ...same("selector"),
    ...templateUpdate(spec, live),
    ...same("completionMode"),
    ...sameAsGo(spec, before, "podFailurePolicy", "batch.PodFailurePolicy"),
    ...same("backoffLimitPerIndex"),
    ...same("managedBy"),
    ...sameAsGo(spec, before, "successPolicy", "batch.SuccessPolicy"),
  ];
}

function job(object: KubeObject): readonly FieldError[] {
  return [
    ...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: true }),
    ...generatedSelector(object),
    ...jobSpec(fieldsAt(object, "spec"), "spec"),
    ...hostnames(object),
  ];
}

export const jobRules: KindRules = {
  create: job,
  update: (object, live) => [...job(object), ...validateCoreObjectMetaUpdate(object, live), ...specUpdate(object, live)],
  status: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...validateJobStatus(object, live)],
};
