import { booleanAt, listAt, type KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import { add, compare } from "../../builtin/index.ts";
import { allowsNode, isTolerated } from "../node/index.ts";
import { allocatable, hostPortsOf, requestsOf, type NodeState } from "./node-state.ts";

/** Why a node will not do. `hopeless`: taking other pods off it would not help. */
export type Objection = { readonly reasons: readonly string[]; readonly hopeless: boolean };

export type Filter = (pod: Pod, state: NodeState) => Objection | undefined;

function hopeless(reason: string): Objection {
  return { reasons: [reason], hopeless: true };
}

// Models pkg/scheduler/framework/plugins, in the order of apis/config/v1/default_plugins.go

const unschedulable: Filter = (pod, { node }) => {
  const tolerated = isTolerated(listAt(pod.spec, "tolerations"), { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" });
  return booleanAt(node, "spec.unschedulable") && !tolerated ? hopeless("node(s) were unschedulable") : undefined;
};

const taints: Filter = (pod, { node }) => {
  const untolerated = listAt(node, "spec.taints").some(
    (taint) => taint["effect"] !== "PreferNoSchedule" && !isTolerated(listAt(pod.spec, "tolerations"), taint),
  );
  return untolerated ? hopeless("node(s) had untolerated taint(s)") : undefined;
};

const nodeAffinity: Filter = (pod, { node }) =>
  allowsNode(pod.spec, node) ? undefined : hopeless("node(s) didn't match Pod's node affinity/selector");

const ports: Filter = (pod, { pods }) => {
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return undefined;
  const taken = [...pods.values()].flatMap(hostPortsOf);
  const clash = wanted.some(({ ip, port, protocol }) =>
    taken.some(
      (other) => other.port === port && other.protocol === protocol && (other.ip === ip || other.ip === "0.0.0.0" || ip === "0.0.0.0"),
    ),
  );
  return clash ? { reasons: ["node(s) didn't have free ports for the requested pod ports"], hopeless: false } : undefined;
};

const resources: Filter = (pod, { node, pods, used }) => {
  const reasons: string[] = [];
  let isHopeless = false;
  if (pods.size + 1 > numberOf(node, "pods")) reasons.push("Too many pods");
  for (const [name, wanted] of requestsOf(pod)) {
    if (wanted.nano === 0n) continue;
    const all = allocatable(node, name);
    const before = used.get(name);
    if (compare(before === undefined ? wanted : add(before, wanted), all) <= 0) continue;
    reasons.push(`Insufficient ${name}`);
    if (compare(wanted, all) > 0) isHopeless = true;
  }
  return reasons.length === 0 ? undefined : { reasons, hopeless: isHopeless };
};

function numberOf(node: KubeObject, name: string): number {
  return Number(allocatable(node, name).nano / 1_000_000_000n);
}

/** The checks that look at one node alone, in their order; the first that objects speaks for the node. */
export const filters: readonly Filter[] = [unschedulable, taints, nodeAffinity, ports, resources];
