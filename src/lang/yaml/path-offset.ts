import type { Path } from "../../core/object/index.ts";
import type { CollectionListener } from "./parse/collection-reader.ts";
import { Parser } from "./parse/parser.ts";
import { jsonTarget } from "./parse/decode-target.ts";

/**
 * The offset of a path in one of the documents: of the key for a field, of the item for a list. Where the path leaves the
 * document (through an alias, a merge key or a missing key) it is the offset of the last part found. Parses the text again,
 * because keeping all positions for rare messages would take a lot of memory.
 */
export function offsetOfPath(text: string, index: number, path: Path): number {
  const trail = new PathTracker(path);
  const parser = new Parser(text, jsonTarget, { listener: trail, takesJson: true });
  try {
    for (let at = 0; at <= index; at++) {
      trail.begin();
      parser.next();
    }
    return trail.offset ?? parser.offset;
  } finally {
    parser.close();
  }
}

/** Follows a path through a document. */
class PathTracker implements CollectionListener {
  readonly #path: Path;
  #found = 0;
  #isLost = false;
  offset: number | undefined;

  constructor(path: Path) {
    this.#path = path;
  }

  begin(): void {
    this.#found = 0;
    this.#isLost = false;
    this.offset = undefined;
  }

  key(depth: number, key: string, offset: number): void {
    this.#step(depth, offset, String(this.#path[depth - 1]) === key);
  }

  item(depth: number, index: number, offset: number): void {
    this.#step(depth, offset, this.#path[depth - 1] === index);
  }

  /** A sibling of the last part found means that the rest of the path does not exist. */
  #step(depth: number, offset: number, isNext: boolean): void {
    if (depth <= this.#found) this.#isLost = true;
    if (this.#isLost || depth !== this.#found + 1 || !isNext) return;
    this.#found = depth;
    this.offset = offset;
  }
}
