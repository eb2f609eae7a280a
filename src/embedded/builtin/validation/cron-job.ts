import { booleanAt, fieldsAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { has, nonNegative, oneOf, text } from "./check.ts";
import { jobTemplateSpec } from "./job.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";
import { scheduleProblem } from "./schedule.ts";
import { isTimeZone } from "./time-zone.ts";

// Models pkg/apis/batch/validation/validation.go, CronJob

function schedule(spec: Fields, before: Fields): readonly FieldError[] {
  const value = text(spec, "schedule");
  const at = "spec.schedule";
  if (value === "") return [required(at)];
  const problem = scheduleProblem(value);
  return [...(problem === undefined ? [] : [invalid(at, value, problem)]), ...zoneInSchedule(spec, before, value, at)];
}

/** A zone in the schedule itself was never meant to be, and is let be only where it already is. */
function zoneInSchedule(spec: Fields, before: Fields, value: string, at: string): readonly FieldError[] {
  if (!value.includes("TZ")) return [];
  if (!text(before, "schedule").includes("TZ"))
    return [invalid(at, value, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")];
  return has(spec, "timeZone") ? [invalid(at, value, "cannot use both timeZone field and TZ or CRON_TZ in schedule")] : [];
}

const zonePart = /^(?!-)(?!\.{1,2}$)[A-Za-z.\-_0-9+]{1,14}$/;

function timeZone(spec: Fields, before: Fields): readonly FieldError[] {
  const zone = stringAt(spec, "timeZone");
  const at = "spec.timeZone";
  if (zone === undefined || zone === stringAt(before, "timeZone")) return [];
  if (zone === "") return [invalid(at, zone, "timeZone must be nil or non-empty string")];
  if (!zone.split("/").every((part) => zonePart.test(part))) return [invalid(at, zone, `unknown time zone ${zone}`)];
  if (zone.toLowerCase() === "local") {
    const implicit = invalid(at, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    return zone === "Local" ? [implicit] : [implicit, invalid(at, zone, `unknown time zone ${zone}`)];
  }
  return isTimeZone(zone) ? [] : [invalid(at, zone, `unknown time zone ${zone}`)];
}

/** A CronJob's Jobs select their own Pods. */
function template(spec: Fields): readonly FieldError[] {
  const job = fieldsAt(spec, "jobTemplate.spec");
  const at = "spec.jobTemplate.spec";
  return [
    ...jobTemplateSpec(job, at),
    ...(has(job, "selector") ? [invalid(`${at}.selector`, job["selector"], "`selector` will be auto-generated")] : []),
    ...(booleanAt(job, "manualSelector") ? [notSupported(`${at}.manualSelector`, true, ["nil", "false"])] : []),
  ];
}

function cronJob(object: KubeObject, before: Fields): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  return [
    ...schedule(spec, before),
    ...nonNegative(spec, "startingDeadlineSeconds", "spec"),
    ...timeZone(spec, before),
    ...oneOf(text(spec, "concurrencyPolicy"), "spec.concurrencyPolicy", ["Allow", "Forbid", "Replace"]),
    ...template(spec),
    ...nonNegative(spec, "successfulJobsHistoryLimit", "spec"),
    ...nonNegative(spec, "failedJobsHistoryLimit", "spec"),
  ];
}

const longestName = 52;

function nameErrors({ metadata: { name } }: KubeObject): readonly FieldError[] {
  return name.length > longestName ? [invalid("metadata.name", name, `must be no more than ${longestName} characters`)] : [];
}

export const cronJobRules: KindRules = {
  create: (object) => [...coreMeta(object, { name: dnsSubdomain, namespaced: true }), ...cronJob(object, {}), ...nameErrors(object)],
  update: (object, live) => [...coreMetaUpdate(object, live), ...cronJob(object, fieldsAt(live, "spec"))],
  status: () => [],
};
