import { isNotFound, isUnknownKind, type Cluster } from "../../src/kube/index.ts";
import { refOf, titleOf, type GroupVersionKind, type KubeObject } from "../../src/core/object/index.ts";
import { historyOf, type Release } from "../../src/release/record/index.ts";
import { comparableContentOf } from "./change-observer.ts";

/** The state of a release in the cluster, without what differs between two runs with the same outcome. */
export type ReleaseSnapshot = {
  /** Each object by title, without its status and server-generated values. */
  readonly objects: Readonly<Record<string, unknown>>;
  /** `app 1 deployed`, and the last run of each hook: `app 1 pre-install job/migrate Succeeded`. */
  readonly records: readonly string[];
};

/** Created by the cluster in every namespace. */
const clusterObjects = new Set(["configmap/kube-root-ca.crt", "serviceaccount/default"]);

export async function takeSnapshot(
  cluster: Cluster,
  namespace: string,
  kinds: readonly GroupVersionKind[],
  releases: readonly Release[],
): Promise<ReleaseSnapshot> {
  const objects = (await Promise.all(kinds.map((kind) => objectsOf(cluster, kind, namespace)))).flat();
  const entries = objects.map((object): [string, unknown] => [
    `${object.metadata.namespace ?? ""}/${titleOf(refOf(object))}`,
    plain(object),
  ]);
  return {
    objects: Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    records: await recordsOf(cluster, releases),
  };
}

async function objectsOf(cluster: Cluster, kind: GroupVersionKind, namespace: string): Promise<readonly KubeObject[]> {
  try {
    const { items } = await cluster.list(kind);
    return items.filter(({ metadata, ...object }) => {
      const isRecord = object["type"] === "helm.sh/release.v1";
      const isOurs = metadata.namespace === undefined ? metadata.name.includes(namespace) : metadata.namespace.startsWith(namespace);
      // Objects of controllers have random names.
      const isOwned = (metadata.ownerReferences ?? []).length > 0;
      return isOurs && !isOwned && !isRecord && !clusterObjects.has(titleOf({ kind: object.kind, name: metadata.name }));
    });
  } catch (error) {
    if (isUnknownKind(error) || isNotFound(error)) return [];
    throw error;
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const address = /\b(10|127|172|192|100)\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
const token = /kube-api-access-[a-z0-9]{5}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Without server-generated values. */
function plain(object: KubeObject): unknown {
  const text = JSON.stringify(comparableContentOf(object))
    .replace(uuid, "<uid>")
    .replace(address, "<ip>")
    .replace(time, "<time>")
    .replace(token, "<token>");
  return JSON.parse(text);
}

async function recordsOf(cluster: Cluster, releases: readonly Release[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const release of releases) {
    for (const { name, revision, state, hooks } of await historyOf(cluster).revisions(release)) {
      lines.push(`${name} ${revision} ${state}`);
      for (const hook of hooks) lines.push(`${name} ${revision} ${hook.events.join(",")} ${titleOf(hook)} ${hook.lastRun.phase}`);
    }
  }
  return lines;
}
