import { fieldsAt, listAt } from "../../../core/object/index.ts";
import type { MutatingPlugin } from "./plugin.ts";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Taints a new Node until it is ready. Models plugin/pkg/admission/nodetaint/admission.go */
export const admitTaintNodesByCondition: MutatingPlugin = (node, { operation }) => {
  const taints = listAt(node, "spec.taints");
  const known = taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect);
  if (operation !== "CREATE" || known) return node;
  return { ...node, spec: { ...fieldsAt(node, "spec"), taints: [...taints, notReady] } };
};
