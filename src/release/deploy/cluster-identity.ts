import { Fault } from "../../core/fault/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";

/** What tells a cluster from all others: the uid of a namespace that it has for as long as it lives. */
export type ClusterIdentity = { readonly namespace: string; readonly uid: string };

type Options = { readonly signal: AbortSignal };

/**
 * Every cluster has a kube-system of its own. Who may not look at it may at least look at the release's namespace; who may
 * look at neither cannot tell one cluster from another, and gets no identity.
 */
export async function readIdentity(cluster: Cluster, home: string, options: Options): Promise<ClusterIdentity> {
  for (const namespace of ["kube-system", home]) {
    const uid = await uidOf(namespace, cluster, options);
    if (typeof uid === "string") return { namespace, uid };
  }
  throw new Fault(
    "tell which cluster this is",
    `neither namespace kube-system nor ${home} may be read: ask for the right to get one of them`,
    { final: true },
  );
}

/** Why a cluster cannot be taken for the one that is meant; nothing when it is that. */
export async function objectionToIdentity(
  { namespace, uid }: ClusterIdentity,
  cluster: Cluster,
  options: Options,
): Promise<string | undefined> {
  const found = await uidOf(namespace, cluster, options);
  if (found === uid) return undefined;
  if (found !== forbidden) return "it was drawn up for another cluster: choose that one with --context";
  return `namespace ${namespace}, which tells one cluster from another, may not be read: ask for the right to get it`;
}

/** In the place of a uid that may not be seen. */
const forbidden = Symbol("forbidden");

async function uidOf(namespace: string, cluster: Cluster, { signal }: Options): Promise<string | typeof forbidden | undefined> {
  try {
    const found = await cluster.find({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace }, { signal });
    return found?.metadata.uid;
  } catch (error) {
    if (isForbidden(error)) return forbidden;
    throw error;
  }
}
