import { fieldManager } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isAlreadyExists, type Cluster } from "../../kube/index.ts";
import type { PreparedManifest } from "../../release/prepare/index.ts";

type Options = { readonly signal: AbortSignal };

/** The namespaces that have to be made: wanted, not there, and not among what is deployed. */
export async function readMissingNamespaces(
  items: readonly PreparedManifest[],
  coming: ReadonlySet<string>,
  cluster: Cluster,
  { signal }: Options,
): Promise<readonly string[]> {
  const brought = new Set(items.filter(({ ref }) => ref.group === "" && ref.kind === "Namespace").map(({ ref }) => ref.name));
  // What is not pending is in a namespace that is there.
  const names = new Set(items.filter(({ pending }) => pending).map(({ ref }) => ref.namespace));
  const missing: string[] = [];
  for (const name of names) {
    if (name === "" || !coming.has(name) || brought.has(name)) continue;
    if ((await cluster.find(refOf(name), { signal })) === undefined) missing.push(name);
  }
  return missing;
}

/** Makes namespaces as Sveltos does: bare, and nobody's, so that they stay. */
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
