import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { capiGroup, clusterReferredTo, originOf } from "../../sveltos/api/index.ts";
import { clusterOutlineOf } from "../../sveltos/fleet/index.ts";
import { statusOccurrences } from "../../sveltos/inspect/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { FleetClusterItem } from "../api/index.ts";
import type { MatrixColumn } from "./fleet-matrix.ts";
import { clusterKeyOf } from "./summary-cell.ts";

/** The kind of Cluster API's clusters, in the version that is served. */
export async function capiClusterKind({ discovery }: Cluster) {
  const newest = { group: capiGroup, version: "v1beta2", kind: "Cluster" };
  return (await discovery.find(newest)) === undefined ? { ...newest, version: "v1beta1" } : newest;
}

/** Reduces the object of a cluster to what is shown of it. */
export function reduceCluster(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, spec, status } = object as KubeObject & { readonly spec?: object; readonly status?: object };
  const { managedFields: _fields, ...kept } = metadata;
  return { apiVersion, kind, metadata: kept, ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
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

/** Reduces a profile to its column: its content may be large, and the matrix does not show it. */
export function reduceProfile(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { managedFields: _fields, annotations: _annotations, ...kept } = metadata;
  return { apiVersion, kind, metadata: kept, column: columnOf(object) };
}

function columnOf(profile: KubeObject): MatrixColumn {
  const { name, namespace = "", labels } = profile.metadata;
  const kind = profile.kind === "Profile" ? "Profile" : "ClusterProfile";
  const trigger = originOf(labels)?.trigger;
  // Its cells are those of the generated profiles, which may be thousands.
  if (trigger !== undefined)
    return { key: `EventTrigger//${trigger}`, kind: "EventTrigger", namespace: "", name: trigger, matching: new Set() };
  const matching = new Set(
    listAt(profile, "status.matchingClusters").flatMap((reference) => {
      const cluster = clusterReferredTo(reference);
      return cluster === undefined ? [] : [clusterKeyOf(cluster)];
    }),
  );
  const syncMode = stringAt(profile, "spec.syncMode", "Continuous");
  const message = statusOccurrences(profile).find(({ state, cluster }) => state === "failing" && cluster === undefined)?.message;
  return { key: `${kind}/${namespace}/${name}`, kind, namespace, name, syncMode, matching, ...(message === undefined ? {} : { message }) };
}

/** The column of a reduced profile. */
export function columnIn(reduced: KubeObject): MatrixColumn {
  return reduced["column"] as MatrixColumn;
}
