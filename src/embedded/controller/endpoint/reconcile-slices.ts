import { equal, isFields, listAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import { createUnlessTerminating } from "./endpoints.ts";
import { idOfPorts } from "./service-pod-index.ts";

export const endpointSlices = "endpointslices.discovery.k8s.io";
export const serviceNameLabel = "kubernetes.io/service-name";
export const managedByLabel = "endpointslice.kubernetes.io/managed-by";

/** The maximum number of endpoints in a slice. */
const maxEndpoints = 100;

export type SliceEndpoint = { readonly addresses: readonly string[]; readonly targetRef?: unknown; readonly [field: string]: unknown };

/** Endpoints with the same address type and ports. */
export type SliceGroup = { readonly addressType: string; readonly ports: readonly Fields[]; readonly endpoints: readonly SliceEndpoint[] };

/** What all slices of one Service or Endpoints share. */
type SliceTemplate = {
  readonly metadata: Omit<KubeObject["metadata"], "name">;
  readonly writer: string;
  /** Whether one empty slice is kept when there are no endpoints. */
  readonly placeholder: boolean;
};

/** The changes to the slices of one owner. */
type Changes = {
  readonly updates: { readonly slice: KubeObject; readonly group: SliceGroup }[];
  readonly creations: SliceGroup[];
  readonly deletions: KubeObject[];
};

/**
 * Reconciles the slices of one owner with the desired endpoints: endpoints stay in their slice, new ones fill the
 * fullest slice with room, and a slice to be deleted is reused for one to be created. Models k8s.io/endpointslice
 * reconciler.go reconcileByPortMapping and finalize
 */
export function reconcileSlices(
  context: EmbeddedControllerContext,
  existing: readonly KubeObject[],
  desired: readonly SliceGroup[],
  template: SliceTemplate,
): void {
  const changes: Changes = { updates: [], creations: [], deletions: [] };
  const byGroup = new Map<string, KubeObject[]>();
  for (const slice of existing) byGroup.set(idOf(slice), [...(byGroup.get(idOf(slice)) ?? []), slice]);
  for (const group of desired) {
    reconcileGroup(byGroup.get(idOf(group)) ?? [], group, changes);
    byGroup.delete(idOf(group));
  }
  changes.deletions.push(...[...byGroup.values()].flat());
  const isEmpty = changes.updates.length === 0 && changes.creations.length === 0;
  if (isEmpty && template.placeholder) changes.creations.push({ addressType: "IPv4", ports: [], endpoints: [] });
  for (const group of changes.creations.splice(0)) {
    const at = changes.deletions.findIndex((slice) => slice["addressType"] === group.addressType);
    if (at < 0) changes.creations.push(group);
    else changes.updates.push({ slice: changes.deletions.splice(at, 1)[0]!, group });
  }
  for (const { slice, group } of changes.updates) update(context, slice, group, template);
  for (const group of changes.creations) create(context, group, template);
  for (const { metadata } of changes.deletions) context.api.delete(endpointSlices, metadata.namespace ?? "", metadata.name);
}

function idOf(slice: { readonly [field: string]: unknown }): string {
  return `${String(slice["addressType"])} ${idOfPorts(listAt(slice, "ports"))}`;
}

function reconcileGroup(slices: readonly KubeObject[], { addressType, ports, endpoints }: SliceGroup, changes: Changes): void {
  const wanted = new Map(endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  const filled = slices.map((slice) => {
    const kept = listAt(slice, "endpoints").flatMap((endpoint) => {
      const key = keyOf(endpoint);
      const next = wanted.get(key);
      wanted.delete(key);
      return next === undefined ? [] : [next];
    });
    return { slice, kept };
  });
  const added = [...wanted.values()];
  for (const { kept } of filled.toSorted((a, b) => b.kept.length - a.kept.length))
    kept.push(...added.splice(0, maxEndpoints - kept.length));
  for (const { slice, kept } of filled) {
    if (kept.length === 0) changes.deletions.push(slice);
    else changes.updates.push({ slice, group: { addressType, ports, endpoints: kept } });
  }
  while (added.length > 0) changes.creations.push({ addressType, ports, endpoints: added.splice(0, maxEndpoints) });
}

function create(context: EmbeddedControllerContext, group: SliceGroup, { metadata, writer }: SliceTemplate): void {
  const slice: KubeObject = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { ...metadata, name: "" }, ...group };
  createUnlessTerminating(context, endpointSlices, slice, writer);
}

function update(
  context: EmbeddedControllerContext,
  slice: KubeObject,
  { ports, endpoints }: SliceGroup,
  { metadata, writer }: SliceTemplate,
): void {
  const { labels = {}, annotations = {} } = metadata;
  if (equal(slice["endpoints"] ?? [], endpoints) && equal(slice["ports"] ?? [], ports) && equal(slice.metadata.labels, labels)) return;
  context.api.update(endpointSlices, { ...slice, metadata: { ...slice.metadata, labels, annotations }, endpoints, ports }, writer);
}

function keyOf(endpoint: { readonly [field: string]: unknown }): string {
  const { addresses, targetRef } = endpoint;
  return `${String(addresses)} ${isFields(targetRef) ? `${String(targetRef["kind"])} ${String(targetRef["name"])} ${String(targetRef["uid"])}` : ""}`;
}
