import type { Path } from "../../core/object/index.ts";
import { Parser, type ParserListener } from "./parse/parser.ts";
import { jsonTarget } from "./parse/decode-target.ts";

/**
 * The offset in the text where a path of one of its documents stands: the key for a field, the item for a list. Where the
 * path leaves the document (through an alias, a merge key, a key that is not there) it is that of the last part that was
 * found. The text is read again: keeping all positions for a message that is hardly ever needed would hold a lot of memory.
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

/** Goes along a path through a document. */
class PathTracker implements ParserListener {
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

  /** Something beside the last part that was found means that nothing more will be found behind it. */
  #step(depth: number, offset: number, isNext: boolean): void {
    if (depth <= this.#found) this.#isLost = true;
    if (this.#isLost || depth !== this.#found + 1 || !isNext) return;
    this.#found = depth;
    this.offset = offset;
  }
}
