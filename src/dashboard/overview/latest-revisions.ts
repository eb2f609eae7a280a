import type { OverviewRelease } from "../api/index.ts";

/** The revisions of releases, of which the latest ones are shown. */
export class LatestRevisions {
  readonly #releases = new Map<string, Map<number, OverviewRelease>>();

  put(item: OverviewRelease): void {
    const key = releaseKey(item);
    const revisions = this.#releases.get(key) ?? new Map<number, OverviewRelease>();
    this.#releases.set(key, revisions.set(item.revision, item));
  }

  remove(item: OverviewRelease): void {
    this.#releases.get(releaseKey(item))?.delete(item.revision);
  }

  /** The latest revision of a release by its key; undefined when there is none left. */
  latest(key: string): OverviewRelease | undefined {
    const revisions = this.#releases.get(key) ?? new Map<number, OverviewRelease>();
    return revisions.get(Math.max(...revisions.keys()));
  }
}

/** The key of a release among all items of an overview. */
export function releaseKey({ namespace, name }: Pick<OverviewRelease, "namespace" | "name">): string {
  return `release/${namespace}/${name}`;
}
