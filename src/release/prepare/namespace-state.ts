import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";

export function namespaceRef(name: string): ObjectRef {
  return { group: "", version: "v1", kind: "Namespace", namespace: "", name };
}

/** Whether something can be created in a namespace. In one that is terminating nothing can be any more. */
export type NamespaceState = { readonly state: "absent" | "active" } | { readonly state: "terminating"; readonly namespace: KubeObject };

/** Reads the state of a namespace. A user without the right to read namespaces is assumed to name active ones. */
export async function readNamespaceState(name: string, cluster: Cluster, signal: AbortSignal): Promise<NamespaceState> {
  try {
    const namespace = await cluster.find(namespaceRef(name), { signal });
    if (namespace === undefined) return { state: "absent" };
    return namespace.metadata.deletionTimestamp === undefined ? { state: "active" } : { state: "terminating", namespace };
  } catch (error) {
    if (isForbidden(error)) return { state: "active" };
    throw error;
  }
}
