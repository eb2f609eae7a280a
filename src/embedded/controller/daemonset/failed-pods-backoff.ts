import { numberAt, type KubeObject } from "../../../core/object/index.ts";

const firstWaitMs = 1000;
const longestWaitMs = 15 * 60_000;

/**
 * Backs off the replacement of Pods that keep failing on a node. Losing it only makes the next replacement come sooner.
 *
 * Models client-go util/flowcontrol Backoff as the DaemonSet controller uses it
 */
export class FailedPodsBackoff {
  readonly #replaced = new Map<string, { lastMs: number; remainingMs: number }>();

  /** The remaining back-off of a failed Pod. */
  remainingMs(set: KubeObject, node: string, nowMs: number): number {
    const entry = this.#replaced.get(keyOf(set, node));
    return entry === undefined ? 0 : Math.max(0, entry.lastMs + entry.remainingMs - nowMs);
  }

  next(set: KubeObject, node: string, nowMs: number): void {
    const key = keyOf(set, node);
    const before = this.#replaced.get(key);
    const fresh = before === undefined || nowMs - before.lastMs > 2 * longestWaitMs;
    this.#replaced.set(key, { lastMs: nowMs, remainingMs: fresh ? firstWaitMs : Math.min(2 * before.remainingMs, longestWaitMs) });
  }
}

/** A new generation of the set resets the back-off. */
function keyOf(set: KubeObject, node: string): string {
  return `${set.metadata.uid}/${numberAt(set, "status.observedGeneration", 0)}/${node}`;
}
