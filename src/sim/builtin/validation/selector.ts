import { listAt, mapAt, stringsAt, type Fields } from "../../../object/index.ts";
import { text } from "./check.ts";

/** Whether a label selector picks these labels; one that says nothing picks all. Models metav1.LabelSelectorAsSelector */
export function selects(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(mapAt(selector, "matchLabels")).every(([key, value]) => labels[key] === value);
  return equal && listAt(selector, "matchExpressions").every((requirement) => holds(requirement, labels));
}

function holds(requirement: Fields, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[text(requirement, "key")];
  const values = stringsAt(requirement, "values");
  switch (text(requirement, "operator")) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    default:
      return value === undefined;
  }
}
