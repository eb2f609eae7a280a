import { Fault } from "../../core/fault/index.ts";
import { isAlreadyExists, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";

/** The namespace of a release, as Helm creates it. */
export function namespaceManifest(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { name } } };
}

/** Creates a namespace unless it exists. */
export async function ensureNamespace(
  name: string,
  cluster: Cluster,
  { signal, manager }: { readonly signal: AbortSignal; readonly manager: string },
): Promise<void> {
  try {
    await cluster.create(namespaceManifest(name), { manager, signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw new Fault(`create namespace ${name}`, error);
  }
}
