import type { Cancel } from "../../core/clock/index.ts";
import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { SharedInformer } from "./informer-factory.ts";

/** The field selector for events of failed creations. */
export const failedCreateSelector = "reason=FailedCreate";

/** Controllers that report failed pod creations only by events; others write a condition. */
const silentKinds = new Set(["StatefulSet", "DaemonSet", "Job"]);

export function reportsByEvents({ kind }: { readonly kind: string }): boolean {
  return silentKinds.has(kind);
}

type FailedCreate = { readonly message: string; readonly at: number; readonly isNews: boolean };

/** The last FailedCreate event of each workload in a namespace, by uid. */
export class FailedCreates {
  readonly #last = new Map<string, FailedCreate>();
  readonly #handlers = new Map<string, Set<() => void>>();

  constructor(informer: Pick<SharedInformer, "isSynced" | "watch">) {
    informer.watch((event) => this.#onEvent(event, informer.isSynced));
  }

  watch({ metadata: { uid = "" } }: KubeObject, on: () => void): Cancel {
    const handlers = this.#handlers.get(uid) ?? new Set();
    this.#handlers.set(uid, handlers.add(on));
    return () => void handlers.delete(on);
  }

  /**
   * The last failed creation, unless a pod was created since. Events live for an hour, so only those after the apply
   * count, or without an apply those that arrived while watching.
   */
  of(workload: KubeObject, pods: readonly KubeObject[], applied: KubeObject | undefined): string | undefined {
    const found = this.#last.get(workload.metadata.uid ?? "");
    if (found === undefined || pods.some((pod) => timeOf(pod.metadata.creationTimestamp) >= found.at)) return undefined;
    const counts = applied === undefined ? found.isNews : found.at >= appliedAt(applied);
    return counts ? found.message : undefined;
  }

  #onEvent(event: KubeObject, isNews: boolean): void {
    const uid = stringAt(event, "involvedObject.uid", "");
    const at = lastSeen(event);
    const known = this.#last.get(uid);
    if (uid === "" || (known !== undefined && known.at > at)) return;
    this.#last.set(uid, { message: stringAt(event, "message", ""), at, isNews });
    for (const on of this.#handlers.get(uid) ?? []) on();
  }
}

function lastSeen(event: KubeObject): number {
  const times = ["series.lastObservedTime", "lastTimestamp", "eventTime", "metadata.creationTimestamp"];
  return Math.max(...times.map((path) => timeOf(stringAt(event, path))));
}

/** The last write to the object, without writes to its status. */
function appliedAt(object: KubeObject): number {
  const writes = listAt(object, "metadata.managedFields").filter((entry) => stringAt(entry, "subresource", "") === "");
  return Math.max(timeOf(object.metadata.creationTimestamp), ...writes.map((entry) => timeOf(stringAt(entry, "time"))));
}

function timeOf(text: string | undefined): number {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? 0 : time;
}
