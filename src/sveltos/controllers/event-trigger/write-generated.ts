import type { DesiredChange } from "../../instantiate/index.ts";
import { clusterProfileLabels, clusterReferredTo, finalizers, originOf } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, isConflict, isNotFound, isTooLarge } from "../../../kube/index.ts";
import { apiVersionOf, listAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { deletionVersion, type Expectations } from "./expectations.ts";

type GeneratedWriteContext = Pick<ControllerContext, "hub" | "cache" | "traces"> & { readonly expectations: Expectations };

/** The result of all changes. */
type GeneratedWriteResult = {
  /** An object was changed by somebody else meanwhile. */
  readonly requeue: boolean;
  /** Profiles were updated: what they referred to before may be deleted. */
  readonly changedProfiles: boolean;
  /** The first error; the other changes are applied nevertheless. */
  readonly fault?: unknown;
};

/** How many events of one cluster are written at once. */
const maxConcurrentChains = 32;

/**
 * Applies changes and waits until the cache has them. A profile is written after the objects that it refers to; independent
 * changes are applied concurrently.
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
  return { requeue: work.requeue, changedProfiles: work.changedProfiles, ...(work.faults.length > 0 && { fault: work.faults[0] }) };
}

/** Groups changes into chains: for each event its contents, then its profile. Each deletion is a chain of its own. */
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
  readonly #context: GeneratedWriteContext;
  readonly #signal: AbortSignal;
  readonly #written: KubeObject[] = [];
  readonly #gone: KubeObject[] = [];
  readonly faults: unknown[] = [];
  requeue = false;
  changedProfiles = false;

  constructor(context: GeneratedWriteContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
  }

  /** Applies one step after the other. A failed change ends the chain. */
  async run(steps: readonly (readonly DesiredChange[])[]): Promise<void> {
    for (const step of steps) {
      const applied = await Promise.all(step.map((change) => this.#apply(change)));
      if (!applied.every(Boolean)) return;
    }
  }

  async end(): Promise<void> {
    const { cache } = this.#context;
    await Promise.all([cache.waitForWrites(this.#written, this.#signal), cache.waitForDeletes(this.#gone, this.#signal)]);
  }

  async #apply(change: DesiredChange): Promise<boolean> {
    const ref = change.verb === "delete" ? change.ref : refOf(change.object);
    const { expectations } = this.#context;
    expectations.expect(ref);
    try {
      const version = change.verb === "delete" ? await this.#delete(change) : await this.#write(change);
      if (!expectations.writeSucceeded(ref, version)) this.requeue = true;
      return true;
    } catch (error) {
      if (!expectations.writeFailed(ref)) this.requeue = true;
      this.#collect(error, change);
      return false;
    }
  }

  async #write(change: Exclude<DesiredChange, { verb: "delete" }>): Promise<string> {
    const { hub } = this.#context;
    const options = { signal: this.#signal };
    const startedAtMs = hub.clock.now();
    const written =
      change.verb === "create" ? await hub.create(withProfileMetadata(change.object), options) : await hub.replace(change.object, options);
    this.#written.push(written);
    this.#trace(written, startedAtMs);
    this.changedProfiles ||= change.verb === "update" && written.kind === "ClusterProfile";
    return written.metadata.resourceVersion ?? "";
  }

  #trace({ kind, metadata: { name, uid = "", labels } }: KubeObject, startedAtMs: number): void {
    const origin = kind === "ClusterProfile" ? originOf(labels) : undefined;
    if (this.#context.traces === undefined || origin === undefined) return;
    const { trigger, eventSource, cluster, resource } = origin;
    const attributes = {
      "sluice.trigger": trigger,
      "sluice.event_source": eventSource,
      "sluice.cluster": `${cluster.namespace}/${cluster.name}`,
      ...(resource === undefined ? {} : { "k8s.object.name": resource.name }),
    };
    this.#context.traces.addEvent({ uid, name }, { fromMs: startedAtMs, toMs: this.#context.hub.clock.now() }, attributes);
  }

  async #delete({ ref, uid }: Extract<DesiredChange, { verb: "delete" }>): Promise<string> {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    const left = await this.#context.hub.delete(ref, { ...preconditions, signal: this.#signal });
    if (left !== undefined) {
      this.#written.push(left);
      return left.metadata.resourceVersion ?? "";
    }
    this.#gone.push(objectNamed(ref, uid));
    // The deletion of a profile is never expected: it must requeue the pair, whose contents can be deleted now.
    return ref.kind === "ClusterProfile" ? "" : deletionVersion(uid);
  }

  #collect(error: unknown, change: DesiredChange): void {
    if (this.#signal.aborted) throw error;
    // A conflict is no error: the cache will have the other write.
    const isStale = isConflict(error) || (change.verb === "create" ? isAlreadyExists(error) : isNotFound(error));
    if (isStale) this.requeue = true;
    else this.faults.push(change.verb !== "delete" && isTooLarge(error) ? tooLargeFault(change.object) : error);
  }
}

/** One object for all events grows with them, up to the limit of every object. */
function tooLargeFault(object: KubeObject): Fault {
  const { kind, metadata } = object;
  const bytes = Buffer.byteLength(JSON.stringify(object));
  return new Fault(
    `write ${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`,
    `with all that matches it has ${bytes} bytes, and no API server stores an object of more than 1 MiB: set oneForEvent: true, so that each event gets its own, or let the EventSource select less; what was deployed before stays`,
  );
}

function objectNamed(ref: ObjectRef, uid: string | undefined): KubeObject {
  const { kind, namespace, name } = ref;
  return { apiVersion: apiVersionOf(ref), kind, metadata: { name, namespace, ...(uid !== undefined && { uid }) } };
}

/**
 * Adds what the profile controller would add next, to save it a write: its finalizer and the labels that name the cluster,
 * if there is one.
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
