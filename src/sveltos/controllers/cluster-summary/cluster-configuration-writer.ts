import { withoutProfile, withProfile, type OwningProfile } from "../../deploy/index.ts";
import {
  clusterConfigurationName,
  clusterLabels,
  gvkOf,
  type ClusterConfigurationStatus,
  type ClusterId,
  type DeployedFeature,
} from "../../api/index.ts";
import { sleep } from "../../../core/clock/index.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../../../kube/index.ts";
import { apiVersionOf, equal, fieldsAt, refOf, type KubeObject, type OwnerReference } from "../../../core/object/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import type { ControllerContext } from "../context/index.ts";

export const configurationKind = gvkOf("ClusterConfiguration");

/** What becomes of a profile's entry. Features that are undefined stay what they are, and an entry is there in any case. */
type Entry =
  | { readonly owner: OwningProfile; readonly present: true; readonly features: readonly DeployedFeature[] | undefined }
  | { readonly owner: OwningProfile; readonly present: false };

type PendingWrites = { entries: Entry[]; writing: Promise<void> | undefined; next: Promise<void> | undefined; writtenAt: number };

/** How often that of one cluster is written: it tells of all its profiles, and grows with them. */
const writeIntervalMs = 1000;

/**
 * The ClusterConfigurations: one for each cluster, whatever the number of its profiles. What several want to have changed
 * while one change is being written, or in the second after it, is written together.
 */
export class ClusterConfigurationWriter {
  readonly #desk: ControllerContext;
  readonly #books = new Map<string, PendingWrites>();

  constructor(context: ControllerContext) {
    this.#desk = context;
  }

  /** Resolves when the profile's entry is as it should be. */
  update(cluster: ClusterId, entry: Entry, signal: AbortSignal): Promise<void> {
    const key = clusterKey(cluster);
    const book = this.#books.get(key) ?? { entries: [], writing: undefined, next: undefined, writtenAt: -Infinity };
    this.#books.set(key, book);
    book.entries.push(entry);
    book.next ??= this.#turn(book, signal).then(() => this.#start(book, cluster, signal));
    return book.next;
  }

  /** Resolves when nothing is to be written any more. */
  async drained(): Promise<void> {
    await Promise.allSettled([...this.#books.values()].flatMap(({ writing, next }) => [writing, next]));
  }

  /** Resolves when the next may be written. */
  async #turn(book: PendingWrites, signal: AbortSignal): Promise<void> {
    const { clock } = this.#desk.hub;
    await book.writing?.catch(() => undefined);
    const waitMs = book.writtenAt + writeIntervalMs - clock.now();
    // Who cannot wait fails when it comes to writing.
    if (waitMs > 0) await sleep(clock, waitMs, signal).catch(() => undefined);
  }

  #start(book: PendingWrites, cluster: ClusterId, signal: AbortSignal): Promise<void> {
    const { clock } = this.#desk.hub;
    const { entries } = book;
    book.next = undefined;
    book.entries = [];
    book.writing = this.#write(cluster, entries, signal).finally(() => {
      book.writing = undefined;
      book.writtenAt = clock.now();
    });
    return book.writing;
  }

  async #write(cluster: ClusterId, entries: readonly Entry[], signal: AbortSignal): Promise<void> {
    const { cache, hub } = this.#desk;
    let found = cache.find(configurationKind, cluster.namespace, clusterConfigurationName(cluster));
    for (;;) {
      try {
        return await this.#settle(cluster, found, entries, signal);
      } catch (error) {
        // Somebody has written meanwhile: the same is done to what is there now.
        if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
        found = await hub.find(refFor(cluster), { signal });
      }
    }
  }

  async #settle(cluster: ClusterId, found: KubeObject | undefined, entries: readonly Entry[], signal: AbortSignal): Promise<void> {
    const { cache, hub } = this.#desk;
    const status = entries.reduce(withEntry, statusIn(found));
    if (isEmpty(status)) {
      if (found === undefined) return;
      const { uid, resourceVersion } = found.metadata;
      const preconditions = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
      await hub.delete(refOf(found), { preconditions, signal });
      return cache.waitForDeletes([found], signal);
    }
    const owners = entries.reduce(ownersWith, found?.metadata.ownerReferences ?? []);
    const base = found ?? (await hub.create(emptyFor(cluster, owners), { signal }));
    const isSaid = equal(status, statusIn(base));
    const said = isSaid ? base : await hub.replace({ ...base, status }, { subresource: "status", signal });
    const isOwned = equal(owners, said.metadata.ownerReferences ?? []);
    const last = isOwned ? said : await hub.replace({ ...said, metadata: { ...said.metadata, ownerReferences: owners } }, { signal });
    if (last !== found) await cache.waitForWrites([last], signal);
  }
}

function refFor(cluster: ClusterId) {
  return { ...configurationKind, namespace: cluster.namespace, name: clusterConfigurationName(cluster) };
}

function emptyFor(cluster: ClusterId, ownerReferences: readonly OwnerReference[]): KubeObject {
  const { kind } = configurationKind;
  const name = clusterConfigurationName(cluster);
  const metadata = { name, namespace: cluster.namespace, labels: clusterLabels(cluster), ownerReferences };
  return { apiVersion: apiVersionOf(configurationKind), kind, metadata };
}

/** The status as the API server keeps it: its schema has checked it. */
function statusIn(configuration: KubeObject | undefined): ClusterConfigurationStatus {
  return fieldsAt(configuration, "status") as ClusterConfigurationStatus;
}

function isEmpty({ clusterProfileResources = [], profileResources = [] }: ClusterConfigurationStatus): boolean {
  return clusterProfileResources.length === 0 && profileResources.length === 0;
}

function withEntry(status: ClusterConfigurationStatus, entry: Entry): ClusterConfigurationStatus {
  if (!entry.present) return isListed(status, entry.owner) ? withoutProfile(status, entry.owner) : status;
  if (entry.features === undefined) return isListed(status, entry.owner) ? status : withProfile(status, entry.owner, []);
  return withProfile(status, entry.owner, entry.features);
}

function isListed({ clusterProfileResources = [], profileResources = [] }: ClusterConfigurationStatus, owner: OwningProfile): boolean {
  return owner.kind === "ClusterProfile"
    ? clusterProfileResources.some(({ clusterProfileName }) => clusterProfileName === owner.name)
    : profileResources.some(({ profileName }) => profileName === owner.name);
}

function ownersWith(owners: readonly OwnerReference[], { owner, present }: Entry): readonly OwnerReference[] {
  const { kind, name, uid } = owner;
  const isThere = owners.some((each) => each.uid === uid && each.kind === kind);
  if (isThere === present) return owners;
  const reference = { apiVersion: apiVersionOf(gvkOf(kind)), kind, name, uid };
  return present ? [...owners, reference] : owners.filter((each) => each.uid !== uid);
}
