import type { Cancel } from "../../../src/core/clock/index.ts";
import { isApiFault, isConflict, isNotFound, type Cluster, type WatchEvent } from "../../../src/kube/index.ts";
import { keyOf, refOf } from "../../../src/core/object/index.ts";
import {
  attemptOf,
  nextPodStatus,
  asPod,
  type Behaviour,
  type PodRuntimeState,
  type Pod,
  type PodEvent,
} from "../../../src/embedded/behaviour/index.ts";

/** One pod of the node: its latest version, and what its status leaves out. */
type NodePod = { pod: Pod; memory: PodRuntimeState | undefined; busy: boolean; stale: boolean; cancel: Cancel };

type PodStatusWriterOptions = {
  readonly cluster: Cluster;
  readonly behaviour: Behaviour;
  readonly node: string;
  readonly signal: AbortSignal;
  readonly fail: (error: unknown) => void;
};

const seed = 1;
const hostIP = "127.0.0.1";

/** Writes the statuses of the pods of one node as the behaviour says, and deletes pods that have terminated. */
export class PodStatusWriter {
  readonly #options: PodStatusWriterOptions;
  readonly #pods = new Map<string, NodePod>();
  readonly #images = new Set<string>();
  #addresses = 0;

  constructor(options: PodStatusWriterOptions) {
    this.#options = options;
  }

  /** The pod of that name, if it is on this node. */
  find(namespace: string, name: string): Pod | undefined {
    return this.#pods.get(`/Pod/${namespace}/${name}`)?.pod;
  }

  readonly onPodEvent = ({ type, object }: WatchEvent): void => {
    const pod = asPod(object);
    if (pod.spec.nodeName !== this.#options.node) return;
    const key = keyOf(refOf(pod));
    const known = this.#pods.get(key);
    if (type === "DELETED") {
      known?.cancel();
      this.#pods.delete(key);
      return;
    }
    const isSame = known?.pod.metadata.uid === pod.metadata.uid;
    if (!isSame) known?.cancel();
    const entry = known !== undefined && isSame ? known : { pod, memory: undefined, busy: false, stale: false, cancel: () => {} };
    entry.pod = pod;
    this.#pods.set(key, entry);
    this.#handle(entry);
  };

  stop(): void {
    for (const entry of this.#pods.values()) entry.cancel();
    this.#pods.clear();
  }

  /** Handles one version of a pod at a time. A version that arrives meanwhile is handled afterwards. */
  #handle(entry: NodePod): void {
    if (entry.busy) {
      entry.stale = true;
      return;
    }
    entry.busy = true;
    this.#advance(entry)
      .catch((error: unknown) => {
        if (!this.#options.signal.aborted) this.#options.fail(error);
      })
      .finally(() => {
        entry.busy = false;
        if (!entry.stale) return;
        entry.stale = false;
        this.#handle(entry);
      });
  }

  async #advance(entry: NodePod): Promise<void> {
    const { cluster, behaviour, signal } = this.#options;
    const { pod } = entry;
    entry.cancel();
    const next = nextPodStatus({
      pod,
      behaviour,
      now: cluster.clock.now(),
      seed,
      runtimeState: entry.memory,
      attempt: this.#attemptOf(pod),
      hostIP,
      podIP: () => this.#address(),
      hasImage: (image) => this.#images.has(image),
    });
    if (next.status !== pod.status && !(await this.#write(entry, pod, next.status))) return;
    entry.memory = next.runtimeState;
    for (const event of next.events) await this.#recordEvent(pod, event);
    if (next.gone) await this.#delete(pod);
    else if (next.againInMs !== undefined && !signal.aborted) entry.cancel = cluster.clock.after(next.againInMs, () => this.#handle(entry));
  }

  /** False when the pod has changed or is gone. The watch delivers it again then. */
  async #write(entry: NodePod, pod: Pod, status: Pod["status"]): Promise<boolean> {
    const { cluster, signal } = this.#options;
    try {
      const written = asPod(await cluster.replace({ ...pod, status }, { subresource: "status", manager: "kubelet", signal }));
      if (entry.pod === pod) entry.pod = written;
      return true;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  async #delete(pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    try {
      await this.#options.cluster.delete(refOf(pod), { gracePeriodSeconds: 0, ...(uid === undefined ? {} : { preconditions: { uid } }) });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #recordEvent(pod: Pod, { at, type, reason, message, container }: PodEvent): Promise<void> {
    if (reason === "Started") for (const { image } of pod.spec.containers) this.#images.add(image);
    const { name, namespace = "", uid = "", resourceVersion = "" } = pod.metadata;
    const time = `${new Date(at).toISOString().slice(0, 19)}Z`;
    const involvedObject = {
      apiVersion: "v1",
      kind: "Pod",
      name,
      namespace,
      uid,
      resourceVersion,
      ...(container && { fieldPath: container }),
    };
    const source = { component: "kubelet", host: this.#options.node };
    const metadata = { name: "", generateName: `${name}.`, namespace };
    const event = { involvedObject, source, type, reason, message, count: 1, firstTimestamp: time, lastTimestamp: time };
    try {
      await this.#options.cluster.create({ apiVersion: "v1", kind: "Event", metadata, ...event }, { manager: "kubelet" });
    } catch (error) {
      if (!isApiFault(error)) throw error; // a terminating namespace accepts no events
    }
  }

  #attemptOf(pod: Pod): number {
    const owner = ownerOf(pod);
    return owner === undefined
      ? 0
      : attemptOf(
          pod,
          [...this.#pods.values()].map((entry) => entry.pod).filter((other) => ownerOf(other) === owner),
        );
  }

  #address(): string {
    this.#addresses = (this.#addresses % 65_000) + 1;
    return `10.244.${this.#addresses >> 8}.${this.#addresses & 255}`;
  }
}

/** The uid of the Job that a pod belongs to. */
function ownerOf(pod: Pod): string | undefined {
  return pod.metadata.ownerReferences?.find(({ controller, kind }) => controller === true && kind === "Job")?.uid;
}
