import type { Cluster } from "../../kube/index.ts";
import { readClusterIdentity } from "../../sveltos/fleet/index.ts";
import type { ClusterIdentityAnswer } from "../api/index.ts";

/** Reads which cluster a context leads to, so that the page finds a managed cluster among those that the visitor has. */
export async function readIdentity(
  _query: URLSearchParams,
  { cluster, signal }: { readonly cluster: Cluster; readonly signal: AbortSignal },
): Promise<ClusterIdentityAnswer> {
  const identity = await readClusterIdentity(cluster, signal);
  return identity.state === "read" ? { uid: identity.uid } : {};
}
