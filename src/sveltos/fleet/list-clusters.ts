import { agentPresenceOf, capiGroup, gvkOf, failureMessageOf, readCluster, type AgentPresence, type ClusterType } from "../api/index.ts";
import { isUnknownKind, type Cluster } from "../../kube/index.ts";
import { statusTimeOf, stringAt, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";

/** One cluster of `sluice show clusters`. The fields are output. */
export type ClusterOutline = {
  readonly type: ClusterType;
  readonly namespace: string;
  readonly name: string;
  /** Ready by its object, and not Down. */
  readonly ready: boolean;
  readonly paused: boolean;
  /** `Healthy` or `Down`; undefined before the first probe and for every Cluster of Cluster API. */
  readonly connection?: string;
  /** Since when a cluster is Down, in RFC 3339: when its status was last written. */
  readonly since?: string;
  readonly version?: string;
  /** How the agent in the cluster is doing; undefined without one. */
  readonly agent?: AgentPresence;
  readonly labels: Readonly<Record<string, string>>;
  /** The failure, if there is one. */
  readonly message?: string;
};

/** Lists the objects of the clusters of one or all namespaces. A kind that is not served has none. */
export async function listClusterObjects(hub: Cluster, namespace: string | undefined, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const capi = await served(
    hub,
    ["v1beta2", "v1beta1"].map((version) => ({ group: capiGroup, version, kind: "Cluster" })),
  );
  const kinds = [gvkOf("SveltosCluster"), ...(capi === undefined ? [] : [capi])];
  return (await Promise.all(kinds.map((kind) => objectsOf(hub, kind, namespace, signal)))).flat();
}

/** Lists the clusters of one or all namespaces, ordered by namespace and name. */
export async function listClusters(hub: Cluster, namespace: string | undefined, signal: AbortSignal): Promise<readonly ClusterOutline[]> {
  return (await listClusterObjects(hub, namespace, signal)).map(clusterOutlineOf).toSorted((a, b) => compare(placeOf(a), placeOf(b)));
}

async function served(hub: Cluster, kinds: readonly GroupVersionKind[]): Promise<GroupVersionKind | undefined> {
  for (const kind of kinds) if ((await hub.discovery.find(kind)) !== undefined) return kind;
  return undefined;
}

async function objectsOf(
  hub: Cluster,
  kind: GroupVersionKind,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  try {
    return (await hub.list(kind, { signal, ...(namespace === undefined ? {} : { namespace }) })).items;
  } catch (error) {
    if (isUnknownKind(error)) return [];
    throw error;
  }
}

/** What the object of a cluster says of it. */
export function clusterOutlineOf(object: KubeObject): ClusterOutline {
  const reading = readCluster(object);
  const { name, namespace = "", labels = {} } = object.metadata;
  const type = object.kind === "Cluster" ? "Capi" : "Sveltos";
  const connection = stringAt(object, "status.connectionStatus");
  const version = stringAt(object, "status.version");
  const since = connection === "Down" ? statusTimeOf(object) : undefined;
  const agent = agentPresenceOf(object);
  const message = failureMessageOf(reading) ?? stringAt(object, "status.failureMessage");
  return {
    type,
    namespace,
    name,
    ready: reading.state === "read" && reading.value.ready && !reading.value.down,
    paused: reading.state === "read" && reading.value.paused,
    ...(connection === undefined ? {} : { connection }),
    ...(since === undefined ? {} : { since }),
    ...(version === undefined ? {} : { version }),
    ...(agent === undefined ? {} : { agent }),
    labels,
    ...(message === undefined ? {} : { message }),
  };
}

function placeOf({ namespace, name, type }: ClusterOutline): string {
  return `${namespace}\n${name}\n${type}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
