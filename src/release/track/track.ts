import { assess, explain, type Health } from "../../health/index.ts";
import { inform, type Change, type Cluster, type Informer } from "../../kube/index.ts";
import {
  keyOf,
  labelSelectorOf,
  refOf,
  titleOf,
  valueAt,
  type KubeObject,
  type LabelSelectorObject,
  type ObjectRef,
} from "../../object/index.ts";
import { Channel } from "./channel.ts";

/** An object to follow. */
export type Tracked = { readonly ref: ObjectRef; readonly hasStatus: boolean };

/** How an object is doing now. */
export type Report = { readonly ref: ObjectRef; readonly health: Health };

export type TrackOptions = {
  readonly signal: AbortSignal;
  /** After how long a custom resource that nobody writes a status for counts as ready, with a note. Default 30 s. */
  readonly silenceMs?: number;
};

const workloads = new Set(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "ReplicationController"]);
const podKind = { group: "", version: "v1", kind: "Pod" };

/**
 * Follows objects by watching them, and tells how each is doing: once when it is first known, then whenever that changes,
 * until the signal aborts. Workloads are explained by their pods.
 */
export async function* track(
  items: readonly Tracked[],
  cluster: Cluster,
  { signal, silenceMs = 30_000 }: TrackOptions,
): AsyncGenerator<Report> {
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const reports = new Channel<Report>();
  const follower = new Follower(items, cluster, silenceMs, reports);
  ended.addEventListener("abort", () => reports.end(), { once: true });
  try {
    follower.start(ended);
    if (!ended.aborted) yield* reports;
  } finally {
    stop.abort();
    follower.stop();
  }
}

class Follower {
  readonly #items: ReadonlyMap<string, Tracked>;
  readonly #cluster: Cluster;
  readonly #silenceMs: number;
  readonly #reports: Channel<Report>;
  readonly #told = new Map<string, string>();
  readonly #silent = new Map<string, () => void>();
  readonly #patient = new Set<string>();
  readonly #informers: Informer[] = [];
  readonly #pods = new Map<string, Informer>();

  constructor(items: readonly Tracked[], cluster: Cluster, silenceMs: number, reports: Channel<Report>) {
    this.#items = new Map(items.map((item) => [keyOf(item.ref), item]));
    this.#cluster = cluster;
    this.#silenceMs = silenceMs;
    this.#reports = reports;
  }

  start(signal: AbortSignal): void {
    const items = [...this.#items.values()];
    const namespaces = new Set(items.filter(({ ref }) => workloads.has(ref.kind)).map(({ ref }) => ref.namespace));
    for (const namespace of namespaces) this.#followPods(namespace, signal);
    const groups = Map.groupBy(items, ({ ref }) => `${ref.group}/${ref.version}/${ref.kind}/${ref.namespace}`);
    for (const group of groups.values()) this.#follow(group, signal);
  }

  stop(): void {
    for (const cancel of this.#silent.values()) cancel();
  }

  #follow(group: readonly Tracked[], signal: AbortSignal): void {
    const { ref } = group[0]!;
    const informer = inform(this.#cluster, ref, { ...(ref.namespace === "" ? {} : { namespace: ref.namespace }), signal });
    const judge = (object: KubeObject) => {
      const item = this.#items.get(keyOf(refOf(object)));
      if (item !== undefined) this.#judge(item, object);
    };
    void this.#read(informer, (change) => {
      if (change.type === "synced") this.#missing(group, informer);
      else if (change.type === "deleted") this.#gone(change.object);
      else if (change.type !== "interrupted") judge(change.object);
    });
    this.#informers.push(informer);
  }

  /** What a pod does may explain its workload, whose own status stays as it is. */
  #followPods(namespace: string, signal: AbortSignal): void {
    const informer = inform(this.#cluster, podKind, { namespace, signal });
    this.#pods.set(namespace, informer);
    void this.#read(informer, (change) => {
      if (change.type === "synced" || change.type === "interrupted") return;
      for (const each of this.#informers) {
        for (const object of each.store.all()) {
          if (object.metadata.namespace !== namespace || !selects(object, change.object)) continue;
          const item = this.#items.get(keyOf(refOf(object)));
          if (item !== undefined) this.#judge(item, object);
        }
      }
    });
  }

  async #read(informer: Informer, on: (change: Change) => void): Promise<void> {
    try {
      for await (const change of informer) on(change);
    } catch (error) {
      this.#reports.fail(error);
    }
  }

  #judge(item: Tracked, object: KubeObject): void {
    const key = keyOf(item.ref);
    const health = this.#patience(key, item, assess(object, { hasStatus: item.hasStatus }));
    this.#tell(item, health.state === "ready" ? health : explain(health, object, this.#podsOf(object)));
  }

  #podsOf(object: KubeObject): readonly KubeObject[] {
    const pods = this.#pods.get(object.metadata.namespace ?? "")?.store.all() ?? [];
    return [...pods].filter((pod) => selects(object, pod));
  }

  /** Nobody may ever write a status; after a while that is taken for an answer. */
  #patience(key: string, item: Tracked, health: Health): Health {
    const silent = health.state === "progressing" && health.silent === true;
    if (!silent) {
      this.#silent.get(key)?.();
      this.#silent.delete(key);
      return health;
    }
    if (this.#patient.has(key)) return { state: "ready", note: "nobody has written a status for it; taken as ready" };
    if (!this.#silent.has(key))
      this.#silent.set(
        key,
        this.#cluster.clock.after(this.#silenceMs, () => this.#giveUp(key, item)),
      );
    return health;
  }

  #giveUp(key: string, item: Tracked): void {
    this.#patient.add(key);
    this.#silent.delete(key);
    this.#tell(item, { state: "ready", note: "nobody has written a status for it; taken as ready" });
  }

  #missing(group: readonly Tracked[], informer: Informer): void {
    const present = new Set([...informer.store.all()].map((object) => keyOf(refOf(object))));
    for (const item of group) if (!present.has(keyOf(item.ref))) this.#tell(item, { state: "progressing", because: "it does not exist" });
  }

  #gone(object: KubeObject): void {
    const item = this.#items.get(keyOf(refOf(object)));
    if (item !== undefined) this.#tell(item, { state: "progressing", because: `${titleOf(item.ref)} was deleted` });
  }

  #tell(item: Tracked, health: Health): void {
    const key = keyOf(item.ref);
    const said = JSON.stringify(health);
    if (this.#told.get(key) === said) return;
    this.#told.set(key, said);
    this.#reports.put({ ref: item.ref, health });
  }
}

/** Tells whether a pod is one of a workload's. */
function selects(workload: KubeObject, pod: KubeObject): boolean {
  if (!workloads.has(workload.kind)) return false;
  const selector = valueAt(workload, "spec.selector");
  if (typeof selector !== "object" || selector === null) return false;
  const object: LabelSelectorObject =
    workload.kind === "ReplicationController" ? { matchLabels: selector as Record<string, string> } : selector;
  return labelSelectorOf(object).matches(pod.metadata.labels ?? {});
}
