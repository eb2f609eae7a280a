import type { ObjectRef } from "../../core/object/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";

export function namespaceRef(name: string): ObjectRef {
  return { group: "", version: "v1", kind: "Namespace", namespace: "", name };
}

/** Whether a namespace exists. A user without the right to read namespaces is assumed to name existing ones. */
export async function namespaceExists(name: string, cluster: Cluster, signal: AbortSignal): Promise<boolean> {
  try {
    return (await cluster.find(namespaceRef(name), { signal })) !== undefined;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
}
