import { booleanAt, fieldsAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { hasField, checkNonNegative, checkOneOf, stringField } from "./field-checks.ts";
import { validateJobTemplateSpec } from "./job.ts";
import type { KindRules } from "./kind-rules.ts";
import { validateCoreObjectMeta, validateCoreObjectMetaUpdate } from "./object-meta.ts";
import { checkDnsSubdomain } from "./name-formats.ts";
import { cronScheduleProblem } from "./cron-schedule.ts";
import { isTimeZone } from "./time-zone.ts";

// Models pkg/apis/batch/validation/validation.go, CronJob

function schedule(spec: Fields, before: Fields): readonly FieldError[] {
  const value = stringField(spec, "schedule");
  const at = "spec.schedule";
  if (value === "") return [fieldRequired(at)];
  const problem = cronScheduleProblem(value);
  return [...(problem === undefined ? [] : [fieldInvalid(at, value, problem)]), ...zoneInSchedule(spec, before, value, at)];
}

/** A time zone in the schedule is accepted only where it was there before. */
function zoneInSchedule(spec: Fields, before: Fields, value: string, at: string): readonly FieldError[] {
  if (!value.includes("TZ")) return [];
  if (!stringField(before, "schedule").includes("TZ"))
    return [fieldInvalid(at, value, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")];
  return hasField(spec, "timeZone") ? [fieldInvalid(at, value, "cannot use both timeZone field and TZ or CRON_TZ in schedule")] : [];
}

const zonePart = /^(?!-)(?!\.{1,2}$)[A-Za-z.\-_0-9+]{1,14}$/;

function timeZone(spec: Fields, before: Fields): readonly FieldError[] {
  const zone = stringAt(spec, "timeZone");
  const at = "spec.timeZone";
  if (zone === undefined || zone === stringAt(before, "timeZone")) return [];
  if (zone === "") return [fieldInvalid(at, zone, "timeZone must be nil or non-empty string")];
  if (!zone.split("/").every((part) => zonePart.test(part))) return [fieldInvalid(at, zone, `unknown time zone ${zone}`)];
  if (zone.toLowerCase() === "local") {
    const implicit = fieldInvalid(at, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    return zone === "Local" ? [implicit] : [implicit, fieldInvalid(at, zone, `unknown time zone ${zone}`)];
  }
  return isTimeZone(zone) ? [] : [fieldInvalid(at, zone, `unknown time zone ${zone}`)];
}

/** The Jobs of a CronJob have generated selectors. */
function template(spec: Fields): readonly FieldError[] {
  const job = fieldsAt(spec, "jobTemplate.spec");
  const at = "spec.jobTemplate.spec";
  return [
    ...validateJobTemplateSpec(job, at),
    ...(hasField(job, "selector") ? [fieldInvalid(`${at}.selector`, job["selector"], "`selector` will be auto-generated")] : []),
    ...(booleanAt(job, "manualSelector") ? [fieldNotSupported(`${at}.manualSelector`, true, ["nil", "false"])] : []),
  ];
}

function cronJob(object: KubeObject, before: Fields): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  return [
    ...schedule(spec, before),
    ...checkNonNegative(spec, "startingDeadlineSeconds", "spec"),
    ...timeZone(spec, before),
    ...checkOneOf(stringField(spec, "concurrencyPolicy"), "spec.concurrencyPolicy", ["Allow", "Forbid", "Replace"]),
    ...template(spec),
    ...checkNonNegative(spec, "successfulJobsHistoryLimit", "spec"),
    ...checkNonNegative(spec, "failedJobsHistoryLimit", "spec"),
  ];
}

const longestName = 52;

function nameErrors({ metadata: { name } }: KubeObject): readonly FieldError[] {
  return name.length > longestName ? [fieldInvalid("metadata.name", name, `must be no more than ${longestName} characters`)] : [];
}

export const cronJobRules: KindRules = {
  create: (object) => [
    ...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: true }),
    ...cronJob(object, {}),
    ...nameErrors(object),
  ],
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...cronJob(object, fieldsAt(live, "spec"))],
  status: () => [],
};
