import { booleanAt, fieldsAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { CronSchedule } from "../../builtin/index.ts";
import { StatusError } from "../../status-error.ts";
import { timestampOf } from "../../timestamp.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import { jobs } from "../job/index.ts";
import { controllerManager, isControlledBy, newControllerRef } from "../owner/index.ts";
import { isNamespaceTerminating, timeMs } from "../pod/index.ts";
import {
  activeJobs,
  byStartTime,
  finishedCondition,
  historyLimit,
  isOwnedBy,
  nextScheduleDelay,
  recentSchedule,
  scheduleOf,
} from "./cron-job.ts";
import { zoneOffset } from "./zoned-time.ts";

const source = "cronjob-controller";

type CronJobSync = { readonly active: readonly Fields[]; readonly status: Fields; readonly requeueAfterMs: number | undefined };

/** One look at a CronJob. Models pkg/controller/cronjob/cronjob_controllerv2.go cleanupFinishedJobs and syncCronJob */
export function syncCronJob(context: EmbeddedControllerContext, cronJob: KubeObject): CronJobSync {
  const sync = new CronJobRun(context, cronJob);
  sync.removeOldJobs();
  sync.trackJobs();
  const requeueAfterMs = cronJob.metadata.deletionTimestamp === undefined ? sync.start() : undefined;
  return { active: sync.active, status: sync.status, requeueAfterMs };
}

class CronJobRun {
  active: readonly Fields[];
  status: Fields = {};
  readonly #context: EmbeddedControllerContext;
  readonly #cronJob: KubeObject;
  readonly #namespace: string;

  constructor(context: EmbeddedControllerContext, cronJob: KubeObject) {
    this.#context = context;
    this.#cronJob = cronJob;
    this.#namespace = cronJob.metadata.namespace ?? "";
    this.active = activeJobs(cronJob);
  }

  get #jobs(): readonly KubeObject[] {
    return this.#context.api.list(jobs, this.#namespace).filter((job) => isOwnedBy(job, this.#cronJob));
  }

  #record(type: "Normal" | "Warning", reason: string, message: string): void {
    this.#context.record(this.#cronJob, { type, reason, message, source });
  }

  #isActive({ metadata }: KubeObject): boolean {
    return this.active.some(({ uid }) => uid === metadata.uid);
  }

  #forget(uid: unknown): void {
    this.active = this.active.filter((each) => each["uid"] !== uid);
  }

  /** Keeps as many ended Jobs as the limits allow. */
  removeOldJobs(): void {
    for (const [kind, condition] of [["successful", "Complete"] as const, ["failed", "Failed"] as const]) {
      const limit = historyLimit(this.#cronJob, kind);
      const ended = this.#jobs.filter((job) => finishedCondition(job) === condition && job.metadata.deletionTimestamp === undefined);
      const surplus = limit === undefined ? 0 : Math.max(0, ended.length - limit);
      for (const job of ended.toSorted(byStartTime).slice(0, surplus)) this.#delete(job);
    }
  }

  #delete({ metadata }: KubeObject): void {
    this.#context.api.delete(jobs, this.#namespace, metadata.name, { propagation: "background" });
    this.#forget(metadata.uid);
    this.#record("Normal", "SuccessfulDelete", `Deleted job ${metadata.name}`);
  }

  /** Notes Jobs that have ended, and those that are gone. */
  trackJobs(): void {
    const owned = this.#jobs;
    for (const job of owned) {
      const condition = finishedCondition(job);
      const { name, uid } = job.metadata;
      if (condition === undefined && !this.#isActive(job))
        this.#record("Warning", "UnexpectedJob", `Saw a job that the controller did not create or forgot: ${name}`);
      if (condition === undefined) continue;
      if (this.#isActive(job)) {
        this.#forget(uid);
        this.#record("Normal", "SawCompletedJob", `Saw completed job: ${name}, condition: ${condition}`);
      }
      if (condition === "Complete") this.#noteSuccess(stringAt(job, "status.completionTime"));
    }
    for (const { uid, name } of this.active) {
      if (owned.some(({ metadata }) => metadata.uid === uid)) continue;
      if (this.#context.api.read(jobs, this.#namespace, String(name)) !== undefined) continue;
      this.#record("Normal", "MissingJob", `Active job went missing: ${String(name)}`);
      this.#forget(uid);
    }
  }

  #noteSuccess(time: string | undefined): void {
    const last = stringAt(this.status, "lastSuccessfulTime") ?? stringAt(this.#cronJob, "status.lastSuccessfulTime");
    if (time !== undefined && (timeMs(last) ?? -Infinity) < timeMs(time)!) this.status = { ...this.status, lastSuccessfulTime: time };
  }

  /** Starts the Job that is due. Returns how long to wait for the next one. */
  start(): number | undefined {
    const cronJob = this.#cronJob;
    if (booleanAt(cronJob, "spec.suspend")) return undefined;
    if (stringAt(cronJob, "spec.timeZone") === undefined && stringAt(cronJob, "spec.schedule", "").includes("TZ"))
      this.#record(
        "Warning",
        "UnsupportedSchedule",
        "CRON_TZ or TZ used in schedule is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
      );
    const schedule = scheduleOf(cronJob);
    if (schedule === undefined) return undefined;
    const now = this.#context.clock.now();
    const { recent, missed, error } = recentSchedule(cronJob, now, schedule, true);
    if (error !== undefined) {
      this.#record("Warning", "InvalidSchedule", `invalid schedule: ${stringAt(cronJob, "spec.schedule", "")} : ${error}`);
      return undefined;
    }
    if (missed === "many" && recent !== undefined)
      this.#record(
        "Warning",
        "TooManyMissedTimes",
        "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
      );
    if (recent !== undefined && this.#isDue(recent, now)) this.#startAt(recent, schedule);
    return nextScheduleDelay({ ...cronJob, status: { ...fieldsAt(cronJob, "status"), ...this.status } }, now, schedule);
  }

  #isDue(scheduled: number, now: number): boolean {
    const cronJob = this.#cronJob;
    const deadline = numberAt(cronJob, "spec.startingDeadlineSeconds");
    if (deadline !== undefined && scheduled + deadline * 1000 < now) {
      const time = new Date(scheduled).toUTCString().replace("GMT", "+0000");
      this.#record("Warning", "MissSchedule", `Missed scheduled time to start a job: ${time}`);
      return false;
    }
    const isStarted = this.active.some(({ name }) => name === jobNameAt(cronJob, scheduled));
    if (isStarted || timeMs(stringAt(cronJob, "status.lastScheduleTime")) === scheduled) return false;
    const policy = stringAt(cronJob, "spec.concurrencyPolicy");
    if (policy !== "Forbid" || this.active.length === 0) return true;
    this.#record("Normal", "JobAlreadyActive", "Not starting job because prior execution is running and concurrency policy is Forbid");
    return false;
  }

  #startAt(scheduled: number, schedule: CronSchedule): void {
    const { api } = this.#context;
    if (stringAt(this.#cronJob, "spec.concurrencyPolicy") === "Replace") {
      for (const { name } of this.active) {
        const job = api.read(jobs, this.#namespace, String(name));
        if (job !== undefined) this.#delete(job);
      }
    }
    const job = this.#create(jobOf(this.#cronJob, scheduled, schedule));
    if (job === undefined) return;
    const { name, namespace, uid, resourceVersion } = job.metadata;
    this.active = [...this.active, { kind: "Job", namespace, name, uid, apiVersion: "batch/v1", resourceVersion }];
    this.status = { ...this.status, lastScheduleTime: timestampOf(scheduled) };
  }

  /** The Job, also one that was made before and forgotten; undefined when it belongs to somebody else. */
  #create(job: KubeObject): KubeObject | undefined {
    const { api } = this.#context;
    try {
      const created = api.create(jobs, job, controllerManager);
      this.#record("Normal", "SuccessfulCreate", `Created job ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.reason === "AlreadyExists") {
        const live = api.read(jobs, this.#namespace, job.metadata.name);
        return live !== undefined && isControlledBy(live, this.#cronJob) && !this.#isActive(live) ? live : undefined;
      }
      if (!isNamespaceTerminating(error)) this.#record("Warning", "FailedCreate", `Error creating job: ${error.message}`);
      throw error;
    }
  }
}

function jobNameAt({ metadata }: KubeObject, scheduled: number): string {
  return `${metadata.name}-${Math.floor(scheduled / 60_000)}`;
}

/** Models getJobFromTemplate2 */
function jobOf(cronJob: KubeObject, scheduled: number, schedule: CronSchedule): KubeObject {
  const template = fieldsAt(cronJob, "spec.jobTemplate");
  const labels = mapAt(template, "metadata.labels");
  const zone = stringAt(cronJob, "spec.timeZone") === undefined ? "" : "zone" in schedule ? schedule.zone : "";
  const annotations = {
    ...mapAt(template, "metadata.annotations"),
    "batch.kubernetes.io/cronjob-scheduled-timestamp": inZone(zone, scheduled),
  };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: jobNameAt(cronJob, scheduled),
      ...(cronJob.metadata.namespace === undefined ? {} : { namespace: cronJob.metadata.namespace }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      annotations,
      ownerReferences: [newControllerRef(cronJob)],
    },
    spec: fieldsAt(template, "spec"),
  };
}

/** A time in RFC 3339 with the offset of a zone. */
function inZone(zone: string, ms: number): string {
  const minutes = Math.round(zoneOffset(zone, ms) / 60_000);
  const text = timestampOf(ms + minutes * 60_000).slice(0, -1);
  if (minutes === 0) return `${text}Z`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, "0"));
  return `${text}${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}
