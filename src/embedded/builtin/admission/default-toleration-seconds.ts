import { fieldsAt, listAt, stringAt, type Fields } from "../../../core/object/index.ts";
import type { MutatingPlugin } from "./plugin.ts";

/** The node taints that every Pod tolerates for a while before it is evicted. */
const taintKeys = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const tolerationSeconds = 300;

/** Models plugin/pkg/admission/defaulttolerationseconds/admission.go */
export const admitDefaultTolerationSeconds: MutatingPlugin = (pod) => {
  const tolerations = listAt(pod, "spec.tolerations");
  const missing = taintKeys.filter((key) => !tolerations.some((toleration) => toleratesTaint(toleration, key)));
  if (missing.length === 0) return pod;
  const added = missing.map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: tolerationSeconds }));
  return { ...pod, spec: { ...fieldsAt(pod, "spec"), tolerations: [...tolerations, ...added] } };
};

function toleratesTaint(toleration: Fields, taintKey: string): boolean {
  const key = stringAt(toleration, "key", "");
  const effect = stringAt(toleration, "effect", "");
  return (key === taintKey || key === "") && (effect === "NoExecute" || effect === "");
}
