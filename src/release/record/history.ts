import { sleep } from "../../core/clock/index.ts";
import { doing, Fault } from "../../core/fault/index.ts";
import { isAlreadyExists, isConflict, isForbidden, isNotFound, isTransient, type Cluster } from "../../kube/index.ts";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { deployedOf, latestOf, releaseText, type Release, type Revision, type StorageKind } from "./revision.ts";
import { revisionIn, revisionNamedBy, storageName, storageObjectOf, storageSelector, encodedReleaseIn } from "./storage-object.ts";

export type HistoryOptions = { readonly signal?: AbortSignal };

/** The records of the releases of one cluster. */
export type History = {
  /** All revisions of a release, oldest first. One that cannot be read is there too, as `unknown`. */
  revisions(release: Release, options?: HistoryOptions): Promise<readonly Revision[]>;
  latest(release: Release, options?: HistoryOptions): Promise<Revision | undefined>;
  /** The last one that was deployed and not superseded since. */
  deployed(release: Release, options?: HistoryOptions): Promise<Revision | undefined>;
  /** The latest revision of every release, of one namespace or of all, by namespace and name. */
  list(namespace?: string, options?: HistoryOptions): Promise<readonly Revision[]>;
  /**
   * Writes a revision, a new one or over the version that it was read from, and answers it as it is stored. Throws when
   * somebody else has written in between. Goes on trying through trouble that may pass.
   */
  save(revision: Revision, options?: HistoryOptions): Promise<Revision>;
  /** Turns every other deployed revision of the release into a superseded one. */
  supersede(by: Release & { readonly revision: number }, options?: HistoryOptions): Promise<void>;
  /** Removes the oldest revisions until `limit` are left (0: no limit); never the latest or a deployed one. Answers their numbers. */
  prune(release: Release, limit?: number, options?: HistoryOptions): Promise<readonly number[]>;
  /** Removes every record of a release. */
  purge(release: Release, options?: HistoryOptions): Promise<void>;
};

/** As Helm's `--history-max`. */
export const historyLimit = 10;

/** Records are written in Helm's name, so that Helm finds no other owner of their fields. */
const manager = "helm";

const kindOf = (storage: StorageKind) => ({ group: "", version: "v1", kind: storage });

export function historyOf(cluster: Cluster): History {
  const { clock } = cluster;

  async function revisions(release: Release, options: HistoryOptions = {}) {
    return doing(`read the history of release ${releaseText(release)}`, async () => {
      const objects = await recordsIn(cluster, release.namespace, storageSelector(release.name), options);
      return objects.flatMap((object) => revisionIn(object) ?? []).toSorted((a, b) => a.revision - b.revision);
    });
  }

  async function save(revision: Revision, { signal }: HistoryOptions = {}): Promise<Revision> {
    const what = `save revision ${revision.revision} of release ${releaseText(revision)}`;
    const object = storageObjectOf(revision, clock.now());
    return doing(what, async () => storedAs(revision, await persist(cluster, object, signal)));
  }

  async function remove({ name, namespace, revision, storage }: Revision, { signal }: HistoryOptions) {
    try {
      await cluster.delete({ ...kindOf(storage), namespace, name: storageName(name, revision) }, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw new Fault(`remove revision ${revision} of release ${name}`, error);
    }
  }

  return {
    revisions,
    save,
    latest: async (release, options) => latestOf(await revisions(release, options)),
    deployed: async (release, options) => deployedOf(await revisions(release, options)),

    async list(namespace, options = {}) {
      const objects = await doing("list releases", () => recordsIn(cluster, namespace, storageSelector(), options));
      return latestOfEach(objects).flatMap((object) => revisionIn(object) ?? []);
    },

    async supersede(by, options) {
      const others = (await revisions(by, options)).filter(({ state, revision }) => state === "deployed" && revision !== by.revision);
      for (const other of others) await save({ ...other, state: "superseded" }, options);
    },

    async prune(release, limit = historyLimit, options = {}) {
      const superfluous = revisionsToPrune(await revisions(release, options), limit);
      for (const each of superfluous) await remove(each, options);
      return superfluous.map(({ revision }) => revision);
    },

    async purge(release, options = {}) {
      // Oldest first: whoever comes in between still finds the latest.
      for (const each of await revisions(release, options)) await remove(each, options);
    },
  };
}

/** The oldest revisions, oldest first, beyond so many (0: no limit); never the latest or a deployed one. */
export function revisionsToPrune(revisions: readonly Revision[], limit: number): readonly Revision[] {
  if (limit <= 0) return [];
  const last = latestOf(revisions);
  const removable = revisions.filter((each) => each !== last && each.state !== "deployed");
  return removable.slice(0, Math.max(0, revisions.length - limit));
}

/** Who may not read ConfigMaps has no records there; Secrets must be readable, since that is where records are written. */
async function recordsIn(cluster: Cluster, namespace: string | undefined, labelSelector: string, { signal }: HistoryOptions) {
  const selection = { labelSelector, ...(namespace === undefined ? {} : { namespace }), signal };
  const [secrets, configMaps] = await Promise.all([
    cluster.list(kindOf("Secret"), selection),
    cluster.list(kindOf("ConfigMap"), selection).catch((error: unknown) => {
      if (isForbidden(error)) return { items: [] };
      throw error;
    }),
  ]);
  return [...secrets.items, ...configMaps.items];
}

/** The newest record of each release, by namespace and name. Only these are worth unpacking. */
function latestOfEach(objects: readonly KubeObject[]): readonly KubeObject[] {
  const newest = new Map<string, { readonly revision: number; readonly object: KubeObject }>();
  for (const object of objects) {
    const named = revisionNamedBy(object);
    if (named === undefined) continue;
    const key = `${named.namespace}/${named.name}`;
    const known = newest.get(key);
    if (known === undefined || named.revision > known.revision) newest.set(key, { revision: named.revision, object });
  }
  return [...newest.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { object }]) => object);
}

function storedAs(revision: Revision, object: KubeObject): Revision {
  const { resourceVersion = "", labels = {} } = object.metadata;
  const createdAt = labels["createdAt"];
  return { ...revision, stored: { resourceVersion, ...(createdAt === undefined ? {} : { createdAt }) } };
}

/** How often writing is tried through trouble that may pass, beyond what the connection tries by itself. */
const mostTries = 5;

/**
 * Writes an object, new or over a version. An answer that was lost on its way is no reason to fail, nor to take one's own
 * writing for somebody else's: what is there then is what was to be written.
 */
async function persist(cluster: Cluster, object: KubeObject, signal: AbortSignal | undefined): Promise<KubeObject> {
  const isNew = object.metadata.resourceVersion === undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await (isNew ? cluster.create(object, { manager, signal }) : cluster.replace(object, { manager, signal }));
    } catch (error) {
      if (isAlreadyExists(error) || isConflict(error)) {
        const live = await cluster.find(refOf(object), { signal });
        if (live !== undefined && encodedReleaseIn(live) === encodedReleaseIn(object)) return live;
        throw new Fault("somebody else has written it in the meantime: run the same command again", error);
      }
      if (!isTransient(error) || attempt >= mostTries) throw error;
      await sleep(cluster.clock, 250 * 2 ** attempt, signal);
    }
  }
}
