import type { Cancel } from "../../clock/index.ts";
import type { Fault } from "../../fault/index.ts";
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
/** Longer than an informer ever waits before it tries again: by then it has got through. */
const forgottenAfterMs = 90_000;
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
  readonly #told = new Map<string, Health>();
  /** Informers that have lost their cluster. */
  readonly #troubles = new Map<Informer, { readonly forget: Cancel }>();
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
    for (const { forget } of this.#troubles.values()) forget();
  }

  #follow(group: readonly Tracked[], signal: AbortSignal): void {
    const { ref } = group[0]!;
    const informer = inform(this.#cluster, ref, { ...(ref.namespace === "" ? {} : { namespace: ref.namespace }), signal });
    const judge = (object: KubeObject) => {
      const item = this.#items.get(keyOf(refOf(object)));
      if (item !== undefined) this.#judge(item, object);
    };
    void this.#read(informer, (change) => {
      if (change.type === "interrupted") return this.#lost(group, informer, change.because);
      this.#heard(group, informer);
      if (change.type === "synced") this.#missing(group, informer);
      else if (change.type === "deleted") this.#gone(change.object);
      else judge(change.object);
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

  /**
   * Whoever waits must know that nothing is heard any more. A connection that breaks and is made again at once is not
   * worth a word, and what was ready stays so until it is known otherwise.
   */
  #lost(group: readonly Tracked[], informer: Informer, because: Fault): void {
    const before = this.#troubles.get(informer);
    before?.forget();
    const forget = this.#cluster.clock.after(forgottenAfterMs, () => this.#heard(group, informer), { background: true });
    this.#troubles.set(informer, { forget });
    if (before === undefined) return;
    for (const item of group) {
      if (this.#told.get(keyOf(item.ref))?.state === "ready") continue;
      this.#tell(item, { state: "progressing", because: `nothing is heard of it: ${because.message}` });
    }
  }

  /** Takes back what was said while nothing was heard. */
  #heard(group: readonly Tracked[], informer: Informer): void {
    const trouble = this.#troubles.get(informer);
    if (trouble === undefined) return;
    trouble.forget();
    this.#troubles.delete(informer);
    for (const object of informer.store.all()) {
      const item = group.find(({ ref }) => keyOf(ref) === keyOf(refOf(object)));
      if (item !== undefined) this.#judge(item, object);
    }
  }

  #gone(object: KubeObject): void {
    const item = this.#items.get(keyOf(refOf(object)));
    if (item !== undefined) this.#tell(item, { state: "progressing", because: `${titleOf(item.ref)} was deleted` });
  }

  #tell(item: Tracked, health: Health): void {
    const key = keyOf(item.ref);
    if (JSON.stringify(this.#told.get(key)) === JSON.stringify(health)) return;
    this.#told.set(key, health);
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
