import { Fault } from "../../src/core/fault/index.ts";
import { newInformer, type Cluster } from "../../src/kube/index.ts";
import {
  findCondition,
  equal,
  numberAt,
  refOf,
  stringAt,
  titleOf,
  type GroupVersionKind,
  type KubeObject,
} from "../../src/core/object/index.ts";

type ChangeName = "created" | "changed" | "ready" | "failed" | "going" | "gone";

/** A change that was observed in a cluster. `at` is its resourceVersion, comparable across kinds. */
type ObservedChange = { readonly at: number; readonly text: string };

type Known = { readonly object: KubeObject; ready: boolean; failed: boolean; going: boolean };

/**
 * Watches the objects of a scenario and records their changes in the order of the cluster's resourceVersions, whatever
 * the order of the watch streams.
 */
export class ChangeObserver {
  readonly #namespace: string;
  readonly #known = new Map<string, Known>();
  readonly #changes: ObservedChange[] = [];
  readonly #listeners = new Set<() => void>();
  /** The initial sync of each kind. */
  readonly #syncs = new Map<GroupVersionKind, Promise<void>>();
  #fault: unknown;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** Watches until the signal aborts. Resolves when every served kind is synced. */
  async watch(cluster: Cluster, kinds: readonly GroupVersionKind[], signal: AbortSignal): Promise<void> {
    for (const kind of kinds) this.#syncs.set(kind, this.#startWatch(cluster, kind, signal));
    await this.waitForSync(cluster);
  }

  /** Resolves when every kind that is served by now is synced: a CRD may have added kinds since. */
  async waitForSync(cluster: Cluster): Promise<void> {
    await Promise.all(
      [...this.#syncs].map(async ([kind, look]) => ((await cluster.discovery.find(kind)) === undefined ? undefined : look)),
    );
  }

  /** The changes after a resourceVersion, in order. */
  since(at: number): readonly ObservedChange[] {
    if (this.#fault !== undefined) throw new Fault("watch the scenario", this.#fault);
    return this.#changes.filter((sighting) => sighting.at > at).toSorted((a, b) => a.at - b.at);
  }

  /** The titles of existing objects. */
  live(): ReadonlySet<string> {
    return new Set([...this.#known.values()].map(({ object }) => this.#titleOf(object)));
  }

  /** Calls back after each change, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #startWatch(cluster: Cluster, kind: GroupVersionKind, signal: AbortSignal): Promise<void> {
    const synced = Promise.withResolvers<void>();
    this.#follow(cluster, kind, signal, synced).catch((error: unknown) => {
      this.#fault = error;
      synced.reject(error);
    });
    // A kind that is never served is never awaited.
    synced.promise.catch(() => {});
    return synced.promise;
  }

  async #follow(cluster: Cluster, kind: GroupVersionKind, signal: AbortSignal, synced: PromiseWithResolvers<void>): Promise<void> {
    for await (const change of newInformer(cluster, kind, { signal })) {
      if (change.type === "synced") synced.resolve();
      if (change.type === "synced" || change.type === "interrupted" || !this.#isOurs(change.object)) continue;
      if (change.type === "deleted") this.#onDeleted(change.object);
      else this.#onObject(change.object);
      for (const listener of this.#listeners) listener();
    }
    synced.resolve();
  }

  /** The objects of a scenario have its namespace as prefix of their namespace or as part of their name. */
  #isOurs({ metadata, ...object }: KubeObject): boolean {
    if (object["type"] === "helm.sh/release.v1") return false;
    return metadata.namespace === undefined ? metadata.name.includes(this.#namespace) : metadata.namespace.startsWith(this.#namespace);
  }

  #onObject(object: KubeObject): void {
    const uid = object.metadata.uid ?? "";
    const before = this.#known.get(uid);
    const now = { object, ready: isReady(object), failed: isFailed(object), going: object.metadata.deletionTimestamp !== undefined };
    this.#known.set(uid, now);
    if (before === undefined) this.#note(object, "created");
    else if (!equal(comparableContentOf(before.object), comparableContentOf(object))) this.#note(object, "changed");
    if (now.ready && before?.ready !== true) this.#note(object, "ready");
    if (now.failed && before?.failed !== true) this.#note(object, "failed");
    if (now.going && before?.going !== true) this.#note(object, "going");
  }

  /** An object without finalizers is gone as soon as its deletion is requested. */
  #onDeleted(object: KubeObject): void {
    const before = this.#known.get(object.metadata.uid ?? "");
    this.#known.delete(object.metadata.uid ?? "");
    if (before?.going !== true) this.#note(object, "going");
    this.#note(object, "gone");
  }

  #note(object: KubeObject, what: ChangeName): void {
    const at = Number(object.metadata.resourceVersion ?? 0);
    this.#changes.push({ at, text: `${this.#titleOf(object)} ${what}` });
  }

  #titleOf(object: KubeObject): string {
    const { namespace } = object.metadata;
    const elsewhere = namespace !== undefined && namespace !== this.#namespace;
    return `${titleOf(refOf(object))}${elsewhere ? ` in ${namespace}` : ""}`;
  }
}

/** The object without what the server and controllers write. */
export function comparableContentOf({ metadata, status: _status, ...object }: KubeObject): unknown {
  const { name, namespace, labels, annotations } = metadata;
  const own = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith("deployment.kubernetes.io/"));
  return { ...object, metadata: { name, namespace, labels: labels ?? {}, annotations: Object.fromEntries(own) } };
}

/** Readiness by each kind's documentation, independent of Sluice's rules. Kinds without a status are ready when they exist. */
function isReady(object: KubeObject): boolean {
  if (numberAt(object, "status.observedGeneration", 0) < numberAt(object, "metadata.generation", 0) && isWorkload(object)) return false;
  const wanted = numberAt(object, "spec.replicas", 1);
  switch (object.kind) {
    case "Deployment":
      return numberAt(object, "status.availableReplicas", 0) >= wanted && numberAt(object, "status.updatedReplicas", 0) >= wanted;
    case "StatefulSet":
      return numberAt(object, "status.readyReplicas", 0) >= wanted;
    case "DaemonSet":
      return numberAt(object, "status.numberReady", 0) > 0;
    case "Job":
      return findCondition(object, "Complete", "True") !== undefined;
    case "Pod":
      return findCondition(object, "Ready", "True") !== undefined || stringAt(object, "status.phase") === "Succeeded";
    case "PersistentVolumeClaim":
      return stringAt(object, "status.phase") === "Bound";
    case "Namespace":
      return stringAt(object, "status.phase") === "Active";
    case "CustomResourceDefinition":
      return findCondition(object, "Established", "True") !== undefined;
    default:
      return findCondition(object, "Ready", "True") !== undefined || object["status"] === undefined;
  }
}

function isWorkload({ kind }: KubeObject): boolean {
  return kind === "Deployment" || kind === "StatefulSet" || kind === "DaemonSet";
}

function isFailed(object: KubeObject): boolean {
  return object.kind === "Job" && findCondition(object, "Failed", "True") !== undefined;
}
