import { fieldsAt, listAt, mapAt, stringAt, stringsAt, valueAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { withDaemonTolerations } from "./template.ts";

/** Whether a node should get a Pod of the set, and whether one that is there may stay. */
export type Fit = { readonly shouldRun: boolean; readonly mayStay: boolean };

const none: Fit = { shouldRun: false, mayStay: false };

/** Models pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod */
export function fitOn(node: KubeObject, set: KubeObject): Fit {
  const spec = fieldsAt(set, "spec.template.spec");
  const pinned = stringAt(spec, "nodeName", "");
  if (pinned !== "" && pinned !== node.metadata.name) return none;
  if (!matchesAffinity(spec, node)) return none;
  const tolerations = listAt(withDaemonTolerations(spec), "tolerations");
  const untolerated = listAt(node, "spec.taints").filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
  if (untolerated.some(({ effect }) => effect === "NoExecute")) return none;
  return { shouldRun: !untolerated.some(({ effect }) => effect === "NoSchedule"), mayStay: true };
}

/** Models component-helpers scheduling/corev1/nodeaffinity GetRequiredNodeAffinity */
function matchesAffinity(spec: Fields, node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {};
  if (!Object.entries(mapAt(spec, "nodeSelector")).every(([key, value]) => labels[key] === value)) return false;
  const required = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  if (valueAt(spec, required) === undefined) return true;
  return listAt(spec, `${required}.nodeSelectorTerms`).some((term) => matchesTerm(term, node));
}

/** A term without requirements matches nothing. */
function matchesTerm(term: Fields, { metadata }: KubeObject): boolean {
  const expressions = listAt(term, "matchExpressions");
  const fields = listAt(term, "matchFields");
  if (expressions.length + fields.length === 0) return false;
  const known = { "metadata.name": metadata.name };
  return expressions.every((each) => meets(each, metadata.labels ?? {})) && fields.every((each) => meets(each, known));
}

function meets(requirement: Fields, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[stringAt(requirement, "key", "")];
  const values = stringsAt(requirement, "values");
  switch (requirement["operator"]) {
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

/** Models api core/v1 toleration.go ToleratesTaint */
function tolerates(toleration: Fields, taint: Fields): boolean {
  const { key, effect, operator = "Equal", value = "" } = toleration;
  if (typeof effect === "string" && effect !== "" && effect !== taint["effect"]) return false;
  if (typeof key === "string" && key !== "" && key !== taint["key"]) return false;
  return operator === "Exists" || (operator === "Equal" && value === (taint["value"] ?? ""));
}
