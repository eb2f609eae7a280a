import { fieldsAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import { isPodAvailable, isPodTerminal, scaledCount } from "../pod/index.ts";
import { nodeShouldRunDaemonPod, type NodeFit } from "./node-should-run-daemon-pod.ts";
import { targetNode } from "./daemon-pod-template.ts";

export const daemonSets = "daemonsets.apps";
export const daemonSetSource = "daemonset-controller";

/** One sync of a DaemonSet, with its nodes and Pods. */
export type DaemonSync = {
  readonly context: EmbeddedControllerContext;
  readonly nowMs: number;
  readonly set: KubeObject;
  /** The hash of the set's template. */
  readonly hash: string;
  readonly nodes: readonly KubeObject[];
  readonly fits: ReadonlyMap<string, NodeFit>;
  /** By the node that they are bound or pinned to. Terminal Pods that are being deleted are left out. */
  readonly podsOn: ReadonlyMap<string, readonly KubeObject[]>;
};

export function daemonSyncOf(context: EmbeddedControllerContext, set: KubeObject, hash: string, pods: readonly KubeObject[]): DaemonSync {
  const nodes = context.api.list("nodes");
  const podsOn = new Map<string, KubeObject[]>();
  for (const pod of pods) {
    const node = targetNode(pod);
    if (node === undefined || (isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    podsOn.set(node, [...(podsOn.get(node) ?? []), pod]);
  }
  const fits = new Map(nodes.map((node) => [node.metadata.name, nodeShouldRunDaemonPod(node, set)]));
  return { context, nowMs: context.clock.now(), set, hash, nodes, fits, podsOn };
}

export function isDaemonSetRolling(set: KubeObject): boolean {
  return stringAt(set, "spec.updateStrategy.type", "RollingUpdate") === "RollingUpdate";
}

export function minReadySeconds(set: KubeObject): number {
  return numberAt(set, "spec.minReadySeconds", 0);
}

export function isDaemonPodAvailable({ set, nowMs }: DaemonSync, pod: KubeObject): boolean {
  return isPodAvailable(pod, minReadySeconds(set), nowMs);
}

/** maxSurge and maxUnavailable as numbers of Pods; both round up. */
export function maxSurgeOf(set: KubeObject, nodes: number): number {
  return isDaemonSetRolling(set) ? scaledCount(fieldsAt(set, "spec.updateStrategy.rollingUpdate")["maxSurge"], nodes, "up") : 0;
}

export function maxUnavailableOf(set: KubeObject, nodes: number): number {
  return isDaemonSetRolling(set) ? scaledCount(fieldsAt(set, "spec.updateStrategy.rollingUpdate")["maxUnavailable"], nodes, "up") : 0;
}

export function desiredCount({ fits }: DaemonSync): number {
  return [...fits.values()].filter(({ shouldRun }) => shouldRun).length;
}

/** Bound Pods first, then the oldest. */
export function byBoundThenAge(a: KubeObject, b: KubeObject): number {
  const boundA = stringAt(a, "spec.nodeName", "") !== "";
  const boundB = stringAt(b, "spec.nodeName", "") !== "";
  if (boundA !== boundB) return boundA ? -1 : 1;
  const timeA = a.metadata.creationTimestamp ?? "";
  const timeB = b.metadata.creationTimestamp ?? "";
  if (timeA !== timeB) return timeA < timeB ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
