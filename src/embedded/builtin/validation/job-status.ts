import { findCondition, fieldsAt, numberAt, stringAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { checkNonNegative } from "./field-checks.ts";

// Models pkg/apis/batch/validation/validation.go validateJobStatus and ValidateJobStatusUpdate; errors that the live
// status already has are accepted

const is = (job: KubeObject, type: string): boolean => findCondition(job, type, "True") !== undefined;
const isFinished = (job: KubeObject): boolean => is(job, "Complete") || is(job, "Failed");

/** An error without the value, as the server prints it. */
function unfit(detail: string): FieldError {
  return { field: "status.conditions", reason: "FieldValueInvalid", message: `Invalid value: ${detail}` };
}

function contradictions(job: KubeObject): readonly FieldError[] {
  const pairs: readonly (readonly [string, string, string])[] = [
    ["Complete", "Failed", "cannot set Complete=True and Failed=true conditions"],
    ["Complete", "FailureTarget", "cannot set Complete=True and FailureTarget=true conditions"],
    ["SuccessCriteriaMet", "Failed", "cannot set SuccessCriteriaMet=True and Failed=true conditions"],
    ["SuccessCriteriaMet", "FailureTarget", "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"],
  ];
  return pairs.filter(([a, b]) => is(job, a) && is(job, b)).map(([, , detail]) => unfit(detail));
}

function missingSteps(job: KubeObject, live: KubeObject): readonly FieldError[] {
  const [failed, complete] = [is(job, "Failed") && !is(live, "Failed"), is(job, "Complete") && !is(live, "Complete")];
  return [
    ...(failed && !is(job, "FailureTarget") ? [unfit("cannot set Failed=True condition without the FailureTarget=true condition")] : []),
    ...(complete && !is(job, "SuccessCriteriaMet")
      ? [unfit("cannot set Complete=True condition without the SuccessCriteriaMet=true condition")]
      : []),
  ];
}

function times(job: KubeObject): readonly FieldError[] {
  const [start, end] = [stringAt(job, "status.startTime"), stringAt(job, "status.completionTime")];
  const at = "status.completionTime";
  return [
    ...(end !== undefined && !is(job, "Complete")
      ? [fieldInvalid(at, end, "cannot set completionTime when there is no Complete=True condition")]
      : []),
    ...(end === undefined && is(job, "Complete") ? [fieldRequired(at, "completionTime is required for Complete jobs")] : []),
    ...(start !== undefined && end !== undefined && end < start ? [fieldInvalid(at, end, "must be equal to or after `startTime`")] : []),
  ];
}

function leftovers(job: KubeObject): readonly FieldError[] {
  if (!isFinished(job)) return [];
  const status = fieldsAt(job, "status");
  const [active, terminating] = [numberAt(status, "active", 0), numberAt(status, "terminating", 0)];
  const uncounted = fieldsAt(status, "uncountedTerminatedPods");
  const some = stringsAt(uncounted, "succeeded").length + stringsAt(uncounted, "failed").length > 0;
  return [
    ...(active > 0 ? [fieldInvalid("status.active", active, "active>0 is invalid for finished job")] : []),
    ...(stringAt(status, "startTime") === undefined ? [fieldRequired("status.startTime", "startTime is required for finished job")] : []),
    ...(some ? [fieldInvalid("status.uncountedTerminatedPods", uncounted, "must be empty for finished job")] : []),
    ...(terminating > 0 ? [fieldInvalid("status.terminating", terminating, "terminating>0 is invalid for finished job")] : []),
  ];
}

function readiness(job: KubeObject): readonly FieldError[] {
  const [ready, active] = [numberAt(job, "status.ready"), numberAt(job, "status.active", 0)];
  return ready !== undefined && ready > active ? [fieldInvalid("status.ready", ready, "cannot set more ready pods than active")] : [];
}

function steps(job: KubeObject, live: KubeObject): readonly FieldError[] {
  const disabled = ["Failed", "Complete", "FailureTarget"].filter((type) => is(live, type) && !is(job, type));
  const fewer = ["failed", "succeeded"].filter((name) => numberAt(job, `status.${name}`, 0) < numberAt(live, `status.${name}`, 0));
  return [
    ...disabled.map((type) => unfit(`cannot disable the terminal ${type}=True condition`)),
    ...fewer.map((name) => fieldInvalid(`status.${name}`, numberAt(job, `status.${name}`, 0), `cannot decrease the ${name} counter`)),
    ...(is(live, "SuccessCriteriaMet") && !is(job, "SuccessCriteriaMet")
      ? [unfit("cannot disable the SuccessCriteriaMet=True condition")]
      : []),
  ];
}

export function validateJobStatus(job: KubeObject, live: KubeObject): readonly FieldError[] {
  const counts = ["active", "succeeded", "failed", "ready", "terminating"];
  const rules = [contradictions, times, leftovers, readiness];
  // The server skips each of these checks for an object that already fails it.
  const before = new Set(rules.flatMap((rule) => rule(live)).map(({ field }) => field));
  const fresh = (rule: (job: KubeObject) => readonly FieldError[]): readonly FieldError[] =>
    rule(job).filter(({ field }) => !before.has(field));
  return [
    ...counts.flatMap((name) => checkNonNegative(fieldsAt(job, "status"), name, "status")),
    ...fresh(contradictions),
    ...fresh(times),
    ...missingSteps(job, live),
    ...fresh(leftovers),
    ...fresh(readiness),
    ...steps(job, live),
  ];
}
