import { booleanAt, findCondition, listAt, numberAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { failedBecause, progressingBecause, ready, readyWith, type Health } from "./health.ts";

/** Models batch/v1: FailureTarget means that the Job fails as soon as its pods are gone. */
export function jobHealth(object: KubeObject): Health {
  const gaveUp = findCondition(object, "Failed", "True") ?? findCondition(object, "FailureTarget", "True");
  if (gaveUp !== undefined)
    return failedBecause([gaveUp.reason ?? "Failed", gaveUp.message ?? ""].filter((text) => text !== "").join(": "));
  if (findCondition(object, "Complete", "True") !== undefined) return ready;
  if (booleanAt(object, "spec.suspend")) return readyWith("suspended: spec.suspend is true");
  const wanted = numberAt(object, "spec.completions", 1);
  const failures = numberAt(object, "status.failed", 0);
  const tries = failures === 0 ? "" : `, ${failures} failed so far`;
  return progressingBecause(`${numberAt(object, "status.succeeded", 0)} of ${wanted} completions${tries}`);
}

/** A CronJob is ready as soon as it exists. A failed last run is only noted, because this change may fix it. */
export function cronJobHealth(object: KubeObject): Health {
  if (booleanAt(object, "spec.suspend")) return readyWith("suspended: spec.suspend is true");
  const scheduled = Date.parse(stringAt(object, "status.lastScheduleTime", ""));
  const succeeded = Date.parse(stringAt(object, "status.lastSuccessfulTime", ""));
  const running = listAt(object, "status.active").length > 0;
  return !running && scheduled > succeeded ? readyWith("its last run did not succeed") : ready;
}
