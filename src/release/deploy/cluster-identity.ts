import { Fault } from "../../core/fault/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";

/** Identifies a cluster by the uid of a namespace that is never recreated. */
export type ClusterIdentity = { readonly namespace: string; readonly uid: string };

type Options = { readonly signal: AbortSignal };

/** The uid of kube-system, or of the release's namespace for users who may not read kube-system. Throws when neither may be read. */
export async function readIdentity(cluster: Cluster, releaseNamespace: string, options: Options): Promise<ClusterIdentity> {
  for (const namespace of ["kube-system", releaseNamespace]) {
    const uid = await uidOf(namespace, cluster, options);
    if (typeof uid === "string") return { namespace, uid };
  }
  throw new Fault(
    "tell which cluster this is",
    `neither namespace kube-system nor ${releaseNamespace} may be read: ask for the right to get one of them`,
    { final: true },
  );
}

/** Why this is not the expected cluster; undefined when it is. */
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

/** In place of a uid that may not be read. */
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
