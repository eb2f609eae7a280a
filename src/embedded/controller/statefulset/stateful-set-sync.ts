import { listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import type { Revisions } from "./revisions.ts";

export const statefulSets = "statefulsets.apps";
export const statefulSetSource = "statefulset-controller";

/** One sync of a StatefulSet. */
export type StatefulSetSync = {
  readonly context: EmbeddedControllerContext;
  readonly nowMs: number;
  readonly set: KubeObject;
  readonly revisions: Revisions;
};

export function statefulSetReplicas(set: KubeObject): number {
  return numberAt(set, "spec.replicas", 1);
}

export function startOrdinalOf(set: KubeObject): number {
  return numberAt(set, "spec.ordinals.start", 0);
}

export function minReadySeconds(set: KubeObject): number {
  return numberAt(set, "spec.minReadySeconds", 0);
}

/** Whether Pods are created and deleted one at a time, in order. */
export function isOrderedReady(set: KubeObject): boolean {
  return stringAt(set, "spec.podManagementPolicy", "OrderedReady") !== "Parallel";
}

export function isStatefulSetRolling(set: KubeObject): boolean {
  return stringAt(set, "spec.updateStrategy.type", "RollingUpdate") === "RollingUpdate";
}

/** The partition: ordinals below it keep the current revision. */
export function partitionOf(set: KubeObject): number {
  return numberAt(set, "spec.updateStrategy.rollingUpdate.partition", 0);
}

/** The parent name and the ordinal in a Pod's name. */
export function parentAndOrdinalOf({ metadata }: KubeObject): { parent: string; ordinal: number } | undefined {
  const [, parent, digits] = /^(.*)-(\d+)$/.exec(metadata.name) ?? [];
  return parent === undefined || Number(digits) > 2 ** 31 - 1 ? undefined : { parent, ordinal: Number(digits) };
}

export function ordinalOf(pod: KubeObject): number {
  return parentAndOrdinalOf(pod)?.ordinal ?? -1;
}

export function isInRange(set: KubeObject, ordinal: number): boolean {
  return ordinal >= startOrdinalOf(set) && ordinal < startOrdinalOf(set) + statefulSetReplicas(set);
}

export function podName(set: KubeObject, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

export function claimTemplates(set: KubeObject): readonly { readonly name: string; readonly template: unknown }[] {
  return listAt(set, "spec.volumeClaimTemplates").map((template) => ({ name: stringAt(template, "metadata.name", ""), template }));
}

export function claimName(set: KubeObject, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}
