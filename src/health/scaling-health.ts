import { conditionsOf, mapAt, numberAt, stringAt, valueAt, type Condition, type KubeObject } from "../core/object/index.ts";
import { conditionText } from "./condition-text.ts";
import { failedBecause, progressingBecause, ready, readyWith, silentBecause, type Health } from "./health.ts";

/** How long after its creation an autoscaler may lack metrics or its target. */
const settlingMs = 5 * 60_000;

export function horizontalPodAutoscalerHealth(object: KubeObject): Health {
  const conditions = [...conditionsOf(object), ...annotatedConditions(object)];
  const stuck = conditions.find((each) => isFailing(each) && !isUnmeasured(each));
  if (stuck !== undefined)
    return isSettling(stuck, object) ? progressingBecause(conditionText(stuck)) : failedBecause(conditionText(stuck));
  const open = conditions.find(
    ({ type, status, reason }) => type !== "ScalingLimited" && status !== "True" && reason !== "ScalingDisabled",
  );
  if (open !== undefined) return isUnmeasured(open) ? readyWith(conditionText(open)) : progressingBecause(conditionText(open));
  return conditions.some(({ type }) => type === "AbleToScale") ? ready : silentBecause("no scaling decision yet");
}

/** Models pkg/controller/podautoscaler: it cannot get or update a scale or a metric, or its spec is invalid. */
function isFailing({ type, status, reason = "" }: Condition): boolean {
  return type !== "ScalingLimited" && status === "False" && /^(Failed|Invalid)/.test(reason);
}

/** The cluster has no API for the metric, as without a metrics server: no wait brings it, and the workload runs without it. */
function isUnmeasured({ type, message = "" }: Condition): boolean {
  return type === "ScalingActive" && /the server could not find the requested resource \(get [^)]*metrics/.test(message);
}

function isSettling({ lastTransitionTime = "" }: Condition, object: KubeObject): boolean {
  const age = Date.parse(lastTransitionTime) - Date.parse(stringAt(object, "metadata.creationTimestamp", ""));
  return age <= settlingMs;
}

/** Models pkg/apis/autoscaling: as v1, an autoscaler has its conditions in an annotation. */
function annotatedConditions(object: KubeObject): readonly Condition[] {
  const text = mapAt(object, "metadata.annotations")["autoscaling.alpha.kubernetes.io/conditions"] ?? "[]";
  try {
    return conditionsOf({ status: { conditions: JSON.parse(text) as unknown } });
  } catch {
    return [];
  }
}

export function podDisruptionBudgetHealth(object: KubeObject): Health {
  const lost = conditionsOf(object).find(({ type, reason }) => type === "DisruptionAllowed" && reason === "SyncFailed");
  if (lost !== undefined) return failedBecause(conditionText(lost));
  if (valueAt(object, "status.observedGeneration") === undefined) return silentBecause("its pods have not been counted yet");
  const [current, desired] = [numberAt(object, "status.currentHealthy", 0), numberAt(object, "status.desiredHealthy", 0)];
  return current < desired ? readyWith(`${current} of ${desired} pods healthy`) : ready;
}
