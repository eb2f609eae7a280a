import type { ResourceSelector } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import { Feed, type Reader } from "./feed.ts";
import { covers, scopeOf } from "./scope.ts";

/** Who looks at a kind, and by which selectors. */
export type Looking = ReadonlyMap<Reader, readonly ResourceSelector[]>;

/**
 * The watch of one kind, no wider than those who look at it need. When somebody needs more, a wider one takes the place of
 * the first as soon as it has read everything; until then nobody notices.
 */
export class KindWatch {
  readonly #cluster: Cluster;
  readonly #kind: GroupVersionKind;
  #feed: Feed | undefined;
  /** Feeds that are to be replaced, with those who still read them. */
  readonly #places = new Map<Reader, Feed>();

  constructor(cluster: Cluster, kind: GroupVersionKind) {
    this.#cluster = cluster;
    this.#kind = kind;
  }

  /** These look at the kind, and nobody else. */
  serve(looking: Looking): void {
    for (const [reader, feed] of this.#places) if (!looking.has(reader)) this.#move(reader, feed, undefined);
    const selectors = [...looking.values()].flat();
    if (this.#feed === undefined || !covers(this.#feed.scope, selectors)) this.#widen(selectors);
    for (const reader of looking.keys()) if (!this.#places.has(reader)) this.#move(reader, undefined, this.#feed);
    this.#tidy();
  }

  /** All that a reader can be told of the kind now, it has been told of. */
  isSettled(reader: Reader): boolean {
    const feed = this.#places.get(reader);
    return feed !== undefined && feed.state !== "reading";
  }

  isKnown(reader: Reader): boolean {
    return this.#places.get(reader)?.isKnown === true;
  }

  close(): void {
    for (const feed of new Set([...this.#places.values(), ...(this.#feed === undefined ? [] : [this.#feed])])) feed.close();
    this.#places.clear();
  }

  #widen(selectors: readonly ResourceSelector[]): void {
    const before = this.#feed;
    const feed = new Feed(this.#cluster, this.#kind, scopeOf(selectors), () => this.#replace(feed));
    this.#feed = feed;
    if (before !== undefined && ![...this.#places.values()].includes(before)) before.close();
  }

  #replace(feed: Feed): void {
    if (this.#feed !== feed || !feed.isKnown) return;
    for (const [reader, place] of this.#places) if (place !== feed) this.#move(reader, place, feed);
  }

  #move(reader: Reader, from: Feed | undefined, to: Feed | undefined): void {
    from?.leave(reader);
    if (to === undefined) this.#places.delete(reader);
    else {
      to.join(reader, from);
      this.#places.set(reader, to);
    }
    if (from !== undefined && from !== this.#feed && ![...this.#places.values()].includes(from)) from.close();
  }

  #tidy(): void {
    if (this.#places.size > 0) return;
    this.#feed?.close();
    this.#feed = undefined;
  }
}
