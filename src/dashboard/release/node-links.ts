import type { ReleaseEdge } from "../api/index.ts";

type Link = Pick<ReleaseEdge, "because" | "gate">;

/** What nodes need of each other, while points without an object are taken out. */
export class NodeLinks {
  readonly #after = new Map<string, Map<string, Link>>();
  readonly #before = new Map<string, Map<string, Link>>();

  /** The later one of two links between the same nodes counts: an object is waited for after it is applied. */
  add(from: string, to: string, link: Link): void {
    if (from === to) return;
    placeIn(this.#after, from).set(to, link);
    placeIn(this.#before, to).set(from, link);
  }

  /** Links what is before a point with what is after it, unless that takes more links than the point has. Returns whether it did. */
  bypass(id: string): boolean {
    const before = [...(this.#before.get(id) ?? [])];
    const after = [...(this.#after.get(id) ?? [])];
    if (before.length * after.length > before.length + after.length) return false;
    for (const [from] of before) this.#after.get(from)?.delete(id);
    for (const [to] of after) this.#before.get(to)?.delete(id);
    this.#before.delete(id);
    this.#after.delete(id);
    for (const [from, { gate }] of before) {
      for (const [to, { because }] of after) if (this.#after.get(from)?.has(to) !== true) this.add(from, to, { because, gate });
    }
    return true;
  }

  get edges(): readonly ReleaseEdge[] {
    return [...this.#after].flatMap(([from, links]) => [...links].map(([to, link]) => ({ type: "edge" as const, from, to, ...link })));
  }
}

function placeIn(links: Map<string, Map<string, Link>>, id: string): Map<string, Link> {
  const found = links.get(id) ?? new Map<string, Link>();
  links.set(id, found);
  return found;
}
