import { findCondition, listAt, numberAt, stringAt, valueAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { cronScheduleOf, type CronSchedule } from "../../builtin/index.ts";
import { controllerOf } from "../owner/index.ts";
import { timeMs } from "../pod/index.ts";
import { nextScheduleAfter } from "./next-schedule.ts";

export const cronJobs = "cronjobs.batch";

/** The schedule of a CronJob in its time zone. */
export function scheduleOf(cronJob: KubeObject): CronSchedule | undefined {
  const zone = stringAt(cronJob, "spec.timeZone");
  const schedule = stringAt(cronJob, "spec.schedule", "");
  return cronScheduleOf(zone === undefined ? schedule : `TZ=${zone} ${schedule}`);
}

type Missed = "none" | "few" | "many";
type RecentSchedule = { readonly earliest: number; readonly recent: number | undefined; readonly missed: Missed; readonly error?: string };

/** The last time at which a Job should have started. Models pkg/controller/cronjob/utils.go mostRecentScheduleTime */
export function recentSchedule(cronJob: KubeObject, now: number, schedule: CronSchedule, withDeadline: boolean): RecentSchedule {
  const deadline = numberAt(cronJob, "spec.startingDeadlineSeconds");
  const last = timeMs(stringAt(cronJob, "status.lastScheduleTime")) ?? timeMs(cronJob.metadata.creationTimestamp) ?? now;
  const earliest = withDeadline && deadline !== undefined ? Math.max(last, now - deadline * 1000) : last;
  const first = nextScheduleAfter(schedule, earliest);
  if (first === undefined) return { earliest, recent: undefined, missed: "none", error: tooDense };
  if (now < first) return { earliest, recent: undefined, missed: "none" };
  const second = nextScheduleAfter(schedule, first);
  if (second !== undefined && now < second) return { earliest, recent: first, missed: "none" };
  const between = Math.round(((second ?? first) - first) / 1000);
  if (between < 1) return { earliest, recent: undefined, missed: "none", error: tooDense };
  const count = Math.floor(Math.floor((now - first) / 1000) / between) + 1;
  let recent: number | undefined;
  const from = first + (count - 2) * between * 1000;
  for (let at = nextScheduleAfter(schedule, from); at !== undefined && at <= now; at = nextScheduleAfter(schedule, at)) recent = at;
  return { earliest, recent, missed: count > 100 ? "many" : "few" };
}

const tooDense = "time difference between two schedules is less than 1 second";

/** A little later than the schedule says, for clocks that differ. */
const deltaMs = 100;

/** How long to wait for the next start. Models nextScheduleTimeDuration */
export function nextScheduleDelay(cronJob: KubeObject, now: number, schedule: CronSchedule): number | undefined {
  const { earliest, recent, missed, error } = recentSchedule(cronJob, now, schedule, false);
  const from = error !== undefined ? now : (recent ?? (missed === "none" ? earliest : now));
  const next = nextScheduleAfter(schedule, from);
  return next === undefined ? undefined : Math.max(0, next + deltaMs - now);
}

/** The Jobs of a CronJob in its status. */
export function activeJobs(cronJob: KubeObject): readonly Fields[] {
  return listAt(cronJob, "status.active");
}

/** How a Job ended, if it did. */
export function finishedCondition(job: KubeObject): "Complete" | "Failed" | undefined {
  if (findCondition(job, "Complete", "True") !== undefined) return "Complete";
  return findCondition(job, "Failed", "True") === undefined ? undefined : "Failed";
}

export function isOwnedBy(job: KubeObject, cronJob: KubeObject): boolean {
  return controllerOf(job)?.name === cronJob.metadata.name;
}

/** Models byJobStartTime */
export function byStartTime(a: KubeObject, b: KubeObject): number {
  const [one, two] = [a, b].map((job) => timeMs(stringAt(job, "status.startTime")) ?? Infinity);
  if (one !== two) return one! - two!;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

export function historyLimit(cronJob: KubeObject, kind: "successful" | "failed"): number | undefined {
  const limit = valueAt(cronJob, `spec.${kind}JobsHistoryLimit`);
  return typeof limit === "number" ? limit : undefined;
}
