import { firstFew, type ClusterSummaryStatus, type FeatureId } from "../api/index.ts";
import type { Cancel, Clock } from "../../core/clock/index.ts";
import { titleOf } from "../../core/object/index.ts";
import type { Progress } from "../../release/index.ts";
import { markHeld } from "./status-change.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";

/** Pods have 30 s to end by default: what is still there after that is worth knowing. */
const reportedAfterMs = 30_000;
const prefix = "waiting: ";

/** Says in the status of a ClusterSummary which objects of a withdrawal do not go, and why: mostly a finalizer of somebody else. */
export class HeldWithdrawal {
  readonly #feature: FeatureId;
  readonly #statusStore: SummaryStatusStore;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** By step, the objects that are waited for. */
  readonly #held = new Map<string, string>();
  #cancel: Cancel | undefined;
  #isReported = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(feature: FeatureId, statusStore: SummaryStatusStore, clock: Clock, signal: AbortSignal) {
    this.#feature = feature;
    this.#statusStore = statusStore;
    this.#clock = clock;
    this.#signal = signal;
  }

  observe(event: Progress): void {
    if (!("verb" in event) || (event.verb !== "delete" && event.until !== "absent")) return;
    const { namespace } = event.ref;
    const id = event.id ?? titleOf(event.ref);
    if (event.type === "waiting")
      this.#held.set(id, `${titleOf(event.ref)}${namespace === "" ? "" : ` in namespace ${namespace}`}: ${event.because}`);
    else if (event.type === "started" || !this.#held.delete(id)) return;
    if (this.#isReported) return this.#write();
    this.#cancel ??= this.#clock.after(reportedAfterMs, () => {
      this.#isReported = this.#held.size > 0;
      this.#cancel = undefined;
      if (this.#isReported) this.#write();
    });
  }

  /** Resolves when nothing is written any more. */
  async end(): Promise<void> {
    this.#cancel?.();
    await this.#writing;
  }

  #write(): void {
    const texts = [...this.#held.values()].toSorted();
    const change = markHeld(this.#feature, texts.length === 0 ? undefined : `${prefix}${firstFew(texts, "; ")}`);
    // A status that cannot be written fails the withdrawal with its next write.
    this.#writing = this.#statusStore.update(change, this.#signal).catch(() => undefined);
  }
}

/** What a withdrawal waits for, by the status of its ClusterSummary. */
export function heldIn({ featureSummaries = [] }: ClusterSummaryStatus): readonly string[] {
  return featureSummaries.flatMap(({ status, failureMessage = "" }) =>
    isHeld(status, failureMessage) ? [failureMessage.slice(prefix.length)] : [],
  );
}

/** Whether a feature has not failed, but waits for objects to go. */
export function isHeld(status: string | undefined, failureMessage: string): boolean {
  return status === "Removing" && failureMessage.startsWith(prefix);
}
