import { clusterOfSummary, gvkOf, type ClusterId } from "../api/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";
import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { clusterKey } from "./cluster-key.ts";

/** On a SveltosCluster: the uid of the cluster's namespace kube-system when it was registered. */
export const clusterUidAnnotation = "sluice.dev/cluster-uid";

/**
 * The names under which the cluster with this uid is registered: by what the controller has found in the clusters to which it has
 * deployed something, else by what `register` has found.
 */
export async function findRegisteredNames(hub: Cluster, uid: string, signal: AbortSignal): Promise<readonly ClusterId[]> {
  const [clusters, summaries] = await Promise.all([
    hub.list(gvkOf("SveltosCluster"), { signal }),
    hub.list(gvkOf("ClusterSummary"), { signal }).catch((error: unknown) => {
      if (isForbidden(error)) return { items: [] };
      throw error;
    }),
  ]);
  const registered = new Map(clusters.items.map((object) => [clusterKey(idOf(object)), object]));
  const found = new Map<string, { readonly id: ClusterId; readonly uid: string }>();
  for (const [key, object] of registered) {
    const known = object.metadata.annotations?.[clusterUidAnnotation];
    if (known !== undefined) found.set(key, { id: idOf(object), uid: known });
  }
  for (const summary of summaries.items) {
    const [id, seen] = [clusterOfSummary(summary), stringAt(summary, "status.clusterUID")];
    const isThere = id.type === "Capi" || registered.has(clusterKey(id));
    if (seen !== undefined && isThere) found.set(clusterKey(id), { id, uid: seen });
  }
  return [...found.values()].filter((each) => each.uid === uid).map(({ id }) => id);
}

function idOf({ metadata: { namespace = "", name } }: KubeObject): ClusterId {
  return { type: "Sveltos", namespace, name };
}
