import type { Cancel } from "../../core/clock/index.ts";
import { isOfCurrentTemplate } from "../../health/index.ts";
import { labelSelectorOf, labelSelectorText, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { isForbidden } from "../../kube/index.ts";
import { hasPods, podSelectorOf } from "./pod-index.ts";
import type { ObjectWaits } from "./object-waits.ts";

const podKind = { group: "", version: "v1", kind: "Pod" };

/** The pods of an object that is waited for. Watching them is expensive for a cluster, so until it is worth it they are unknown. */
export class WorkloadPods {
  readonly #waits: ObjectWaits;
  #state: "unknown" | "soon" | "watched" = "unknown";
  #isForbidden = false;

  constructor(waits: ObjectWaits) {
    this.#waits = waits;
  }

  /** They are neither watched nor about to be. */
  get isUnknown(): boolean {
    return this.#state === "unknown";
  }

  get isWatched(): boolean {
    return this.#state === "watched";
  }

  /** The user may not list them, so neither they nor their logs are known. */
  get isForbidden(): boolean {
    return this.#isForbidden;
  }

  /** They will be watched soon. */
  postpone(): void {
    this.#state = "soon";
  }

  /** Watches the pods of a workload. `of` knows them from now on. */
  watch(workload: KubeObject, onPod: () => void): Cancel {
    this.#state = "watched";
    const { namespace = "" } = workload.metadata;
    const cancels = [
      this.#waits.podsIn(namespace).watch(workload, onPod),
      this.#waits.informers.informerFor(podKind, namespace).onTrouble((error) => (this.#isForbidden ||= isForbidden(error))),
    ];
    return () => cancels.forEach((cancel) => cancel());
  }

  /** The workload is another one from now on: pods carry the uid of their owner. */
  forget(): void {
    this.#state = "unknown";
  }

  /** The pods as the watch has them; none while they are not watched. */
  of(workload: KubeObject): readonly KubeObject[] {
    return this.isWatched && hasPods(workload) ? this.#waits.podsIn(workload.metadata.namespace ?? "").of(workload) : [];
  }

  /** The pods, preferably of the current template. They are listed when the watch has none. A Pod is its own. */
  async current(object: KubeObject, signal: AbortSignal): Promise<readonly KubeObject[]> {
    if (object.kind === "Pod" && object.apiVersion === "v1") return [object];
    const known = this.of(object);
    if (known.length === 0) return this.list(object, signal);
    const current = known.filter((pod) => isOfCurrentTemplate(pod, object));
    return current.length > 0 ? current : known;
  }

  async list(workload: KubeObject, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const selector = podSelectorOf(workload);
    if (selector === undefined) return [];
    const labelSelector = labelSelectorText(labelSelectorOf(selector));
    try {
      const { items } = await this.#waits.cluster.list(podKind, { namespace: workload.metadata.namespace ?? "", labelSelector, signal });
      return items;
    } catch {
      return []; // Nothing to show; the wait has ended without it.
    }
  }

  /** Whether the watch has seen the end of all pods that a Job has counted, or the start of one that another workload has now. */
  isCaughtUpWith(workload: KubeObject): boolean {
    const pods = this.of(workload);
    if (workload.kind !== "Job")
      return pods.some((pod) => isOfCurrentTemplate(pod, workload) && stringAt(pod, "status.phase", "") === "Running");
    const counted = numberAt(workload, "status.succeeded", 0) + numberAt(workload, "status.failed", 0);
    return pods.length >= counted && pods.every((pod) => ["Succeeded", "Failed"].includes(stringAt(pod, "status.phase", "")));
  }
}
