import type { ManagedCluster } from "../api/index.ts";
import { mapAt, type KubeObject } from "../../core/object/index.ts";

/** The kubeconfig of a cluster, or a message that says what is wrong with its Secret and what to do. */
export type FoundKubeconfig = { readonly text: string } | { readonly because: string };

/** Finds the kubeconfig in a cluster's Secret: under the key that the cluster names, or the first key without one. */
export function kubeconfigIn(secret: KubeObject | undefined, { namespace, kubeconfig }: ManagedCluster): FoundKubeconfig {
  const where = `Secret ${namespace}/${kubeconfig.secret}`;
  if (secret === undefined) return { because: `there is no ${where}: create it with the cluster's kubeconfig` };
  const data = mapAt(secret, "data");
  // The keys of a Secret have no order, so "first" means alphabetical.
  const key = kubeconfig.key ?? Object.keys(data).toSorted()[0];
  const encoded = key === undefined ? undefined : data[key];
  if (encoded === undefined) return { because: key === undefined ? `${where} is empty` : `${where} has no key ${key}` };
  const text = Buffer.from(encoded, "base64").toString("utf8");
  return text.trim() === "" ? { because: `${where} has nothing under its key ${key}` } : { text };
}
