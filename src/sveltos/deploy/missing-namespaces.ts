import { fieldManager } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isAlreadyExists, isForbidden, type Cluster } from "../../kube/index.ts";
import type { PreparedManifest } from "../../release/prepare/index.ts";

type Options = { readonly signal: AbortSignal };

/** The namespaces to create: needed by manifests, missing in the cluster, and not among the manifests. */
export async function readMissingNamespaces(
  items: readonly PreparedManifest[],
  creatable: ReadonlySet<string>,
  cluster: Cluster,
  { signal }: Options,
): Promise<readonly string[]> {
  const deployed = new Set(items.filter(({ ref }) => ref.group === "" && ref.kind === "Namespace").map(({ ref }) => ref.name));
  // Only a manifest that is pending may be in a missing namespace.
  const names = new Set(items.filter(({ pending }) => pending).map(({ ref }) => ref.namespace));
  const missing: string[] = [];
  for (const name of names) {
    if (name === "" || !creatable.has(name) || deployed.has(name)) continue;
    if (!(await exists(name, cluster, { signal }))) missing.push(name);
  }
  return missing;
}

/** A tenant may have no right to read namespaces. What is pending is in none that exists. */
async function exists(name: string, cluster: Cluster, { signal }: Options): Promise<boolean> {
  try {
    return (await cluster.find(refOf(name), { signal })) !== undefined;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

/** Creates namespaces as Sveltos does: without labels and without an owner, so that they stay. */
export async function createNamespaces(names: readonly string[], cluster: Cluster, { signal }: Options): Promise<void> {
  for (const name of names) {
    try {
      await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } }, { manager: fieldManager, signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw new Fault(`create namespace ${name}`, error);
    }
  }
}

function refOf(name: string) {
  return { group: "", version: "v1", kind: "Namespace", namespace: "", name };
}
