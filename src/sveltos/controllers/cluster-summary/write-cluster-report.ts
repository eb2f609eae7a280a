import type { OwningProfile } from "../../deploy/index.ts";
import { clusterProfileLabels, clusterReportName, gvkOf, type ClusterId, type ClusterReportStatus } from "../../api/index.ts";
import { isNotFound } from "../../../kube/index.ts";
import { apiVersionOf, equal, fieldsAt, refOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";

export const clusterReportKind = gvkOf("ClusterReport");

/** Writes the ClusterReport of a profile in a cluster; without a report it deletes the ClusterReport. */
export async function writeClusterReport(
  { hub, cache }: ControllerContext,
  cluster: ClusterId,
  owner: OwningProfile,
  report: ClusterReportStatus | undefined,
  signal: AbortSignal,
): Promise<void> {
  const found = cache.find(clusterReportKind, cluster.namespace, clusterReportName(owner.kind, owner.name, cluster));
  if (report === undefined) {
    if (found === undefined) return;
    await hub.delete(refOf(found), { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    return cache.waitForDeletes([found], signal);
  }
  if (found !== undefined && equal(withoutTimes(fieldsAt(found, "status")), withoutTimes(report))) return;
  const base = found ?? (await hub.create(emptyFor(cluster, owner), { signal }));
  await cache.waitForWrites([await hub.replace({ ...base, status: report }, { subresource: "status", signal })], signal);
}

function emptyFor(cluster: ClusterId, owner: OwningProfile): KubeObject {
  const { kind, name, uid } = owner;
  return {
    apiVersion: apiVersionOf(clusterReportKind),
    kind: clusterReportKind.kind,
    metadata: {
      name: clusterReportName(kind, name, cluster),
      namespace: cluster.namespace,
      labels: clusterProfileLabels(kind, name, cluster),
      ownerReferences: [{ apiVersion: apiVersionOf(gvkOf(kind)), kind, name, uid }],
    },
    spec: { clusterName: cluster.name, clusterNamespace: cluster.namespace },
  };
}

/** A report that differs in its times only is not written again. */
function withoutTimes(status: ClusterReportStatus): unknown {
  const { resourceReports = [], releaseReports = [] } = status;
  return {
    releaseReports,
    resourceReports: resourceReports.map(({ resource: { lastAppliedTime: _time, ...resource }, ...rest }) => ({ ...rest, resource })),
  };
}
