import type { DesiredChange } from "../../instantiate/index.ts";
import { clusterProfileLabels, clusterReferredTo, finalizers, originOf } from "../../api/index.ts";
import { isAlreadyExists, isConflict, isNotFound, type Cluster } from "../../../kube/index.ts";
import { apiVersionOf, listAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";
import { deletionVersion, type Expectations } from "./expectations.ts";

export type GeneratedWriteContext = { readonly hub: Cluster; readonly cache: SharedCache; readonly expectations: Expectations };

/** What came of changes. */
export type GeneratedWriteResult = {
  /** Somebody else has been there meanwhile: look again. */
  readonly requeue: boolean;
  /** Profiles have been made to refer to other things: what they referred to before may go. */
  readonly changedProfiles: boolean;
  /** The first thing that went wrong; the other changes are made all the same. */
  readonly fault?: unknown;
};

/** How many occurrences are worked on at once for one cluster. */
const maxConcurrentChains = 32;

/**
 * Carries changes out and waits until the copies show them. A profile follows what it refers to; what has nothing to do
 * with each other goes side by side.
 */
export async function writeGenerated(
  changes: readonly DesiredChange[],
  context: GeneratedWriteContext,
  signal: AbortSignal,
): Promise<GeneratedWriteResult> {
  const work = new GeneratedWriter(context, signal);
  const chains = [...chainsOf(changes)];
  const workers = Array.from({ length: Math.min(maxConcurrentChains, chains.length) }, async () => {
    for (let chain = chains.shift(); chain !== undefined; chain = chains.shift()) await work.run(chain);
  });
  await Promise.all(workers);
  await work.end();
  return { requeue: work.again, changedProfiles: work.changedProfiles, ...(work.faults.length > 0 && { fault: work.faults[0] }) };
}

/** Changes that follow each other: for each occurrence its contents, then its profile. Deletions wait for nothing. */
function chainsOf(changes: readonly DesiredChange[]): Iterable<readonly (readonly DesiredChange[])[]> {
  const chains = new Map<string, { contents: DesiredChange[]; profiles: DesiredChange[] }>();
  const deletions: DesiredChange[][] = [];
  for (const change of changes) {
    if (change.verb === "delete") {
      deletions.push([change]);
      continue;
    }
    const key = JSON.stringify(originOf(change.object.metadata.labels)?.resource ?? null);
    const chain = chains.get(key) ?? { contents: [], profiles: [] };
    chains.set(key, chain);
    (change.object.kind === "ClusterProfile" ? chain.profiles : chain.contents).push(change);
  }
  return [...[...chains.values()].map(({ contents, profiles }) => [contents, profiles]), ...deletions.map((deletion) => [deletion])];
}

class GeneratedWriter {
  readonly #site: GeneratedWriteContext;
  readonly #signal: AbortSignal;
  readonly #written: KubeObject[] = [];
  readonly #gone: KubeObject[] = [];
  readonly faults: unknown[] = [];
  again = false;
  changedProfiles = false;

  constructor(context: GeneratedWriteContext, signal: AbortSignal) {
    this.#site = context;
    this.#signal = signal;
  }

  /** One step after the other; what follows on a change that was not made is left for another time. */
  async run(steps: readonly (readonly DesiredChange[])[]): Promise<void> {
    for (const step of steps) {
      const made = await Promise.all(step.map((change) => this.#make(change)));
      if (!made.every(Boolean)) return;
    }
  }

  async end(): Promise<void> {
    const { cache } = this.#site;
    await Promise.all([cache.waitForWrites(this.#written, this.#signal), cache.waitForDeletes(this.#gone, this.#signal)]);
  }

  async #make(change: DesiredChange): Promise<boolean> {
    const ref = change.verb === "delete" ? change.ref : refOf(change.object);
    const { expectations } = this.#site;
    expectations.expect(ref);
    try {
      const mark = change.verb === "delete" ? await this.#delete(change) : await this.#write(change);
      if (!expectations.writeSucceeded(ref, mark)) this.again = true;
      return true;
    } catch (error) {
      if (!expectations.writeFailed(ref)) this.again = true;
      this.#take(error, change);
      return false;
    }
  }

  async #write(change: Exclude<DesiredChange, { verb: "delete" }>): Promise<string> {
    const { hub } = this.#site;
    const options = { signal: this.#signal };
    const written =
      change.verb === "create" ? await hub.create(withProfileMetadata(change.object), options) : await hub.replace(change.object, options);
    this.#written.push(written);
    this.changedProfiles ||= change.verb === "update" && written.kind === "ClusterProfile";
    return written.metadata.resourceVersion ?? "";
  }

  async #delete({ ref, uid }: Extract<DesiredChange, { verb: "delete" }>): Promise<string> {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    const left = await this.#site.hub.delete(ref, { ...preconditions, signal: this.#signal });
    if (left !== undefined) {
      this.#written.push(left);
      return left.metadata.resourceVersion ?? "";
    }
    this.#gone.push(objectNamed(ref, uid));
    // That a profile is gone is always news: what it referred to may go now.
    return ref.kind === "ClusterProfile" ? "" : deletionVersion(uid);
  }

  #take(error: unknown, change: DesiredChange): void {
    if (this.#signal.aborted) throw error;
    // Somebody has changed or removed it, or taken its name; our copy will show it.
    const isOvertaken = isConflict(error) || (change.verb === "create" ? isAlreadyExists(error) : isNotFound(error));
    if (isOvertaken) this.again = true;
    else this.faults.push(error);
  }
}

function objectNamed(ref: ObjectRef, uid: string | undefined): KubeObject {
  const { kind, namespace, name } = ref;
  return { apiVersion: apiVersionOf(ref), kind, metadata: { name, namespace, ...(uid !== undefined && { uid }) } };
}

/**
 * What the profiles' controller would add at once, so that it need not: its finalizer, and the labels that name the
 * cluster, where there is one.
 */
function withProfileMetadata(object: KubeObject): KubeObject {
  if (object.kind !== "ClusterProfile") return object;
  const { metadata } = object;
  const [reference] = listAt(object, "spec.clusterRefs");
  const text = (field: string) => stringAt(reference, field, "");
  const cluster = clusterReferredTo({ kind: text("kind"), namespace: text("namespace"), name: text("name") });
  const labels = cluster === undefined ? {} : clusterProfileLabels("ClusterProfile", metadata.name, cluster);
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...labels }, finalizers: [finalizers.ClusterProfile] } };
}
