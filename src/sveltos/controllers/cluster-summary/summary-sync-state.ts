import type { KubeObject } from "../../../core/object/index.ts";

/**
 * Which ClusterSummaries are in their clusters as they are now: looked at since anything about them has changed. It is
 * computed again by looking, so nothing is lost with it.
 */
export class SummarySyncState {
  readonly #current = new Map<string, string>();
  readonly #looking = new Set<string>();

  isSynced(key: string, summary: KubeObject | undefined): boolean {
    return summary !== undefined && this.#current.get(key) === versionOf(summary);
  }

  /** It is being looked at. */
  begin(key: string): void {
    this.#looking.add(key);
  }

  /** It was as this ClusterSummary asks for when it was looked at; tells whether that holds and is news. */
  complete(key: string, summary: KubeObject): boolean {
    if (!this.#looking.delete(key)) return false;
    const isNews = !this.isSynced(key, summary);
    this.#current.set(key, versionOf(summary));
    return isNews;
  }

  /** Something about it has changed, or it is gone: what a look that is under way finds no longer counts. */
  invalidate(key: string): void {
    this.#looking.delete(key);
    this.#current.delete(key);
  }
}

function versionOf({ metadata: { uid = "", generation = 0 } }: KubeObject): string {
  return `${uid}/${generation}`;
}
