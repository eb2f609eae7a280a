import { Fault } from "../../core/fault/index.ts";
import { isAlreadyExists, isForbidden, type Cluster } from "../../kube/index.ts";
import type { KubeObject, ObjectRef } from "../../core/object/index.ts";

type Options = { readonly signal: AbortSignal };

/** The namespace of a release, as Helm makes it. */
export function namespaceManifest(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { name } } };
}

export function namespaceRef(name: string): ObjectRef {
  return { group: "", version: "v1", kind: "Namespace", namespace: "", name };
}

/** Tells whether there is no such namespace. Who may not look at namespaces is believed to know that it is there. */
export async function lacksNamespace(name: string, cluster: Cluster, { signal }: Options): Promise<boolean> {
  try {
    return (await cluster.find(namespaceRef(name), { signal })) === undefined;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

/** Makes a namespace; that somebody else was faster does no harm. */
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
