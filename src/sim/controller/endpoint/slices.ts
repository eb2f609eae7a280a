import { equal, listAt, type Fields, type KubeObject } from "../../../object/index.ts";
import type { World } from "../controller.ts";
import { createIfWelcome } from "./endpoints.ts";

export const slicesResource = "endpointslices.discovery.k8s.io";
export const serviceNameLabel = "kubernetes.io/service-name";
export const managedByLabel = "endpointslice.kubernetes.io/managed-by";

/** More than this go into another slice. */
const maxEndpoints = 100;

export type Endpoint = { readonly addresses: readonly string[]; readonly targetRef?: unknown; readonly [field: string]: unknown };

/** Endpoints that share their kind of address and their ports. */
export type SliceGroup = { readonly addressType: string; readonly ports: readonly Fields[]; readonly endpoints: readonly Endpoint[] };

/** What all slices of one Service or Endpoints have in common. */
export type SliceFrame = {
  readonly metadata: Omit<KubeObject["metadata"], "name">;
  readonly writer: string;
  /** With nothing to hold, one empty slice is kept. */
  readonly placeholder: boolean;
};

/**
 * Brings the slices of one owner to what is desired: endpoints stay in the slice they are in, new ones fill the fullest
 * slice with room. Models k8s.io/endpointslice reconciler.go reconcileByPortMapping
 */
export function reconcileSlices(world: World, existing: readonly KubeObject[], desired: readonly SliceGroup[], frame: SliceFrame): void {
  const groups = desired.length === 0 && frame.placeholder ? [{ addressType: "IPv4", ports: [], endpoints: [] }] : desired;
  const byGroup = new Map<string, KubeObject[]>();
  for (const slice of existing) byGroup.set(idOf(slice), [...(byGroup.get(idOf(slice)) ?? []), slice]);
  for (const group of groups) {
    const slices = byGroup.get(idOf(group)) ?? [];
    byGroup.delete(idOf(group));
    settleGroup(world, slices, group, frame);
  }
  for (const slice of [...byGroup.values()].flat()) world.api.delete(slicesResource, slice.metadata.namespace ?? "", slice.metadata.name);
}

function idOf(slice: { readonly [field: string]: unknown }): string {
  const ports = listAt(slice, "ports").map(({ name = "", port, protocol, appProtocol }) => [name, port, protocol, appProtocol ?? ""]);
  return JSON.stringify([slice["addressType"], ports]);
}

function settleGroup(world: World, slices: readonly KubeObject[], { addressType, ports, endpoints }: SliceGroup, frame: SliceFrame): void {
  const wanted = new Map(endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  const filled = slices.map((slice) => {
    const kept = listAt(slice, "endpoints").flatMap((endpoint) => {
      const key = keyOf(endpoint);
      const next = wanted.get(key);
      wanted.delete(key);
      return next === undefined ? [] : [next];
    });
    return { slice, endpoints: kept };
  });
  const added = [...wanted.values()];
  for (const entry of filled.toSorted((a, b) => b.endpoints.length - a.endpoints.length)) {
    if (added.length > 0) entry.endpoints.push(...added.splice(0, maxEndpoints - entry.endpoints.length));
  }
  const isLast = (count: number) => filled.length - count === 0 && added.length === 0;
  let removed = 0;
  for (const { slice, endpoints: next } of filled) {
    const isSpare = next.length === 0 && !(isLast(removed + 1) && frame.placeholder);
    if (isSpare) {
      removed++;
      world.api.delete(slicesResource, slice.metadata.namespace ?? "", slice.metadata.name);
    } else {
      update(world, slice, next, frame);
    }
  }
  const mustExist = filled.length === 0 && frame.placeholder;
  for (let first = mustExist; first || added.length > 0; first = false) {
    const { namespace = "" } = frame.metadata;
    const slice: KubeObject = {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { ...frame.metadata, name: "", namespace },
      addressType,
      endpoints: added.splice(0, maxEndpoints),
      ports,
    };
    createIfWelcome(world, slicesResource, slice, frame.writer);
  }
}

function update(world: World, slice: KubeObject, endpoints: readonly Endpoint[], { metadata, writer }: SliceFrame): void {
  if (equal(slice["endpoints"] ?? [], endpoints) && equal(slice.metadata.labels, metadata.labels)) return;
  const next = {
    ...slice,
    metadata: { ...slice.metadata, labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} },
    endpoints,
  };
  world.api.update(slicesResource, next, writer);
}

function keyOf(endpoint: { readonly [field: string]: unknown }): string {
  return JSON.stringify([endpoint["addresses"], endpoint["targetRef"] ?? null]);
}
