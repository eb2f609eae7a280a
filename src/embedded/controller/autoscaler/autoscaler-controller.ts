import {
  applyMergePatch,
  equal,
  fieldsAt,
  isKubeObject,
  listAt,
  numberAt,
  stringAt,
  type Fields,
  type KubeObject,
} from "../../../core/object/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import { StatusError } from "../../status-error.ts";
import { timestampOf } from "../../timestamp.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { controllerManager } from "../owner/index.ts";
import { missingMetricOf } from "./missing-metric.ts";
import { scalable, scaleTargetOf } from "./scale-target.ts";

const autoscalers = "horizontalpodautoscalers.autoscaling";
const source = "horizontal-pod-autoscaler";

/** How long a real controller leaves an autoscaler alone, also a new one. */
const syncPeriodMs = 15_000;

/**
 * Keeps the replicas of targets within the limits of their autoscalers, and says why it can do no more. It looks at an autoscaler
 * some time after that or its target has changed. Models pkg/controller/podautoscaler/horizontal.go in a cluster without metrics
 */
export const autoscalerController: ControllerConstructor = (context) => {
  const { api } = context;
  /** When autoscalers are looked at next. */
  const dueAt = new Map<string, number>();
  /** The replicas that autoscalers have just set. */
  const rescaled = new Map<string, number>();
  const ofTargets = ({ type, object, previous }: StoreEvent): string[] => {
    const replicas = numberAt(object, "spec.replicas", 1);
    if (type === "MODIFIED" && numberAt(previous, "spec.replicas", 1) === replicas) return [];
    const { namespace = "", name } = object.metadata;
    return api
      .list(autoscalers, namespace)
      .filter((each) => stringAt(each, "spec.scaleTargetRef.kind") === object.kind && stringAt(each, "spec.scaleTargetRef.name") === name)
      .map(namespacedKeyOf)
      .filter((key) => rescaled.get(key) !== replicas);
  };
  return {
    name: "horizontal-pod-autoscaler",
    background: true,
    watches: { [autoscalers]: ofAutoscalers, ...Object.fromEntries(Object.values(scalable).map((key) => [key, ofTargets])) },
    reconcile: (key) => {
      const { namespace, name } = splitKey(key);
      const live = api.read(autoscalers, namespace, name);
      if (live === undefined) return void dueAt.delete(key);
      const now = context.clock.now();
      const due = dueAt.get(key) ?? now + syncPeriodMs;
      dueAt.set(key, due);
      if (now < due) return due - now;
      rescaled.delete(key);
      const replicas = sync(context, live);
      dueAt.delete(key);
      if (replicas === undefined) return undefined;
      rescaled.set(key, replicas);
      return syncPeriodMs;
    },
  };
};

/** Status writes, which are the controller's own, enqueue nothing. */
function ofAutoscalers({ type, object, previous }: StoreEvent): string[] {
  return type === "DELETED" || equal(object["spec"], previous?.["spec"]) ? [] : [namespacedKeyOf(object)];
}

/** One look at an autoscaler. Returns the replicas that it has set, if it has. */
function sync(context: EmbeddedControllerContext, live: KubeObject): number | undefined {
  const { api, clock } = context;
  const time = timestampOf(clock.now());
  const target = scaleTargetOf(api, live);
  const status = new AutoscalerStatus(live, time);
  const write = () => {
    if (!equal(status.fields, live["status"])) api.updateStatus(autoscalers, { ...live, status: status.fields }, controllerManager);
  };
  if (typeof target === "string") {
    context.record(live, { type: "Warning", reason: "FailedGetScale", message: target, source });
    status.set("AbleToScale", "False", "FailedGetScale", `the HPA controller was unable to get the target's current scale: ${target}`);
    write();
    return undefined;
  }
  status.set("AbleToScale", "True", "SucceededGetScale", "the HPA controller was able to get the target's current scale");
  const current = numberAt(target.live, target.replicasPath, 1);
  const wanted = withinLimits(live, current);
  if (wanted === undefined) {
    if (current === 0) {
      status.set("ScalingActive", "False", "ScalingDisabled", "scaling is disabled since the replica count of the target is zero");
      status.count(0, 0);
    } else noteMissingMetrics(context, live, status, current);
    write();
    return undefined;
  }
  const { replicas, why } = wanted;
  const patch = target.replicasPath.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), replicas);
  const scaled = applyMergePatch(target.live, patch);
  const refusal = isKubeObject(scaled) ? refusalToScale(api, target.key, scaled) : undefined;
  if (refusal !== undefined) {
    const message = `New size: ${replicas}; reason: ${why}; error: ${refusal.message}`;
    context.record(live, { type: "Warning", reason: "FailedRescale", message, source });
    const failed = `the HPA controller was unable to update the target scale: ${refusal.message}`;
    status.set("AbleToScale", "False", "FailedUpdateScale", failed);
    status.count(current, numberAt(live, "status.desiredReplicas", 0));
    write();
    return current;
  }
  status.set("AbleToScale", "True", "SucceededRescale", `the HPA controller was able to update the target scale to ${replicas}`);
  context.record(live, { type: "Normal", reason: "SuccessfulRescale", message: `New size: ${replicas}; reason: ${why}`, source });
  status.count(current, replicas, { lastScaleTime: time });
  write();
  return replicas;
}

/** Why the target keeps its replicas. */
function refusalToScale(api: ApiClient, key: string, scaled: KubeObject): StatusError | undefined {
  try {
    api.updateScale(key, scaled, controllerManager);
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

function withinLimits(autoscaler: KubeObject, current: number): { replicas: number; why: string } | undefined {
  const [least, most] = [numberAt(autoscaler, "spec.minReplicas", 1), numberAt(autoscaler, "spec.maxReplicas", 1)];
  if (current === 0 && least !== 0) return undefined;
  if (current > most) return { replicas: most, why: "Current number of replicas above Spec.MaxReplicas" };
  return current < least ? { replicas: least, why: "Current number of replicas below Spec.MinReplicas" } : undefined;
}

/** The first metric speaks for all. */
function noteMissingMetrics({ record }: EmbeddedControllerContext, live: KubeObject, status: AutoscalerStatus, current: number): void {
  const metrics = listAt(live, "spec.metrics");
  const [missing] = metrics.map((metric) => missingMetricOf(metric, live.metadata.namespace ?? ""));
  if (missing === undefined) return;
  const { reason, message } = missing;
  status.set("ScalingActive", "False", reason, `the HPA was unable to compute the replica count: ${message}`);
  record(live, { type: "Warning", reason, message, source });
  const currentMetrics = metrics.map(() => ({ type: "" }));
  status.count(current, numberAt(live, "status.desiredReplicas", 0), { currentMetrics });
}

/** The status of an autoscaler while it is looked at. */
class AutoscalerStatus {
  #fields: Fields;
  readonly #time: string;

  constructor(autoscaler: KubeObject, time: string) {
    this.#fields = fieldsAt(autoscaler, "status");
    this.#time = time;
  }

  get fields(): Fields {
    return this.#fields;
  }

  set(type: string, status: string, reason: string, message: string): void {
    const conditions = listAt(this.#fields, "conditions");
    const known = conditions.find((condition) => condition["type"] === type);
    const lastTransitionTime = known?.["status"] === status ? known["lastTransitionTime"] : this.#time;
    const next = { type, status, lastTransitionTime, reason, message };
    const all = known === undefined ? [...conditions, next] : conditions.map((condition) => (condition === known ? next : condition));
    this.#fields = { ...this.#fields, conditions: all };
  }

  count(currentReplicas: number, desiredReplicas: number, more: Fields = {}): void {
    const { currentMetrics: _metrics, currentReplicas: _current, ...kept } = this.#fields;
    this.#fields = { ...kept, ...(currentReplicas === 0 ? {} : { currentReplicas }), desiredReplicas, currentMetrics: null, ...more };
  }
}
