import { sleep } from "../../core/clock/index.ts";
import { doing, Fault } from "../../core/fault/index.ts";
import { isAlreadyExists, isConflict, isForbidden, isNotFound, isTransient, type Cluster } from "../../kube/index.ts";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { UnpackBudget } from "./release-codec.ts";
import { deployedOf, latestOf, releaseText, type Release, type Revision, type StorageKind } from "./revision.ts";
import {
  revisionIn,
  revisionNamedBy,
  storageName,
  storageObjectOf,
  storageSelector,
  storedVersionOf,
  encodedReleaseIn,
} from "./storage-object.ts";

export type HistoryOptions = { readonly signal?: AbortSignal };

/** The release records of one cluster. */
export type History = {
  /** All revisions of a release, oldest first. Unreadable ones are included as `unknown`. */
  revisions(release: Release, options?: HistoryOptions): Promise<readonly Revision[]>;
  latest(release: Release, options?: HistoryOptions): Promise<Revision | undefined>;
  /** The last deployed revision. */
  deployed(release: Release, options?: HistoryOptions): Promise<Revision | undefined>;
  /** The latest revision of every release in one namespace or all, by namespace and name. */
  list(namespace?: string, options?: HistoryOptions): Promise<readonly Revision[]>;
  /**
   * Writes a revision, a new one or over the version that it was read from, and returns it as stored. Throws on a
   * conflict and retries transient errors.
   */
  save(revision: Revision, options?: HistoryOptions): Promise<Revision>;
  /** Changes annotations of a stored revision, in the version that it was read from; null removes one. Throws on a conflict. */
  annotate(revision: Revision, annotations: Readonly<Record<string, string | null>>, options?: HistoryOptions): Promise<Revision>;
  /** Marks all other deployed revisions of the release as superseded. */
  supersede(by: Release & { readonly revision: number }, options?: HistoryOptions): Promise<void>;
  /** Deletes the oldest revisions beyond `limit` (0: no limit), but never the latest or a deployed one. Returns their numbers. */
  prune(release: Release, limit?: number, options?: HistoryOptions): Promise<readonly number[]>;
  /** Deletes all records of a release. */
  purge(release: Release, options?: HistoryOptions): Promise<void>;
};

/** Helm's default of `--history-max`. */
export const historyLimit = 10;

/** Helm's field manager, so that Helm meets no conflict in its records. */
const manager = "helm";

const kindOf = (storage: StorageKind) => ({ group: "", version: "v1", kind: storage });

export function historyOf(cluster: Cluster): History {
  const { clock } = cluster;

  async function revisions(release: Release, options: HistoryOptions = {}) {
    return doing(`read the history of release ${releaseText(release)}`, async () => {
      const objects = await recordsIn(cluster, release.namespace, storageSelector(release.name), options);
      return revisionsIn(objects);
    });
  }

  async function save(revision: Revision, { signal }: HistoryOptions = {}): Promise<Revision> {
    const what = `save revision ${revision.revision} of release ${releaseText(revision)}`;
    const object = storageObjectOf(revision, clock.now());
    return doing(what, async () => ({ ...revision, stored: storedVersionOf(await persist(cluster, object, signal)) }));
  }

  async function remove({ name, namespace, revision, storage }: Revision, { signal }: HistoryOptions) {
    try {
      await cluster.delete({ ...kindOf(storage), namespace, name: storageName(name, revision) }, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw new Fault(`remove revision ${revision} of release ${name}`, error);
    }
  }

  async function annotate(revision: Revision, annotations: Readonly<Record<string, string | null>>, { signal }: HistoryOptions = {}) {
    const { name, namespace, storage, stored } = revision;
    const ref = { ...kindOf(storage), namespace, name: storageName(name, revision.revision) };
    const patch = { metadata: { resourceVersion: stored?.resourceVersion, annotations } };
    const written = await cluster.patch(ref, { type: "merge", patch }, { manager, signal });
    return { ...revision, ...revisionIn(written) };
  }

  return {
    revisions,
    save,
    annotate,
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
      const all = await revisions(release, options);
      // The latest last, so that concurrent readers, and whoever carries on, still find it.
      await Promise.all(all.slice(0, -1).map((each) => remove(each, options)));
      for (const each of all.slice(-1)) await remove(each, options);
    },
  };
}

/** The revisions of one release, oldest first. The newest are read first, so that these are read whatever the others unpack to. */
function revisionsIn(objects: readonly KubeObject[]): readonly Revision[] {
  const budget = new UnpackBudget();
  const newestFirst = objects.toSorted((a, b) => numberOf(b) - numberOf(a));
  return newestFirst.flatMap((object) => revisionIn(object, budget) ?? []).toSorted((a, b) => a.revision - b.revision);
}

function numberOf(object: KubeObject): number {
  return revisionNamedBy(object)?.revision ?? 0;
}

/** The oldest revisions beyond the limit (0: no limit), but never the latest or a deployed one. */
export function revisionsToPrune(revisions: readonly Revision[], limit: number): readonly Revision[] {
  if (limit <= 0) return [];
  const last = latestOf(revisions);
  const removable = revisions.filter((each) => each !== last && each.state !== "deployed");
  return removable.slice(0, Math.max(0, revisions.length - limit));
}

/** ConfigMaps that may not be read hold no records. Secrets must be readable, because records are written there. */
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

/** The newest record of each release, by namespace and name. Only these are decoded. */
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

/** How often a write is retried, beyond the retries of the connection. */
const maxAttempts = 5;

/**
 * Creates or replaces an object. After a lost response the write may have succeeded: if the stored object equals the
 * written one, that is no conflict.
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
      if (!isTransient(error) || attempt >= maxAttempts) throw error;
      await sleep(cluster.clock, 250 * 2 ** attempt, signal);
    }
  }
}
