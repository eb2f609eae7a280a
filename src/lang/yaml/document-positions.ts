import type { Path } from "../../core/object/index.ts";
import type { CollectionListener } from "./parse/collection-reader.ts";
import { Parser } from "./parse/parser.ts";
import { jsonTarget } from "./parse/decode-target.ts";

/** Where a key or an item begins, with what is inside it. One without anything inside is its offset alone. */
type Node = number | Branch;
type Branch = { readonly offset: number; readonly children: Map<string | number, Node> };

/**
 * Where the parts of one document are. The text is parsed again with the first question, because most documents are never asked
 * about, and only once, because a hostile text has as many problems as lines.
 */
export class DocumentPositions {
  readonly #text: string;
  readonly #index: number;
  #root: Branch | undefined;
  #lineEnds: readonly number[] | undefined;

  /** Of the document with this index in a text. */
  constructor(text: string, index: number) {
    this.#text = text;
    this.#index = index;
  }

  /**
   * The offset of a path: of the key for a field, of the item for a list. Where the path leaves the document (through an alias, a
   * merge key or a missing key) it is the offset of the last part found.
   */
  offsetOf(path: Path): number {
    this.#root ??= rootOf(this.#text, this.#index);
    let found: Branch = this.#root;
    for (const step of path) {
      const next = found.children.get(step) ?? found.children.get(String(step));
      if (next === undefined) break;
      if (typeof next === "number") return next;
      found = next;
    }
    return found.offset;
  }

  /** The line of an offset in the text, from 0. */
  lineOf(offset: number): number {
    this.#lineEnds ??= lineEndsOf(this.#text);
    let [low, high] = [0, this.#lineEnds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#lineEnds[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function rootOf(text: string, index: number): Branch {
  let tree = new OffsetTree();
  const listener: CollectionListener = {
    key: (depth, key, offset) => tree.add(depth, key, offset),
    item: (depth, at, offset) => tree.add(depth, at, offset),
  };
  const parser = new Parser(text, jsonTarget, { listener, takesJson: true });
  try {
    for (let at = 0; at <= index; at++) {
      tree = new OffsetTree();
      parser.next();
    }
    return { ...tree.root, offset: parser.offset };
  } finally {
    parser.close();
  }
}

/** Built while a document is parsed. Of two equal keys the first counts. */
class OffsetTree {
  readonly root: Branch = { offset: 0, children: new Map() };
  /** The branch at each depth, and the child of it that was added last; undefined inside a key that is there twice. */
  readonly #open: ({ readonly branch: Branch; last: string | number | undefined } | undefined)[] = [{ branch: this.root, last: undefined }];

  add(depth: number, step: string | number, offset: number): void {
    this.#open.length = Math.min(this.#open.length, depth);
    while (this.#open.length < depth) this.#open.push(this.#innermost());
    const around = this.#open[depth - 1];
    if (around === undefined) return;
    const isNew = !around.branch.children.has(step);
    around.last = isNew ? step : undefined;
    if (isNew) around.branch.children.set(step, offset);
  }

  /** The part that was added last begins to have parts itself. */
  #innermost(): { readonly branch: Branch; last: undefined } | undefined {
    const around = this.#open.at(-1);
    if (around?.last === undefined) return undefined;
    const node = around.branch.children.get(around.last)!;
    const branch = typeof node === "number" ? { offset: node, children: new Map() } : node;
    around.branch.children.set(around.last, branch);
    return { branch, last: undefined };
  }
}

function lineEndsOf(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return ends;
}
