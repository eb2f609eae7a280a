import { clusterReferredTo, readRoleRequest, type ClusterId, type ObjectReference, type RoleRequest } from "../../sveltos/api/index.ts";
import { grantObjects, type RoleSource } from "../../sveltos/tenant/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { listAt, mapAt, stringAt, stringsAt, type KubeObject } from "../../core/object/index.ts";
import type { AdminRbacOutline } from "../../view/index.ts";
import { listSveltosObjects } from "../../sveltos/fleet/index.ts";

/** Selects rights; an absent field selects all. */
type AdminRbacFilter = {
  readonly namespace?: string;
  readonly cluster?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccountNamespace?: string;
};

/** Lists what RoleRequests grant to whom in the clusters in which they are provisioned: a line for each rule. */
export async function listAdminRbac(hub: Cluster, filter: AdminRbacFilter, signal: AbortSignal): Promise<readonly AdminRbacOutline[]> {
  const outlines: AdminRbacOutline[] = [];
  for (const object of await listSveltosObjects(hub, "RoleRequest", { signal })) {
    const reading = readRoleRequest(object);
    if (reading.state === "invalid" || !isOfTenant(reading.value, filter)) continue;
    for (const cluster of provisionedClusters(object).filter((each) => isSelected(each, filter))) {
      const sources = await readSources(reading.value, cluster.namespace, hub, signal);
      outlines.push(...rulesIn(reading.value, sources, cluster));
    }
  }
  return outlines.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function isOfTenant({ tenant }: RoleRequest, { serviceAccountName, serviceAccountNamespace }: AdminRbacFilter): boolean {
  return tenant.name === (serviceAccountName ?? tenant.name) && tenant.namespace === (serviceAccountNamespace ?? tenant.namespace);
}

function isSelected({ namespace, name }: ClusterId, filter: AdminRbacFilter): boolean {
  const isNamed = filter.cluster === undefined || filter.cluster === name || filter.cluster === `${namespace}/${name}`;
  return isNamed && namespace === (filter.namespace ?? namespace);
}

function provisionedClusters(object: KubeObject): readonly ClusterId[] {
  return listAt(object, "status.clusterInfo").flatMap((info) =>
    stringAt(info, "status") === "Provisioned" ? (clusterReferredTo((info["cluster"] ?? {}) as ObjectReference) ?? []) : [],
  );
}

async function readSources({ roleRefs }: RoleRequest, home: string, hub: Cluster, signal: AbortSignal): Promise<readonly RoleSource[]> {
  const sources: RoleSource[] = [];
  for (const { kind, namespace, name } of roleRefs) {
    const object = await hub.find({ group: "", version: "v1", kind, namespace: namespace || home, name }, { signal });
    for (const [key, text] of Object.entries(mapAt(object, "data")))
      sources.push({ source: `${kind} ${name}, ${key}`, text: kind === "Secret" ? Buffer.from(text, "base64").toString("utf8") : text });
  }
  return sources;
}

function rulesIn(request: RoleRequest, sources: readonly RoleSource[], { type, namespace, name }: ClusterId): readonly AdminRbacOutline[] {
  const roles = grantObjects(request, sources).objects.filter(({ kind }) => kind === "Role" || kind === "ClusterRole");
  return roles.flatMap((role) =>
    listAt(role, "rules").map((rule) => ({
      cluster: { kind: type === "Capi" ? "Cluster" : "SveltosCluster", namespace, name },
      admin: `${request.tenant.namespace}/${request.tenant.name}`,
      namespace: role.metadata.namespace ?? "*",
      apiGroups: stringsAt(rule, "apiGroups"),
      resources: [...stringsAt(rule, "resources"), ...stringsAt(rule, "nonResourceURLs")],
      resourceNames: stringsAt(rule, "resourceNames"),
      verbs: stringsAt(rule, "verbs"),
      roleRequest: request.metadata.name,
    })),
  );
}

function sortKey({ cluster, admin, namespace, resources }: AdminRbacOutline): string {
  return JSON.stringify([cluster.namespace, cluster.name, admin, namespace, resources]);
}
