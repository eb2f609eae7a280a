import { booleanAt, listAt, type KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import { addQuantities, compareQuantities } from "../../builtin/index.ts";
import { matchesRequiredNodeAffinity, isTolerated } from "../node/index.ts";
import { allocatable, hostPortsOf, requestsOf, type NodeState } from "./scheduler-cache.ts";

/** Why a node is filtered out. `unresolvable`: preemption would not help. */
export type FilterStatus = { readonly reasons: readonly string[]; readonly unresolvable: boolean };

type FilterPlugin = (pod: Pod, state: NodeState) => FilterStatus | undefined;

function unresolvableStatus(reason: string): FilterStatus {
  return { reasons: [reason], unresolvable: true };
}

// Models pkg/scheduler/framework/plugins, in the order of apis/config/v1/default_plugins.go

const unschedulable: FilterPlugin = (pod, { node }) => {
  const tolerated = isTolerated(listAt(pod.spec, "tolerations"), { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" });
  return booleanAt(node, "spec.unschedulable") && !tolerated ? unresolvableStatus("node(s) were unschedulable") : undefined;
};

const taints: FilterPlugin = (pod, { node }) => {
  const untolerated = listAt(node, "spec.taints").some(
    (taint) => taint["effect"] !== "PreferNoSchedule" && !isTolerated(listAt(pod.spec, "tolerations"), taint),
  );
  return untolerated ? unresolvableStatus("node(s) had untolerated taint(s)") : undefined;
};

const nodeAffinity: FilterPlugin = (pod, { node }) =>
  matchesRequiredNodeAffinity(pod.spec, node) ? undefined : unresolvableStatus("node(s) didn't match Pod's node affinity/selector");

const ports: FilterPlugin = (pod, { pods }) => {
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return undefined;
  const taken = [...pods.values()].flatMap(hostPortsOf);
  const clash = wanted.some(({ ip, port, protocol }) =>
    taken.some(
      (other) => other.port === port && other.protocol === protocol && (other.ip === ip || other.ip === "0.0.0.0" || ip === "0.0.0.0"),
    ),
  );
  return clash ? { reasons: ["node(s) didn't have free ports for the requested pod ports"], unresolvable: false } : undefined;
};

const resources: FilterPlugin = (pod, { node, pods, used }) => {
  const reasons: string[] = [];
  let isHopeless = false;
  if (pods.size + 1 > numberOf(node, "pods")) reasons.push("Too many pods");
  for (const [name, wanted] of requestsOf(pod)) {
    if (wanted.nano === 0n) continue;
    const all = allocatable(node, name);
    const before = used.get(name);
    if (compareQuantities(before === undefined ? wanted : addQuantities(before, wanted), all) <= 0) continue;
    reasons.push(`Insufficient ${name}`);
    if (compareQuantities(wanted, all) > 0) isHopeless = true;
  }
  return reasons.length === 0 ? undefined : { reasons, unresolvable: isHopeless };
};

function numberOf(node: KubeObject, name: string): number {
  return Number(allocatable(node, name).nano / 1_000_000_000n);
}

/** The filter plugins that look at one node alone, in order; the first that fails determines the node's status. */
export const filterPlugins: readonly FilterPlugin[] = [unschedulable, taints, nodeAffinity, ports, resources];
