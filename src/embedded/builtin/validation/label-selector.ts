import { fieldsAt, listAt, mapAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { hasField, stringField } from "./field-checks.ts";
import { validateLabelSelector } from "./object-meta.ts";

/** Whether a label selector matches these labels; an empty one matches all, a missing one none. Models metav1.LabelSelectorAsSelector */
export function selectorMatches(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(mapAt(selector, "matchLabels")).every(([key, value]) => labels[key] === value);
  return equal && listAt(selector, "matchExpressions").every((requirement) => holds(requirement, labels));
}

function holds(requirement: Fields, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[stringField(requirement, "key")];
  const values = stringsAt(requirement, "values");
  switch (stringField(requirement, "operator")) {
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

/** An invalid selector matches nothing and is reported as a whole. */
export function isValidSelector(selector: unknown): boolean {
  return validateLabelSelector(selector, "").length === 0;
}

export function isEmptyLabelSelector(selector: Fields): boolean {
  return Object.keys(mapAt(selector, "matchLabels")).length + listAt(selector, "matchExpressions").length === 0;
}

/** A required selector that may not be empty. `owner` is the kind's name in the server's message. */
export function selectorErrors(spec: Fields, path: string, owner: string): readonly FieldError[] {
  if (!hasField(spec, "selector")) return [fieldRequired(`${path}.selector`)];
  const selector = fieldsAt(spec, "selector");
  const errors = validateLabelSelector(selector, `${path}.selector`);
  return isEmptyLabelSelector(selector)
    ? [...errors, fieldInvalid(`${path}.selector`, selector, `empty selector is invalid for ${owner}`)]
    : errors;
}

/** A map as Go prints it: in order of its keys, or null. */
export function printedMap(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> | null {
  const entries = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Reports template labels that the owner's selector does not match. An empty selector is accepted, unless `strict`. */
export function validateTemplateLabels(spec: Fields, path: string, strict = false): readonly FieldError[] {
  const labels = mapAt(spec, "template.metadata.labels");
  const selector = spec["selector"];
  const isMissing = !hasField(spec, "selector");
  const picks = isMissing ? false : (!strict && isEmptyLabelSelector(fieldsAt(spec, "selector"))) || selectorMatches(selector, labels);
  return picks ? [] : [fieldInvalid(`${path}.template.metadata.labels`, printedMap(labels), "`selector` does not match template `labels`")];
}
