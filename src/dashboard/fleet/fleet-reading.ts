import type { KubeObject } from "../../core/object/index.ts";
import { capiGroup } from "../../sveltos/api/index.ts";
import { clusterOutlineOf } from "../../sveltos/fleet/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { FleetClusterItem } from "../api/index.ts";
import { clusterKeyOf } from "./summary-cell.ts";

/** The kind of Cluster API's clusters, in the version that is served. */
export async function capiClusterKind({ discovery }: Cluster) {
  const newest = { group: capiGroup, version: "v1beta2", kind: "Cluster" };
  return (await discovery.find(newest)) === undefined ? { ...newest, version: "v1beta1" } : newest;
}

/** The item of a cluster. */
export function clusterItemOf(object: KubeObject): FleetClusterItem {
  const { type, namespace, name, labels, ready, paused, connection, version, message } = clusterOutlineOf(object);
  const isWrong = connection === "Down" || (message !== undefined && message !== "" && !ready);
  return {
    type: "cluster",
    key: clusterKeyOf({ type, namespace, name }),
    kind: type === "Capi" ? "Cluster" : "SveltosCluster",
    namespace,
    name,
    labels,
    state: paused ? "skipped" : isWrong ? "failed" : ready ? "ready" : "waiting",
    ...(version === undefined ? {} : { version }),
    ...(message === undefined || message === "" ? {} : { message }),
  };
}
