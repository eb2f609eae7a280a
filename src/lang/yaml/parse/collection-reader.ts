import { token } from "../scan/token.ts";
import { scalarSyntax, syntaxTarget, valueSyntax } from "./go-syntax.ts";
import { MapBuilder } from "./map-builder.ts";
import { NodeReader, unfinished } from "./node-reader.ts";
import { beginsCollection, isMapStart, OpenCollection, type Enclosure } from "./open-collection.ts";
import { nullScalar, type ResolvedScalar } from "./resolve-scalar.ts";
import type { DecodeTarget } from "./decode-target.ts";

/** Called for every key and item of a document. `depth` counts the enclosing collections. */
export type CollectionListener = {
  readonly key: (depth: number, key: string, offset: number) => void;
  readonly item: (depth: number, index: number, offset: number) => void;
};

export type CollectionOptions = {
  readonly duplicateKeys?: "refused" | "last wins";
  /** Selects the keys of a map that are built, by depth. Default: all. The others are only validated. */
  readonly keeps?: (depth: number, key: string) => boolean;
  readonly listener?: CollectionListener;
};

/** A key that is a collection is never valid, and is read for its message. */
const deepestKey = 200;

/**
 * Reads collections. Those inside one another are kept in a list, because a stack of calls is exhausted long before the depth
 * that the scanner allows.
 */
export abstract class CollectionReader extends NodeReader {
  readonly #options: CollectionOptions;
  readonly #maps: MapBuilder;
  /** The collections that have begun, the innermost last. */
  readonly #open: OpenCollection[] = [];
  #depth = 0;
  /** How many keys that are collections the current node is inside of. */
  #keys = 0;

  constructor(text: string, target: DecodeTarget, options: CollectionOptions) {
    super(text, target);
    this.#options = options;
    this.#maps = new MapBuilder(options.duplicateKeys ?? "last wins");
  }

  /** The next node with all inside it. */
  protected whole(isBlock: boolean, takesIndentless: boolean): unknown {
    const open = this.#open;
    const around = open.length;
    let value = this.node(isBlock, takesIndentless);
    while (open.length > around) {
      const collection = open.at(-1)!;
      if (value !== unfinished) this.#take(collection, value);
      value = this.#read(collection);
    }
    return value;
  }

  /** Begins the collection that is here. Returns whether there is one. */
  protected override begin(type: number, isBlock: boolean, takesIndentless: boolean, enclosure?: Enclosure): boolean {
    if (!beginsCollection(type, isBlock, takesIndentless)) return false;
    this.anchors.nodes++;
    this.#depth++;
    // The items of a sequence in the column of its key have no token of their own before them.
    if (type !== token.blockEntry) this.scanner.skip();
    this.#open.push(new OpenCollection(type, isMapStart(type) ? this.#newMap() : [], this.target, enclosure));
    return true;
  }

  #newMap(): unknown {
    return this.builds ? this.target.newMap() : discarded;
  }

  /** Reads on in the innermost collection: until a collection begins inside it, or its end. */
  #read(collection: OpenCollection): unknown {
    switch (collection.type) {
      case token.blockMappingStart:
        return this.#blockMap(collection);
      case token.flowMappingStart:
        return this.#flowMap(collection);
      case token.blockSequenceStart:
        return this.#blockList(collection);
      case token.flowSequenceStart:
        return this.#flowList(collection);
      case token.blockEntry:
        return this.#indentlessList(collection);
      default:
        return this.#finish(collection);
    }
  }

  /** Takes the value of a collection inside of another one. */
  #take(collection: OpenCollection, value: unknown): void {
    if (collection.isList) {
      this.builds = collection.builds;
      (collection.held as unknown[]).push(value);
    } else this.#endPair(collection, value);
  }

  #finish(collection: OpenCollection): unknown {
    this.#open.pop();
    this.#depth--;
    this.resolved = undefined;
    const { isList, held, enclosure } = collection;
    this.kind = isList ? "list" : "map";
    const value = !isList ? held : this.builds ? this.target.newList(held as unknown[]) : discarded;
    if (enclosure !== undefined) this.leave(enclosure, value);
    return value;
  }

  #blockMap(collection: OpenCollection): unknown {
    const scanner = this.scanner;
    for (;;) {
      const type = scanner.peek();
      if (type === token.blockEnd) break;
      if (type !== token.key) this.fail("did not find expected key");
      scanner.skip();
      if (this.#pair(collection, true, true)) return unfinished;
    }
    scanner.skip();
    return this.#finish(collection);
  }

  #flowMap(collection: OpenCollection): unknown {
    const scanner = this.scanner;
    for (; scanner.peek() !== token.flowMappingEnd;) {
      if (collection.hasEntries && !this.#passComma(token.flowMappingEnd, "did not find expected ',' or '}'")) break;
      collection.hasEntries = true;
      const hasKey = scanner.peek() === token.key;
      if (hasKey) scanner.skip();
      if (this.#pair(collection, false, hasKey)) return unfinished;
    }
    scanner.skip();
    return this.#finish(collection);
  }

  /** Skips a comma. Returns whether another entry follows. */
  #passComma(end: number, problem: string): boolean {
    if (this.scanner.peek() !== token.flowEntry) this.fail(problem);
    this.scanner.skip();
    return this.scanner.peek() !== end;
  }

  /** Reads a key and its value. In a flow mapping the key may stand alone. Returns whether the value is a collection that has begun. */
  #pair(collection: OpenCollection, isBlock: boolean, mayHaveValue: boolean): boolean {
    const { keys, builds } = this;
    const key = this.#key(isBlock, mayHaveValue);
    collection.beginPair(key, keys, builds, this.chooses, this.target);
    if (key === undefined || keys.isMerge) this.wantAll();
    else if (this.chooses && builds && this.#options.keeps !== undefined) this.builds = this.#options.keeps(this.#depth, key);
    // The error message shows the value in Go's syntax.
    if (keys.bad !== undefined) this.target = syntaxTarget;
    const value = isBlock ? this.#blockValue() : mayHaveValue ? this.#flowValue() : this.#loneValue();
    if (value === unfinished) return true;
    this.#endPair(collection, value);
    return false;
  }

  #endPair(collection: OpenCollection, value: unknown): void {
    const { key, held, isMerge, bad, line } = collection;
    this.target = collection.target;
    if (isMerge) this.#merge(held, value, line);
    else if (key === undefined) this.#refuseKey(bad, value, line);
    else if (held !== discarded && collection.type === token.key) this.target.set(held, key, value);
    else if (this.builds && held !== discarded && !this.#maps.set(this.target, held, key, value)) this.#refuseTwice(key, line);
    this.builds = collection.builds;
    this.chooses = collection.chooses;
  }

  /** The key; undefined if it is invalid. */
  #key(isBlock: boolean, mayBeEmpty: boolean): string | undefined {
    const scanner = this.scanner;
    const keys = this.keys;
    const type = scanner.peek();
    const start = scanner.tokenStart;
    keys.begin(scanner.tokenLine + 1);
    if (type >= token.plainScalar) {
      this.anchors.nodes++;
      const key = keys.read(type, this.target, this.builds);
      if (key !== undefined) this.#options.listener?.key(this.#depth, key, start);
      scanner.skip();
      return key;
    }
    const isEmpty = isBlock ? isBlockEnd(type) : mayBeEmpty && isFlowEnd(type);
    return isEmpty ? keys.of(nullScalar, this.target) : this.#complexKey(type, isBlock);
  }

  #complexKey(type: number, isBlock: boolean): string | undefined {
    const keys = this.keys;
    const { line } = keys;
    const target = this.target;
    const { builds, chooses } = this;
    this.wantAll();
    if (type < token.alias) this.target = syntaxTarget;
    else this.propertiedTarget = syntaxTarget;
    if (++this.#keys > deepestKey) this.fail(`exceeded max depth of ${deepestKey} of keys inside keys`);
    const value = this.whole(isBlock, isBlock);
    this.#keys--;
    this.target = target;
    this.propertiedTarget = undefined;
    this.builds = builds;
    this.chooses = chooses;
    const isMerge = keys.isMerge;
    keys.begin(line);
    keys.isMerge = isMerge && type === token.tag;
    if (this.kind === "scalar") return keys.of(this.resolved ?? { kind: "str", value: String(value) }, target);
    this.errors.decoding(
      `invalid map key: ${valueSyntax(value, this.documentTarget)}`,
      line,
      "a key is a list or an object; expected a string",
    );
    return undefined;
  }

  /** Merges maps. The first of a list wins. Models decode.go merge, which iterates backwards. */
  #merge(map: unknown, value: unknown, line: number): void {
    const target = this.target;
    const isAliasedList = this.kind === "list" && value === this.aliased;
    const sources = this.kind === "list" && !isAliasedList ? target.itemsOf(value).toReversed() : [value];
    for (const source of sources) {
      if (!target.isMap(source)) {
        this.errors.decoding(
          "map merge requires map or sequence of maps as the value",
          line,
          "a merge key << holds something else than objects; expected an object or a list of objects",
        );
        return;
      }
      if (map !== discarded) this.#maps.merge(target, map, source);
    }
  }

  #blockValue(): unknown {
    const scanner = this.scanner;
    if (scanner.peek() !== token.value) return this.emptyScalar();
    scanner.skip();
    return isBlockEnd(scanner.peek()) ? this.emptyScalar() : this.node(true, true);
  }

  #flowValue(): unknown {
    const scanner = this.scanner;
    if (scanner.peek() !== token.value) return this.emptyScalar();
    scanner.skip();
    const type = scanner.peek();
    return type === token.flowEntry || type === token.flowMappingEnd ? this.emptyScalar() : this.node(false, false);
  }

  #loneValue(): unknown {
    this.scanner.peek();
    return this.emptyScalar();
  }

  #blockList(collection: OpenCollection): unknown {
    const scanner = this.scanner;
    for (;;) {
      const type = scanner.peek();
      if (type === token.blockEnd) break;
      if (type !== token.blockEntry) this.fail("did not find expected '-' indicator");
      scanner.skip();
      const next = scanner.peek();
      if (this.#item(collection, next === token.blockEntry || next === token.blockEnd, true)) return unfinished;
    }
    scanner.skip();
    return this.#finish(collection);
  }

  /** A sequence whose items are in the column of its key. */
  #indentlessList(collection: OpenCollection): unknown {
    const scanner = this.scanner;
    while (scanner.peek() === token.blockEntry) {
      scanner.skip();
      const next = scanner.peek();
      if (this.#item(collection, next === token.blockEntry || isBlockEnd(next), true)) return unfinished;
    }
    return this.#finish(collection);
  }

  /** Reads an item. Returns whether it is a collection that has begun. */
  #item(collection: OpenCollection, isEmpty: boolean, isBlock: boolean): boolean {
    const items = collection.held as unknown[];
    this.#options.listener?.item(this.#depth, items.length, this.scanner.tokenStart);
    collection.builds = this.builds;
    const value = isEmpty ? this.emptyScalar() : this.node(isBlock, false);
    if (value === unfinished) return true;
    this.builds = collection.builds;
    items.push(value);
    return false;
  }

  #flowList(collection: OpenCollection): unknown {
    const scanner = this.scanner;
    for (; scanner.peek() !== token.flowSequenceEnd;) {
      if (collection.hasEntries && !this.#passComma(token.flowSequenceEnd, "did not find expected ',' or ']'")) break;
      collection.hasEntries = true;
      collection.builds = this.builds;
      if (scanner.peek() === token.key ? this.#singlePair(collection) : this.#item(collection, false, false)) return unfinished;
    }
    scanner.skip();
    return this.#finish(collection);
  }

  /** `[a: b]`, a mapping of one pair. An empty key consumes the next token, as in go-yaml. */
  #singlePair(list: OpenCollection): boolean {
    const scanner = this.scanner;
    this.anchors.nodes++;
    this.#depth++;
    scanner.skip();
    const collection = new OpenCollection(token.key, this.#newMap(), this.target, undefined);
    this.#open.push(collection);
    const { builds, keys } = this;
    const type = scanner.peek();
    const isEmpty = type === token.value || type === token.flowEntry || type === token.flowSequenceEnd;
    keys.begin(scanner.tokenLine + 1);
    const key = isEmpty ? keys.of(nullScalar, this.target) : this.#key(false, false);
    collection.beginPair(key, keys, builds, this.chooses, this.target);
    if (isEmpty) scanner.skip();
    if (keys.bad !== undefined) this.target = syntaxTarget;
    const value = this.#singleValue();
    if (value === unfinished) return true;
    this.#endPair(collection, value);
    this.#take(list, this.#finish(collection));
    return false;
  }

  #singleValue(): unknown {
    const scanner = this.scanner;
    if (scanner.peek() === token.value) {
      scanner.skip();
      const type = scanner.peek();
      if (type !== token.flowEntry && type !== token.flowSequenceEnd) return this.node(false, false);
    }
    return this.emptyScalar();
  }

  #refuseKey(bad: ResolvedScalar | undefined, value: unknown, line: number): void {
    if (bad === undefined) return;
    const isNull = bad.kind === "null";
    const [type, text] = isNull ? ["%!s(<nil>)", "<nil>"] : ["uint64", scalarSyntax(bad)];
    const shown = this.kind === "scalar" && this.resolved?.kind === "null" ? "<nil>" : valueSyntax(value, this.documentTarget);
    this.errors.converting(
      `unsupported map key of type: ${type}, key: ${text}, value: ${shown}`,
      line,
      `a key is ${isNull ? "null" : `the number ${String(bad.value)}`}; expected a string`,
    );
  }

  #refuseTwice(key: string, line: number): void {
    const name = JSON.stringify(key);
    this.errors.decoding(
      `unmarshal errors:\n  line ${line}: key ${name} already set in map`,
      line,
      `key ${name} is set twice in one object; expected it once`,
    );
  }
}

/** Stands for a collection that is not built. It differs from every value. */
const discarded: unknown = Object.freeze([]);

function isBlockEnd(type: number): boolean {
  return type === token.key || type === token.value || type === token.blockEnd;
}

function isFlowEnd(type: number): boolean {
  return type === token.value || type === token.flowEntry || type === token.flowMappingEnd;
}
