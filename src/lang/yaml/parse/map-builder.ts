import type { DecodeTarget } from "./decode-target.ts";

/** Fills maps. A duplicate key is an error, or the last one wins; a merged key may be overwritten. */
export class MapBuilder {
  readonly #refusesTwice: boolean;
  /** Keys that a map has only from merging. */
  readonly #merged = new Map<unknown, Set<string>>();

  constructor(duplicateKeys: "refused" | "last wins") {
    this.#refusesTwice = duplicateKeys === "refused";
  }

  set(target: DecodeTarget, map: unknown, key: string, value: unknown): boolean {
    const isTwice = this.#refusesTwice && target.has(map, key) && !(this.#merged.get(map)?.delete(key) ?? false);
    target.set(map, key, value);
    return !isTwice;
  }

  merge(target: DecodeTarget, map: unknown, source: unknown): void {
    let merged = this.#merged.get(map);
    if (merged === undefined) this.#merged.set(map, (merged = new Set()));
    for (const [key, value] of target.entries(source)) {
      if (!target.has(map, key)) merged.add(key);
      target.set(map, key, target.aliased(value));
    }
  }
}
