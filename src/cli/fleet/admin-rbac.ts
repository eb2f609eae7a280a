import {
  clusterReferredTo,
  readRoleRequest,
  type ClusterId,
  type ObjectReference,
  type RoleRequest,
  type RoleRequestClusterInfo,
} from "../../sveltos/api/index.ts";
import { grantObjects, isGrantedBy, roleTitle, type RoleSource } from "../../sveltos/tenant/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { listAt, mapAt, stringsAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { AdminRbacOutline } from "../../view/index.ts";
import { listSveltosObjects } from "../../sveltos/fleet/index.ts";

/** Selects rights; an absent field selects all. */
type AdminRbacFilter = {
  readonly namespace?: string;
  readonly cluster?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccountNamespace?: string;
};

/** Lists what RoleRequests grant to whom in which clusters, also what is left of one that has failed: a line for each rule. */
export async function listAdminRbac(hub: Cluster, filter: AdminRbacFilter, signal: AbortSignal): Promise<readonly AdminRbacOutline[]> {
  const outlines: AdminRbacOutline[] = [];
  for (const object of await listSveltosObjects(hub, "RoleRequest", { signal })) {
    const reading = readRoleRequest(object);
    if (reading.state === "invalid" || !isOfTenant(reading.value, filter)) continue;
    for (const granted of grantedClusters(object).filter(({ cluster }) => isSelected(cluster, filter))) {
      const sources = await readSources(reading.value, granted.cluster.namespace, hub, signal);
      outlines.push(...rulesIn(reading.value, sources, granted));
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

/** What the status of a RoleRequest says of a cluster in which it grants something. */
type GrantedCluster = { readonly cluster: ClusterId; readonly info: RoleRequestClusterInfo };

function grantedClusters(object: KubeObject): readonly GrantedCluster[] {
  return (listAt(object, "status.clusterInfo") as readonly RoleRequestClusterInfo[]).flatMap((info) => {
    const cluster = clusterReferredTo((info.cluster ?? {}) as ObjectReference);
    return cluster !== undefined && (info.status === "Provisioned" || (info.granted ?? []).length > 0) ? [{ cluster, info }] : [];
  });
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

function rulesIn(request: RoleRequest, sources: readonly RoleSource[], { cluster, info }: GrantedCluster): readonly AdminRbacOutline[] {
  const roles = grantObjects(request, sources).objects.filter(({ kind }) => kind === "Role" || kind === "ClusterRole");
  const known = new Set(roles.map(roleTitle));
  // Content that cannot be read now has granted these before.
  const unknown = (info.granted ?? []).filter((title) => !known.has(title));
  return [
    ...roles.filter((role) => isGrantedBy(info, roleTitle(role))).flatMap((role) => outlinesOf(role)),
    ...unknown.map((title) => outlineOf(/^Role (.*)\//.exec(title)?.[1], { apiGroups: ["?"], resources: ["?"], verbs: ["?"] })),
  ];

  function outlinesOf(role: KubeObject): readonly AdminRbacOutline[] {
    return listAt(role, "rules").map((rule) => outlineOf(role.metadata.namespace, rule));
  }

  function outlineOf(place: string | undefined, rule: Fields): AdminRbacOutline {
    const { type, namespace, name } = cluster;
    return {
      cluster: { type, namespace, name },
      admin: `${request.tenant.namespace}/${request.tenant.name}`,
      namespace: place ?? "*",
      apiGroups: stringsAt(rule, "apiGroups"),
      resources: [...stringsAt(rule, "resources"), ...stringsAt(rule, "nonResourceURLs")],
      resourceNames: stringsAt(rule, "resourceNames"),
      verbs: stringsAt(rule, "verbs"),
      roleRequest: request.metadata.name,
    };
  }
}

function sortKey({ cluster, admin, namespace, resources }: AdminRbacOutline): string {
  return JSON.stringify([cluster.namespace, cluster.name, admin, namespace, resources]);
}
