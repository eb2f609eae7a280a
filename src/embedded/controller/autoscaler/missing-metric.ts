import { fieldsAt, isFields, listAt, mapAt, stringAt, type Fields } from "../../../core/object/index.ts";

const resourceApi =
  "unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)";
const customApi = "unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered";

/** Why a metric cannot be read, and the reason of the condition that says so. */
type MissingMetric = { readonly reason: string; readonly message: string };

/**
 * What is said of a metric in a cluster without the APIs of metrics. Models pkg/controller/podautoscaler/horizontal.go
 * computeReplicasForMetric and replica_calculator.go
 */
export function missingMetricOf(metric: Fields, namespace: string): MissingMetric {
  switch (metric["type"]) {
    case "ContainerResource":
      return { reason: "FailedGetContainerResourceMetric", message: resourceMessage(fieldsAt(metric, "containerResource")) };
    case "Pods":
      return { reason: "FailedGetPodsMetric", message: `unable to get metric ${nameIn(metric, "pods")}: ${customApi}` };
    case "Object": {
      const about = fieldsAt(metric, "object.describedObject");
      // Real controllers mix up the parts of this message, too.
      const message = `unable to get metric ${nameIn(metric, "object")}: ${stringAt(about, "kind", "")} on ${namespace} ${stringAt(about, "name", "")}/${customApi}`;
      return { reason: "FailedGetObjectMetric", message };
    }
    case "External": {
      const name = nameIn(metric, "external");
      const api = `unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;
      const selector = goSelector(fieldsAt(metric, "external.metric")["selector"]);
      return { reason: "FailedGetExternalMetric", message: `unable to get external metric ${namespace}/${name}/${selector}: ${api}` };
    }
    default:
      return { reason: "FailedGetResourceMetric", message: resourceMessage(fieldsAt(metric, "resource")) };
  }
}

function nameIn(metric: Fields, source: string): string {
  return stringAt(metric, `${source}.metric.name`, "");
}

function resourceMessage(source: Fields): string {
  const name = stringAt(source, "name", "");
  const what = stringAt(source, "target.averageValue") === undefined ? "utilization" : "usage";
  return `failed to get ${name} ${what}: unable to get metrics for resource ${name}: ${resourceApi}`;
}

/** A selector as Go prints it. */
function goSelector(selector: unknown): string {
  if (!isFields(selector)) return "nil";
  const labels = Object.entries(mapAt(selector, "matchLabels"))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = listAt(selector, "matchExpressions").map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${String(key)},Operator:${String(operator)},Values:[${(Array.isArray(values) ? values : []).join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
