import type { KubeObject } from "../../../core/object/index.ts";
import { summaryIdentity, type SummaryKey } from "./summary-key.ts";

/**
 * Which ClusterSummaries are deployed as they are now: reconciled since anything that they depend on has changed. A
 * restart loses nothing, since the first reconcile of each computes it again.
 */
export class SummarySyncState {
  /** The generation that is deployed, by identity. */
  readonly #synced = new Map<string, string>();
  readonly #running = new Set<string>();

  isSynced(key: SummaryKey, summary: KubeObject | undefined): boolean {
    return summary !== undefined && this.#synced.get(summaryIdentity(key)) === versionOf(summary);
  }

  /** A reconcile begins. */
  begin(key: SummaryKey): void {
    this.#running.add(summaryIdentity(key));
  }

  /** A reconcile has deployed this ClusterSummary. True when it was not invalidated meanwhile and was not synced before. */
  complete(key: SummaryKey, summary: KubeObject): boolean {
    if (!this.#running.delete(summaryIdentity(key))) return false;
    const isNew = !this.isSynced(key, summary);
    this.#synced.set(summaryIdentity(key), versionOf(summary));
    return isNew;
  }

  /** Something about it has changed, or it is gone: the result of a reconcile that is under way does not count. */
  invalidate(key: SummaryKey): void {
    this.#running.delete(summaryIdentity(key));
    this.#synced.delete(summaryIdentity(key));
  }
}

function versionOf({ metadata: { uid = "", generation = 0 } }: KubeObject): string {
  return `${uid}/${generation}`;
}
