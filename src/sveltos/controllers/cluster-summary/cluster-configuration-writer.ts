import { withoutProfile, withProfile, type OwningProfile } from "../../deploy/index.ts";
import {
  clusterConfigurationName,
  clusterLabels,
  gvkOf,
  partOfAnnotation,
  wholeNameOf,
  type ClusterConfigurationStatus,
  type ClusterId,
} from "../../api/index.ts";
import { sleep } from "../../../core/clock/index.ts";
import { isAlreadyExists, isConflict, isNotFound, type Index } from "../../../kube/index.ts";
import { apiVersionOf, equal, refOf, type KubeObject, type OwnerReference } from "../../../core/object/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { summariesPerCluster } from "./summary-key.ts";
import { assignToParts, configurationStatusIn, type ConfigurationEntry } from "./configuration-parts.ts";

export const configurationKind = gvkOf("ClusterConfiguration");

type PendingWrites = {
  entries: ConfigurationEntry[];
  /** Ends the wait for the next write. */
  hurry: AbortController;
  writing: Promise<void> | undefined;
  next: Promise<void> | undefined;
  writtenAt: number;
};

/** The shortest time between two writes of one ClusterConfiguration, which grows with the profiles of its cluster. */
const writeIntervalMs = 1000;
/** As many as ClusterSummaries are withdrawn at once: when all of them wait for the next write, nothing more arrives before it. */
const fullBatch = summariesPerCluster;

/**
 * Writes ClusterConfigurations, one for each cluster, with further parts where it is large. Changes that arrive during a write,
 * or in the second after it, are collected into the next one; many of them are not kept waiting.
 */
export class ClusterConfigurationWriter {
  readonly #context: ControllerContext;
  readonly #pending = new Map<string, PendingWrites>();
  /** The parts of each ClusterConfiguration. */
  readonly #parts: Index;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#parts = context.cache.index(configurationKind, (part) => [`${part.metadata.namespace}/${wholeNameOf(part)}`]);
  }

  /** Resolves when the change of the profile's entry is written. */
  update(cluster: ClusterId, entry: ConfigurationEntry, signal: AbortSignal): Promise<void> {
    const key = clusterKey(cluster);
    const pending = this.#pending.get(key) ?? newPending();
    this.#pending.set(key, pending);
    pending.entries.push(entry);
    if (pending.entries.length >= fullBatch) pending.hurry.abort();
    pending.next ??= this.#mayWrite(pending, signal).then(() => this.#start(pending, cluster, signal));
    return pending.next;
  }

  /** Resolves when all pending writes have ended. */
  async drained(): Promise<void> {
    await Promise.allSettled([...this.#pending.values()].flatMap(({ writing, next }) => [writing, next]));
  }

  /** Resolves when the next write may begin. */
  async #mayWrite(pending: PendingWrites, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context.hub;
    await pending.writing?.catch(() => undefined);
    const waitMs = pending.writtenAt + writeIntervalMs - clock.now();
    // An aborted wait is no failure here: the write that follows fails, or it is time for it.
    if (waitMs > 0) await sleep(clock, waitMs, AbortSignal.any([signal, pending.hurry.signal])).catch(() => undefined);
  }

  #start(pending: PendingWrites, cluster: ClusterId, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context.hub;
    const { entries } = pending;
    pending.next = undefined;
    pending.entries = [];
    pending.hurry = new AbortController();
    pending.writing = this.#write(cluster, entries, signal).finally(() => {
      pending.writing = undefined;
      pending.writtenAt = clock.now();
    });
    return pending.writing;
  }

  async #write(cluster: ClusterId, entries: readonly ConfigurationEntry[], signal: AbortSignal): Promise<void> {
    const whole = clusterConfigurationName(cluster);
    const parts = new Map([...this.#parts.at(`${cluster.namespace}/${whole}`)].map((part) => [part.metadata.name, part]));
    const assigned = [...assignToParts(whole, entries, parts)];
    await Promise.all(assigned.map(([name, some]) => this.#writePart(cluster, name, some, signal)));
  }

  async #writePart(cluster: ClusterId, name: string, entries: readonly ConfigurationEntry[], signal: AbortSignal): Promise<void> {
    const { cache, hub } = this.#context;
    let found = cache.find(configurationKind, cluster.namespace, name);
    for (;;) {
      try {
        return await this.#apply(emptyFor(cluster, name), found, entries, signal);
      } catch (error) {
        // It was changed meanwhile: the same entries are applied to the new object.
        if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
        found = await hub.find({ ...configurationKind, namespace: cluster.namespace, name }, { signal });
      }
    }
  }

  async #apply(
    empty: KubeObject,
    found: KubeObject | undefined,
    entries: readonly ConfigurationEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    const { cache, hub } = this.#context;
    const status = entries.reduce(withEntry, configurationStatusIn(found));
    if (isEmpty(status)) {
      if (found === undefined) return;
      const { uid, resourceVersion } = found.metadata;
      const preconditions = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
      await hub.delete(refOf(found), { preconditions, signal });
      return cache.waitForDeletes([found], signal);
    }
    const owners = entries.reduce(ownersWith, found?.metadata.ownerReferences ?? []);
    const base = found ?? (await hub.create({ ...empty, metadata: { ...empty.metadata, ownerReferences: owners } }, { signal }));
    const isCurrent = equal(status, configurationStatusIn(base));
    const updated = isCurrent ? base : await hub.replace({ ...base, status }, { subresource: "status", signal });
    const isOwned = equal(owners, updated.metadata.ownerReferences ?? []);
    const last = isOwned
      ? updated
      : await hub.replace({ ...updated, metadata: { ...updated.metadata, ownerReferences: owners } }, { signal });
    if (last !== found) await cache.waitForWrites([last], signal);
  }
}

function newPending(): PendingWrites {
  return { entries: [], hurry: new AbortController(), writing: undefined, next: undefined, writtenAt: -Infinity };
}

function emptyFor(cluster: ClusterId, name: string): KubeObject {
  const { kind } = configurationKind;
  const whole = clusterConfigurationName(cluster);
  const metadata = {
    name,
    namespace: cluster.namespace,
    labels: clusterLabels(cluster),
    ...(name !== whole && { annotations: { [partOfAnnotation]: whole } }),
  };
  return { apiVersion: apiVersionOf(configurationKind), kind, metadata };
}

function isEmpty({ clusterProfileResources = [], profileResources = [] }: ClusterConfigurationStatus): boolean {
  return clusterProfileResources.length === 0 && profileResources.length === 0;
}

function withEntry(status: ClusterConfigurationStatus, entry: ConfigurationEntry): ClusterConfigurationStatus {
  if (!entry.present) return isListed(status, entry.owner) ? withoutProfile(status, entry.owner) : status;
  return withProfile(status, entry.owner, entry.outcome);
}

function isListed({ clusterProfileResources = [], profileResources = [] }: ClusterConfigurationStatus, owner: OwningProfile): boolean {
  return owner.kind === "ClusterProfile"
    ? clusterProfileResources.some(({ clusterProfileName }) => clusterProfileName === owner.name)
    : profileResources.some(({ profileName }) => profileName === owner.name);
}

function ownersWith(owners: readonly OwnerReference[], { owner, present }: ConfigurationEntry): readonly OwnerReference[] {
  const { kind, name, uid } = owner;
  const isOwner = owners.some((each) => each.uid === uid && each.kind === kind);
  if (isOwner === present) return owners;
  const reference = { apiVersion: apiVersionOf(gvkOf(kind)), kind, name, uid };
  return present ? [...owners, reference] : owners.filter((each) => each.uid !== uid);
}
