import type { Cancel } from "../../core/clock/index.ts";
import { labelSelectorOf, mapAt, valueAt, type KubeObject, type LabelSelectorObject } from "../../core/object/index.ts";
import type { SharedInformer } from "./informer-factory.ts";

const workloads = new Set(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "ReplicationController"]);

export function hasPods({ kind }: { readonly kind: string }): boolean {
  return workloads.has(kind);
}

/** The pods of a namespace, indexed by label. */
export class PodIndex {
  readonly #byLabel = new Map<string, Map<string, KubeObject>>();
  readonly #labels = new Map<string, readonly string[]>();
  readonly #handlers = new Map<string, Set<() => void>>();

  constructor(informer: Pick<SharedInformer, "all" | "find" | "watch">) {
    for (const pod of informer.all()) this.#put(pod);
    informer.watch((pod) => {
      const before = this.#labels.get(pod.metadata.name) ?? [];
      const now = informer.find(pod.metadata.name);
      this.#drop(pod.metadata.name);
      if (now !== undefined) this.#put(now);
      this.#wake([...before, ...labelsOf(pod)]);
    });
  }

  of(workload: KubeObject): readonly KubeObject[] {
    const selector = podSelectorOf(workload);
    if (selector === undefined) return [];
    const matcher = labelSelectorOf(selector);
    const candidates = this.#byLabel.get(firstLabel(selector)) ?? new Map<string, KubeObject>();
    return [...candidates.values()].filter((pod) => matcher.matches(pod.metadata.labels ?? {}));
  }

  /** Calls back when a pod changes that may belong to the workload. */
  watch(workload: KubeObject, on: () => void): Cancel {
    const selector = podSelectorOf(workload);
    if (selector === undefined) return () => undefined;
    const label = firstLabel(selector);
    const handlers = this.#handlers.get(label) ?? new Set();
    this.#handlers.set(label, handlers.add(on));
    return () => void handlers.delete(on);
  }

  #wake(labels: readonly string[]): void {
    for (const label of new Set(["", ...labels])) for (const on of this.#handlers.get(label) ?? []) on();
  }

  #put(pod: KubeObject): void {
    const labels = ["", ...labelsOf(pod)];
    this.#labels.set(pod.metadata.name, labels);
    for (const label of labels) {
      const pods = this.#byLabel.get(label) ?? new Map<string, KubeObject>();
      this.#byLabel.set(label, pods.set(pod.metadata.name, pod));
    }
  }

  #drop(name: string): void {
    for (const label of this.#labels.get(name) ?? []) this.#byLabel.get(label)?.delete(name);
    this.#labels.delete(name);
  }
}

function labelsOf({ metadata }: KubeObject): readonly string[] {
  return Object.entries(metadata.labels ?? {}).map(([name, value]) => `${name}=${value}`);
}

/** The pod selector of a workload. */
export function podSelectorOf(workload: KubeObject): LabelSelectorObject | undefined {
  const selector = valueAt(workload, "spec.selector");
  if (!hasPods(workload) || typeof selector !== "object" || selector === null) return undefined;
  return workload.kind === "ReplicationController" ? { matchLabels: mapAt(workload, "spec.selector") } : selector;
}

/** A label that every pod of the workload has; empty when there is none. */
function firstLabel({ matchLabels = {} }: LabelSelectorObject): string {
  const [first] = Object.entries(matchLabels);
  return first === undefined ? "" : `${first[0]}=${first[1]}`;
}
