import { fieldsAt, isFields, listAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isUnset, withField, withoutFields } from "../field-edits.ts";
import { fieldInAnyCase, marshalGoJson, unmarshalFields, unmarshalItems } from "./go-json.ts";
import { metricSpecToFirst, metricSpecToSecond, metricStatusToFirst, metricStatusToSecond } from "./metric-conversion.ts";

// Models pkg/apis/autoscaling/v1/conversion.go: what autoscaling/v1 has no fields for is in annotations.

const prefix = "autoscaling.alpha.kubernetes.io";
const metricsKey = `${prefix}/metrics`;
const currentMetricsKey = `${prefix}/current-metrics`;
const conditionsKey = `${prefix}/conditions`;
const behaviorKey = `${prefix}/behavior`;
const ownKeys = [
  metricsKey,
  currentMetricsKey,
  conditionsKey,
  behaviorKey,
  `${prefix}/scale-down-tolerance`,
  `${prefix}/scale-up-tolerance`,
];

/** The HPA without the annotations of the conversion, which no client can set in v2. */
export function withoutConversionAnnotations(object: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if (annotations === undefined || !ownKeys.some((key) => Object.hasOwn(annotations, key))) return object;
  return withAnnotations(object, {});
}

/** Replaces the annotations of the conversion. */
function withAnnotations(object: KubeObject, own: Readonly<Record<string, string>>): KubeObject {
  const annotations = { ...withoutFields(object.metadata.annotations ?? {}, ...ownKeys), ...own };
  const some = Object.keys(annotations).length === 0 ? undefined : annotations;
  return { ...object, metadata: withField(object.metadata, "annotations", some) };
}

function isCpu(metric: Fields): boolean {
  return metric["type"] === "Resource" && stringAt(metric, "resource.name") === "cpu";
}

function cpuTargetOf(metric: Fields): number | undefined {
  return isCpu(metric) ? numberAt(metric, "resource.target.averageUtilization") : undefined;
}

const cpuMetric = (averageUtilization: unknown): Fields => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});

/** An HPA of autoscaling/v2 as one of v1. */
export function autoscalerToFirst(object: KubeObject): KubeObject {
  const { metrics: _metrics, behavior, ...spec } = fieldsAt(object, "spec");
  const { currentMetrics: _current, conditions: _conditions, ...status } = fieldsAt(object, "status");
  const specs = listAt(object, "spec.metrics");
  const others = specs.filter((metric) => cpuTargetOf(metric) === undefined);
  const current = listAt(object, "status.currentMetrics");
  const conditions = listAt(object, "status.conditions");
  const used = current.filter(isCpu).map((metric) => numberAt(metric, "resource.current.averageUtilization"));
  const annotations = {
    ...(others.length === 0 ? {} : { [metricsKey]: marshalGoJson(others.map(metricSpecToFirst)) }),
    ...(current.length === 0 ? {} : { [currentMetricsKey]: marshalGoJson(current.map(metricStatusToFirst)) }),
    ...(isFields(behavior) ? { [behaviorKey]: marshalGoJson(internalBehavior(behavior)) } : {}),
    ...(conditions.length === 0 ? {} : { [conditionsKey]: marshalGoJson(conditions.map(orderedCondition)) }),
  };
  return {
    ...withAnnotations(object, annotations),
    apiVersion: "autoscaling/v1",
    spec: withField(
      spec,
      "targetCPUUtilizationPercentage",
      specs.map(cpuTargetOf).find((target) => target !== undefined),
    ),
    status: withField(
      status,
      "currentCPUUtilizationPercentage",
      used.findLast((value) => value !== undefined),
    ),
  };
}

function orderedCondition({ type, status, lastTransitionTime = null, reason, message }: Fields): Fields {
  return { type, status, lastTransitionTime, reason: reason || undefined, message: message || undefined };
}

/** The behaviour as the internal Go type, whose fields have no JSON names, is written. */
function internalBehavior({ scaleUp, scaleDown }: Fields): Fields {
  return { ScaleUp: internalRules(scaleUp), ScaleDown: internalRules(scaleDown) };
}

function internalRules(rules: unknown): Fields | null {
  if (!isFields(rules)) return null;
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance = null } = rules;
  const list = Array.isArray(policies) ? policies.filter(isFields) : undefined;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies: list?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ?? null,
    Tolerance: tolerance,
  };
}

function named(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fieldInAnyCase(fields, name)]).filter(([, value]) => !isUnset(value)));
}

function externalRules(rules: unknown): Fields | undefined {
  if (!isFields(rules)) return undefined;
  const policies = fieldInAnyCase(rules, "Policies");
  const list = Array.isArray(policies) ? policies.filter(isFields) : undefined;
  return {
    ...named(rules, "stabilizationWindowSeconds", "selectPolicy", "tolerance"),
    ...(list === undefined ? {} : { policies: list.map((policy) => named(policy, "type", "value", "periodSeconds")) }),
  };
}

function behaviorIn(text: string | undefined): Fields | undefined {
  const behavior = text === undefined ? undefined : unmarshalFields(text);
  if (behavior === undefined) return undefined;
  const [scaleUp, scaleDown] = ["ScaleUp", "ScaleDown"].map((name) => externalRules(fieldInAnyCase(behavior, name)));
  if (scaleUp === undefined && scaleDown === undefined) return undefined;
  return { ...(scaleUp === undefined ? {} : { scaleUp }), ...(scaleDown === undefined ? {} : { scaleDown }) };
}

function itemsIn(text: string | undefined): readonly Fields[] | undefined {
  return text === undefined ? undefined : unmarshalItems(text);
}

/** An HPA of autoscaling/v1 as one of v2. */
export function autoscalerToSecond(object: KubeObject): KubeObject {
  const annotations = object.metadata.annotations ?? {};
  const { targetCPUUtilizationPercentage: target, ...spec } = fieldsAt(object, "spec");
  const { currentCPUUtilizationPercentage: used, ...status } = fieldsAt(object, "status");
  const others = itemsIn(annotations[metricsKey])?.map(metricSpecToSecond) ?? [];
  const metrics = [...others, ...(isUnset(target) ? [] : [cpuMetric(target)])];
  const current = isUnset(used) ? undefined : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: used } } }];
  const behavior = behaviorIn(annotations[behaviorKey]);
  const conditions = itemsIn(annotations[conditionsKey]);
  return {
    ...withAnnotations(object, {}),
    apiVersion: "autoscaling/v2",
    spec: withField({ ...spec, metrics: metrics.length === 0 ? [cpuMetric(80)] : metrics }, "behavior", behavior),
    status: withField(
      withField(status, "currentMetrics", itemsIn(annotations[currentMetricsKey])?.map(metricStatusToSecond) ?? current),
      "conditions",
      conditions,
    ),
  };
}
