import { Fault } from "../../core/fault/index.ts";
import { wholeNameOf } from "../api/index.ts";
import { listClusters } from "../fleet/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { clusterText, type FleetClusterRef } from "../../view/index.ts";

/** The cluster that a ClusterSummary, a ClusterReport or an EventReport is about. The type occurs in two spellings. */
export function clusterRefIn(object: KubeObject): FleetClusterRef {
  const type = types[stringAt(object, "spec.clusterType", "").toLowerCase()];
  const namespace = stringAt(object, "spec.clusterNamespace", object.metadata.namespace ?? "");
  return { ...(type === undefined ? {} : { type }), namespace, name: stringAt(object, "spec.clusterName", "") };
}

/** The cluster of a ClusterConfiguration, which only its name tells: `sveltos--east`. */
export function clusterRefOfConfiguration(configuration: KubeObject): FleetClusterRef {
  const whole = wholeNameOf(configuration);
  const [, prefix = "", name = whole] = /^(sveltos|capi)--(.+)$/.exec(whole) ?? [];
  const type = types[prefix];
  return { ...(type === undefined ? {} : { type }), namespace: configuration.metadata.namespace ?? "", name };
}

const types: Readonly<Record<string, "Sveltos" | "Capi">> = { sveltos: "Sveltos", capi: "Capi" };

/** Tells whether a cluster is the one that a user calls so: `east`, or `fleet/east`. */
export function isClusterCalled({ namespace, name }: FleetClusterRef, text: string): boolean {
  return text === name || text === `${namespace}/${name}`;
}

/** Orders clusters by namespace and name. */
export function compareClusters(a: FleetClusterRef, b: FleetClusterRef): number {
  const [before, after] = [clusterText(a), clusterText(b)];
  return before < after ? -1 : before > after ? 1 : 0;
}

/** Fails when the fleet has no cluster of this name. */
export async function requireCluster(hub: Cluster, name: string, namespace: string | undefined, signal: AbortSignal): Promise<void> {
  const clusters = await listClusters(hub, namespace, signal);
  if (clusters.some((cluster) => isClusterCalled(cluster, name))) return;
  const where = namespace === undefined ? "" : ` in namespace ${namespace}`;
  throw new Fault(`there is no cluster ${name}${where}: sluice show clusters lists them`, undefined, { final: true });
}
