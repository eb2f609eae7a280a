import { fieldsAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { enqueueObject, namespacedKeyOf, splitKey, type ControllerConstructor } from "../controller.ts";
import { jobs } from "../job/index.ts";
import { controllerManager, controllerOf } from "../owner/index.ts";
import { activeJobs, cronJobs, nextScheduleDelay, scheduleOf } from "./cron-job.ts";
import { syncCronJob } from "./sync-cron-job.ts";

/** Starts the Jobs of CronJobs when it is time. Models pkg/controller/cronjob/cronjob_controllerv2.go */
export const cronJobController: ControllerConstructor = (context) => {
  const { api, clock } = context;
  /** CronJobs with a new schedule, which is not applied to the time before. */
  const rescheduled = new Set<string>();
  const note = (change: StoreEvent): string[] => {
    const { object, previous, type } = change;
    if (type !== "DELETED" && previous !== undefined && isRescheduled(object, previous)) rescheduled.add(namespacedKeyOf(object));
    return enqueueObject(change);
  };
  return {
    name: "cronjob-controller",
    // Waiting for the next start keeps nobody waiting.
    background: true,
    watches: { [cronJobs]: note, [jobs]: ownersOf },
    reconcile: (key) => {
      const { namespace, name } = splitKey(key);
      const live = api.read(cronJobs, namespace, name);
      const waits = rescheduled.delete(key);
      if (live === undefined) return undefined;
      const schedule = scheduleOf(live);
      if (waits && schedule !== undefined) return nextScheduleDelay(live, clock.now(), schedule);
      const { active, status, requeueAfterMs } = syncCronJob(context, live);
      const next: KubeObject = { ...live, status: { ...fieldsAt(live, "status"), ...status, active } };
      if (isStatusChanged(next, live)) api.updateStatus(cronJobs, next, controllerManager);
      return requeueAfterMs;
    },
  };
};

function isRescheduled(object: KubeObject, previous: KubeObject): boolean {
  return ["spec.schedule", "spec.timeZone"].some((path) => stringAt(object, path) !== stringAt(previous, path));
}

function ownersOf({ object }: StoreEvent): string[] {
  const owner = controllerOf(object);
  return owner?.kind === "CronJob" ? [`${object.metadata.namespace ?? ""}/${owner.name}`] : [];
}

function isStatusChanged(next: KubeObject, live: KubeObject): boolean {
  const [one, other] = [next, live].map((each) => [
    activeJobs(each).map(({ uid }) => uid),
    ...["lastScheduleTime", "lastSuccessfulTime"].map((field) => stringAt(each, `status.${field}`)),
  ]);
  return JSON.stringify(one) !== JSON.stringify(other);
}
