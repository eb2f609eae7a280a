import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { matchesRequiredNodeAffinity, isTolerated } from "../node/index.ts";
import { withDaemonTolerations } from "./daemon-pod-template.ts";

/** Whether a node should run a Pod of the set, and whether an existing one may continue. */
export type NodeFit = { readonly shouldRun: boolean; readonly shouldContinueRunning: boolean };

const none: NodeFit = { shouldRun: false, shouldContinueRunning: false };

/** Models pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod */
export function nodeShouldRunDaemonPod(node: KubeObject, set: KubeObject): NodeFit {
  const spec = fieldsAt(set, "spec.template.spec");
  const pinned = stringAt(spec, "nodeName", "");
  if (pinned !== "" && pinned !== node.metadata.name) return none;
  if (!matchesRequiredNodeAffinity(spec, node)) return none;
  const tolerations = listAt(withDaemonTolerations(spec), "tolerations");
  const untolerated = listAt(node, "spec.taints").filter((taint) => !isTolerated(tolerations, taint));
  if (untolerated.some(({ effect }) => effect === "NoExecute")) return none;
  return { shouldRun: !untolerated.some(({ effect }) => effect === "NoSchedule"), shouldContinueRunning: true };
}
