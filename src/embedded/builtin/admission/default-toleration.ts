import { fieldsAt, listAt, stringAt, type Fields } from "../../../core/object/index.ts";
import type { Mutation } from "./plugin.ts";

/** The nodes' troubles that every Pod sits out for a while before it is moved. */
const troubles = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const patienceSeconds = 300;

/** Models plugin/pkg/admission/defaulttolerationseconds/admission.go */
export const tolerateTroubledNodes: Mutation = (pod) => {
  const tolerations = listAt(pod, "spec.tolerations");
  const missing = troubles.filter((key) => !tolerations.some((toleration) => speaksOf(toleration, key)));
  if (missing.length === 0) return pod;
  const added = missing.map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: patienceSeconds }));
  return { ...pod, spec: { ...fieldsAt(pod, "spec"), tolerations: [...tolerations, ...added] } };
};

function speaksOf(toleration: Fields, trouble: string): boolean {
  const key = stringAt(toleration, "key", "");
  const effect = stringAt(toleration, "effect", "");
  return (key === trouble || key === "") && (effect === "NoExecute" || effect === "");
}
