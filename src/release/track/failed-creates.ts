import type { Cancel } from "../../core/clock/index.ts";
import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { SharedInformer } from "./informer-factory.ts";

/** Of all events only those that say that something could not be made. */
export const failedCreateSelector = "reason=FailedCreate";

/** The controllers that tell of pods they may not make in events alone; the others write it into a status. */
const silentKinds = new Set(["StatefulSet", "DaemonSet", "Job"]);

export function reportsByEvents({ kind }: { readonly kind: string }): boolean {
  return silentKinds.has(kind);
}

type FailedCreate = { readonly message: string; readonly at: number; readonly isNews: boolean };

/** What controllers of a namespace were told last when they wanted to make something, by the uid of whom it was for. */
export class FailedCreates {
  readonly #last = new Map<string, FailedCreate>();
  readonly #asking = new Map<string, Set<() => void>>();

  constructor(informer: Pick<SharedInformer, "isSynced" | "watch">) {
    informer.watch((event) => this.#onEvent(event, informer.isSynced));
  }

  watch({ metadata: { uid = "" } }: KubeObject, on: () => void): Cancel {
    const asking = this.#asking.get(uid) ?? new Set();
    this.#asking.set(uid, asking.add(on));
    return () => void asking.delete(on);
  }

  /**
   * The last refusal, unless a pod has been made since. Events are kept for an hour: one counts only when it is of what
   * was applied, or where nothing was applied, when it came while we were looking.
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
    for (const on of this.#asking.get(uid) ?? []) on();
  }
}

function lastSeen(event: KubeObject): number {
  const times = ["series.lastObservedTime", "lastTimestamp", "eventTime", "metadata.creationTimestamp"];
  return Math.max(...times.map((path) => timeOf(stringAt(event, path))));
}

/** When somebody wrote the object last; what controllers write into its status does not count. */
function appliedAt(object: KubeObject): number {
  const writes = listAt(object, "metadata.managedFields").filter((entry) => stringAt(entry, "subresource", "") === "");
  return Math.max(timeOf(object.metadata.creationTimestamp), ...writes.map((entry) => timeOf(stringAt(entry, "time"))));
}

function timeOf(text: string | undefined): number {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? 0 : time;
}
