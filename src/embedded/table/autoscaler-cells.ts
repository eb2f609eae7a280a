import { isFields, listAt, numberAt, stringAt, valueAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { age, firstFew, integer, name, none, row, unset, type PrintCells } from "./cell.ts";

const unknown = "<unknown>";

/** Models pkg/printers/internalversion/printers.go printHorizontalPodAutoscaler */
export const autoscalerCells: PrintCells = row(
  name,
  (object) => `${stringAt(object, "spec.scaleTargetRef.kind", "")}/${stringAt(object, "spec.scaleTargetRef.name", "")}`,
  metricsText,
  (object) => String(numberAt(object, "spec.minReplicas") ?? unset),
  integer("spec.maxReplicas"),
  integer("status.currentReplicas"),
  age,
);

function metricsText(object: KubeObject): string {
  const statuses = listAt(object, "status.currentMetrics");
  const metrics = listAt(object, "spec.metrics").map((metric, index) => metricText(metric, statuses[index]));
  return metrics.length === 0 ? none : firstFew(metrics, ", ", 2);
}

/** The field in which a metric of a type has its target. */
const fields: Readonly<Record<string, string>> = {
  External: "external",
  Pods: "pods",
  Object: "object",
  Resource: "resource",
  ContainerResource: "containerResource",
};

function metricText(metric: Fields, status: Fields | undefined): string {
  const type = stringAt(metric, "type", "");
  const field = fields[type];
  if (field === undefined) return "<unknown type>";
  const current = valueAt(status, `${field}.current`);
  const average = stringAt(metric, `${field}.target.averageValue`);
  const of = (name: string, otherwise: string) => (isFields(current) ? String(current[name] ?? otherwise) : unknown);
  if (type === "Pods") return `${of("averageValue", "0")}/${average ?? "0"}`;
  if (type === "External" || type === "Object") {
    if (average !== undefined) return `${of("averageValue", unknown)}/${average} (avg)`;
    return `${of("value", "0")}/${stringAt(metric, `${field}.target.value`, "0")}`;
  }
  const resource = stringAt(metric, `${field}.name`, "");
  if (average !== undefined) return `${resource}: ${of("averageValue", "0")}/${average}`;
  return `${resource}: ${percent(current, unknown)}/${percent(valueAt(metric, `${field}.target`), "<auto>")}`;
}

function percent(value: unknown, otherwise: string): string {
  const utilization = numberAt(value, "averageUtilization");
  return utilization === undefined ? otherwise : `${utilization}%`;
}
