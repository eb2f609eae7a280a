import { Fault } from "../../core/fault/index.ts";
import { isAlreadyExists, isForbidden, type Cluster } from "../../kube/index.ts";
import type { KubeObject, ObjectRef } from "../../core/object/index.ts";

type Options = { readonly signal: AbortSignal };

/** The namespace of a release, as Helm creates it. */
export function namespaceManifest(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { name } } };
}

export function namespaceRef(name: string): ObjectRef {
  return { group: "", version: "v1", kind: "Namespace", namespace: "", name };
}

/** Whether the namespace is missing. Users who may not read namespaces are assumed to name an existing one. */
export async function lacksNamespace(name: string, cluster: Cluster, { signal }: Options): Promise<boolean> {
  try {
    return (await cluster.find(namespaceRef(name), { signal })) === undefined;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

/** Creates a namespace unless it exists. */
export async function ensureNamespace(
  name: string,
  cluster: Cluster,
  { signal, manager }: Options & { readonly manager: string },
): Promise<void> {
  try {
    await cluster.create(namespaceManifest(name), { manager, signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw new Fault(`create namespace ${name}`, error);
  }
}
