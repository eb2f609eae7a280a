import { fieldsAt, isFields, listAt, type Fields } from "../../../core/object/index.ts";
import { isUnset } from "../field-edits.ts";

// Models pkg/apis/autoscaling/v1/conversion.go: metrics, as the annotations of autoscaling/v1 hold them. Fields are in
// the order of the Go types, since annotations are compared as text.

/** A metric of autoscaling/v2 as one of v1. `part` is the key of its target or of its current value. */
type ToFirst = (source: Fields, value: Fields) => Fields;
type ToSecond = (source: Fields) => Fields;

const set = (value: unknown): unknown => (isUnset(value) ? undefined : value);
const orZero = (value: unknown): unknown => (isUnset(value) ? "0" : value);

function selectorOf(metric: Fields): unknown {
  const { selector } = metric;
  if (!isFields(selector)) return undefined;
  const { matchLabels } = selector;
  const labels = isFields(matchLabels) ? Object.fromEntries(Object.entries(matchLabels).sort(([a], [b]) => (a < b ? -1 : 1))) : undefined;
  const expressions = listAt(selector, "matchExpressions").map(({ key, operator, values }) => ({ key, operator, values: set(values) }));
  return { matchLabels: labels, matchExpressions: expressions.length === 0 ? undefined : expressions };
}

function referenceOf({ kind, name, apiVersion }: Fields): Fields {
  return { kind, name, apiVersion: set(apiVersion) };
}

const specToFirst: Readonly<Record<string, ToFirst>> = {
  object: (source, { value, averageValue }) => ({
    target: referenceOf(fieldsAt(source, "describedObject")),
    metricName: fieldsAt(source, "metric")["name"],
    targetValue: orZero(value),
    selector: selectorOf(fieldsAt(source, "metric")),
    averageValue: set(averageValue),
  }),
  pods: (source, { averageValue }) => ({
    metricName: fieldsAt(source, "metric")["name"],
    targetAverageValue: orZero(averageValue),
    selector: selectorOf(fieldsAt(source, "metric")),
  }),
  resource: ({ name }, { averageUtilization, averageValue }) => ({
    name,
    targetAverageUtilization: set(averageUtilization),
    targetAverageValue: set(averageValue),
  }),
  containerResource: ({ name, container }, { averageUtilization, averageValue }) => ({
    name,
    targetAverageUtilization: set(averageUtilization),
    targetAverageValue: set(averageValue),
    container,
  }),
  external: (source, { value, averageValue }) => ({
    metricName: fieldsAt(source, "metric")["name"],
    metricSelector: selectorOf(fieldsAt(source, "metric")),
    targetValue: set(value),
    targetAverageValue: set(averageValue),
  }),
};

const statusToFirst: Readonly<Record<string, ToFirst>> = {
  object: (source, { value, averageValue }) => ({
    target: referenceOf(fieldsAt(source, "describedObject")),
    metricName: fieldsAt(source, "metric")["name"],
    currentValue: orZero(value),
    selector: selectorOf(fieldsAt(source, "metric")),
    averageValue: set(averageValue),
  }),
  pods: (source, { averageValue }) => ({
    metricName: fieldsAt(source, "metric")["name"],
    currentAverageValue: orZero(averageValue),
    selector: selectorOf(fieldsAt(source, "metric")),
  }),
  resource: ({ name }, { averageUtilization, averageValue }) => ({
    name,
    currentAverageUtilization: set(averageUtilization),
    currentAverageValue: orZero(averageValue),
  }),
  containerResource: ({ name, container }, { averageUtilization, averageValue }) => ({
    name,
    currentAverageUtilization: set(averageUtilization),
    currentAverageValue: orZero(averageValue),
    container,
  }),
  external: (source, { value, averageValue }) => ({
    metricName: fieldsAt(source, "metric")["name"],
    metricSelector: selectorOf(fieldsAt(source, "metric")),
    currentValue: orZero(value),
    currentAverageValue: set(averageValue),
  }),
};

const utilizationOrAverage = ({ targetAverageUtilization, targetAverageValue }: Fields): Fields => ({
  type: isUnset(targetAverageUtilization) ? "AverageValue" : "Utilization",
  averageValue: set(targetAverageValue),
  averageUtilization: set(targetAverageUtilization),
});

const specToSecond: Readonly<Record<string, ToSecond>> = {
  object: ({ target, metricName, targetValue, selector, averageValue }) => ({
    describedObject: target,
    target: { type: isUnset(averageValue) ? "Value" : "AverageValue", value: orZero(targetValue), averageValue: set(averageValue) },
    metric: { name: metricName, selector: set(selector) },
  }),
  pods: ({ metricName, targetAverageValue, selector }) => ({
    metric: { name: metricName, selector: set(selector) },
    target: { type: "AverageValue", averageValue: orZero(targetAverageValue) },
  }),
  resource: (source) => ({ name: source["name"], target: utilizationOrAverage(source) }),
  containerResource: (source) => ({ name: source["name"], container: source["container"], target: utilizationOrAverage(source) }),
  external: ({ metricName, metricSelector, targetValue, targetAverageValue }) => ({
    metric: { name: metricName, selector: set(metricSelector) },
    target: { type: isUnset(targetValue) ? "AverageValue" : "Value", value: set(targetValue), averageValue: set(targetAverageValue) },
  }),
};

const averages = ({ currentAverageUtilization, currentAverageValue }: Fields): Fields => ({
  averageValue: orZero(currentAverageValue),
  averageUtilization: set(currentAverageUtilization),
});

const statusToSecond: Readonly<Record<string, ToSecond>> = {
  object: ({ target, metricName, currentValue, selector, averageValue }) => ({
    metric: { name: metricName, selector: set(selector) },
    current: { value: orZero(currentValue), averageValue: set(averageValue) },
    describedObject: target,
  }),
  pods: ({ metricName, currentAverageValue, selector }) => ({
    metric: { name: metricName, selector: set(selector) },
    current: { averageValue: orZero(currentAverageValue) },
  }),
  resource: (source) => ({ name: source["name"], current: averages(source) }),
  containerResource: (source) => ({ name: source["name"], container: source["container"], current: averages(source) }),
  external: ({ metricName, metricSelector, currentValue, currentAverageValue }) => ({
    metric: { name: metricName, selector: set(metricSelector) },
    current: { value: orZero(currentValue), averageValue: set(currentAverageValue) },
  }),
};

const parts = ["object", "pods", "resource", "containerResource", "external"];

function converted(metric: Fields, convert: (part: string, source: Fields) => Fields | undefined): Fields {
  const sources = parts.flatMap((part): [string, unknown][] => {
    const source = metric[part];
    return isFields(source) ? [[part, convert(part, source)]] : [];
  });
  return { type: metric["type"] ?? "", ...Object.fromEntries(sources) };
}

export const metricSpecToFirst = (metric: Fields): Fields =>
  converted(metric, (part, source) => specToFirst[part]?.(source, fieldsAt(source, "target")));
export const metricStatusToFirst = (metric: Fields): Fields =>
  converted(metric, (part, source) => statusToFirst[part]?.(source, fieldsAt(source, "current")));
export const metricSpecToSecond = (metric: Fields): Fields => converted(metric, (part, source) => specToSecond[part]?.(source));
export const metricStatusToSecond = (metric: Fields): Fields => converted(metric, (part, source) => statusToSecond[part]?.(source));
