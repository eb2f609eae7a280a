import type { Cancel } from "../../core/clock/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import type { InformerFactory } from "./informer-factory.ts";

/** The kinds that KOTS judges Services and Ingresses by. */
export const neighbourKinds: Readonly<Record<"Service" | "EndpointSlice", GroupVersionKind>> = {
  Service: { group: "", version: "v1", kind: "Service" },
  EndpointSlice: { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" },
};

/** Watches the objects that KOTS judges one of this kind by: they change independently of it. */
export function watchNeighbours(kind: string, informers: InformerFactory, namespace: string, onChange: () => void): Cancel {
  const watched: readonly GroupVersionKind[] =
    kind === "Ingress" ? [neighbourKinds.Service, neighbourKinds.EndpointSlice] : kind === "Service" ? [neighbourKinds.EndpointSlice] : [];
  const cancels = watched.map((neighbour) => informers.informerFor(neighbour, namespace).watch(onChange));
  return () => cancels.forEach((cancel) => cancel());
}
