import { fieldsAt, listAt, mapAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";

// Models component-helpers scheduling/corev1/nodeaffinity/nodeaffinity.go

/** Whether the nodeSelector and required node affinity of a pod's spec match a node. */
export function matchesRequiredNodeAffinity(spec: object, node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {};
  const selected = Object.entries(mapAt(spec, "nodeSelector")).every(([key, value]) => labels[key] === value);
  const required = fieldsAt(spec, "affinity.nodeAffinity")["requiredDuringSchedulingIgnoredDuringExecution"];
  return selected && (required === undefined || matchesNodeSelectorTerms(listAt(required, "nodeSelectorTerms"), node));
}

/** Whether a node matches one of the terms of a pod's or a volume's node affinity. */
export function matchesNodeSelectorTerms(terms: readonly Fields[], node: KubeObject): boolean {
  return terms.some((term) => matchesTerm(term, node));
}

/** The score of a node by the preferred node affinity of a pod's spec. */
export function nodeAffinityScore(spec: object, node: KubeObject): number {
  let sum = 0;
  for (const item of listAt(spec, "affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution")) {
    if (matchesTerm(fieldsAt(item, "preference"), node)) sum += numberAt(item, "weight", 0);
  }
  return sum;
}

function matchesTerm(term: Fields, node: KubeObject): boolean {
  const expressions = listAt(term, "matchExpressions");
  const fields = listAt(term, "matchFields");
  if (expressions.length === 0 && fields.length === 0) return false;
  const labels = node.metadata.labels ?? {};
  return (
    expressions.every((requirement) => meets(requirement, labels[stringAt(requirement, "key", "")])) &&
    fields.every((requirement) => stringAt(requirement, "key") === "metadata.name" && meets(requirement, node.metadata.name))
  );
}

function meets(requirement: Fields, value: string | undefined): boolean {
  const values = stringsAt(requirement, "values");
  switch (stringAt(requirement, "operator", "")) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
