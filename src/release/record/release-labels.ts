import { labelKeyProblems, labelValueProblems } from "../../core/object/index.ts";
import { isStorageLabel } from "./storage-object.ts";

type Labels = Readonly<Record<string, string>>;

/** As the value of a label it removes the label. */
const removal = "null";

/** The labels of the next revision. Models helm pkg/action/upgrade.go mergeCustomLabels */
export function mergeLabels(before: Labels, given: Labels): Labels {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== removal));
}

/** What is wrong with labels that a user gives to a release. */
export function objectionsToLabels(labels: Labels): readonly string[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    if (isStorageLabel(key)) return [`the label ${key} is one that records need themselves: choose another name`];
    const problems = [...labelKeyProblems(key), ...labelValueProblems(value)];
    return problems.length === 0 ? [] : [`the label ${key}=${value}: ${problems.join("; ")}`];
  });
}
