import type { Directive } from "../scan/tag.ts";
import { token } from "../scan/token.ts";
import { Anchors, type NodeKind } from "./anchors.ts";
import { DecodeErrors } from "./decode-errors.ts";
import { scalarSyntax, syntaxTarget, valueSyntax } from "./go-syntax.ts";
import { MapBuilder } from "./map-builder.ts";
import { NodeReader } from "./node-reader.ts";
import { firstNonFinite } from "./non-finite.ts";
import { nullScalar, type ResolvedScalar } from "./resolve-scalar.ts";
import type { DecodeTarget } from "./decode-target.ts";

/** Called for every key and item of a document. `depth` counts the enclosing collections. */
export type ParserListener = {
  readonly key: (depth: number, key: string, offset: number) => void;
  readonly item: (depth: number, index: number, offset: number) => void;
};

export type ParserOptions = {
  readonly duplicateKeys?: "refused" | "last wins";
  /** Selects the keys of a map that are built, by depth. Default: all. The others are only validated. */
  readonly keeps?: (depth: number, key: string) => boolean;
  readonly listener?: ParserListener;
  /** Finds a number that JSON cannot represent, for targets that hide numbers. */
  readonly findNonFinite?: () => number | undefined;
  /** The text may be JSON, which has escapes that YAML 1.1 lacks. */
  readonly takesJson?: boolean;
};

/** An empty document, which differs from a null one. */
export type ParsedDocument = { readonly value: unknown; readonly isEmpty: boolean };

/** How far go-yaml's scanner looks ahead. */
const lookAhead = 4;

/** Deeper documents would exhaust the stack. */
const deepest = 1000;

/**
 * Parses documents as go-yaml v2 does and builds their values in the same pass. Syntax errors are thrown at once. Errors of
 * values are collected, because go-yaml checks values after the whole text. Models go.yaml.in/yaml/v2 parserc.go and decode.go,
 * and convertToJSONableObject of sigs.k8s.io/yaml.
 */
export class Parser extends NodeReader {
  readonly #options: ParserOptions;
  readonly #maps: MapBuilder;
  #isFirst = true;
  #depth = 0;
  /** Where the last document begins. */
  offset = 0;
  line = 1;

  constructor(text: string, target: DecodeTarget, options: ParserOptions = {}) {
    super(text, target);
    this.#options = options;
    this.#maps = new MapBuilder(options.duplicateKeys ?? "last wins");
    this.scanner.takesJson = options.takesJson ?? false;
    this.scanner.discards = options.keeps !== undefined && !text.includes("&");
  }

  /** Releases the scanner's buffer. Documents that were read stay valid. */
  close(): void {
    this.scanner.close();
  }

  /** The next document; undefined at the end of the text. */
  next(): ParsedDocument | undefined {
    const { flaw, scanner } = this;
    if (flaw === undefined) return this.#next();
    const isAtFlaw = (): boolean => scanner.pos >= scanner.end - lookAhead;
    try {
      const document = this.#next();
      if (!isAtFlaw()) return document;
    } catch (error) {
      if (!isAtFlaw()) throw error;
    }
    throw flaw;
  }

  #next(): ParsedDocument | undefined {
    const scanner = this.scanner;
    let type = scanner.peek();
    if (!this.#isFirst) for (; type === token.documentEnd; type = scanner.peek()) scanner.skip();
    if (type === token.streamEnd) return undefined;
    this.errors = new DecodeErrors();
    this.anchors = new Anchors(this.errors);
    const isBare = this.#isFirst && type !== token.directive && type !== token.documentStart;
    this.#isFirst = false;
    const content = isBare ? this.#root() : this.#explicit();
    if (scanner.peek() === token.documentEnd) scanner.skip();
    this.errors.throw(this.#options.findNonFinite ?? (() => firstNonFinite(content.value, this.target)));
    return content;
  }

  #explicit(): ParsedDocument {
    const scanner = this.scanner;
    this.tags.reset();
    for (let type = scanner.peek(); type === token.directive; type = scanner.peek()) {
      const problem = this.tags.direct(scanner.tokenDetail as Directive);
      if (problem !== undefined) this.fail(problem);
      scanner.skip();
    }
    if (scanner.peek() !== token.documentStart) this.fail("did not find expected <document start>");
    scanner.skip();
    const type = scanner.peek();
    if (type > token.documentEnd) return this.#root();
    return { value: this.emptyScalar(), isEmpty: true };
  }

  #root(): ParsedDocument {
    this.scanner.peek();
    this.offset = this.scanner.tokenStart;
    this.line = this.scanner.tokenLine + 1;
    return { value: this.node(true, false), isEmpty: false };
  }

  /** The collection that begins here; undefined if there is none. */
  protected override collection(type: number, isBlock: boolean, takesIndentless: boolean): unknown {
    switch (type) {
      case token.flowSequenceStart:
        return this.#flowList();
      case token.flowMappingStart:
        return this.#flowMap();
      case token.blockMappingStart:
        return isBlock ? this.#blockMap() : undefined;
      case token.blockSequenceStart:
        return isBlock ? this.#blockList() : undefined;
      case token.blockEntry:
        return takesIndentless ? this.#indentlessList() : undefined;
      default:
        return undefined;
    }
  }

  #enter(): void {
    this.anchors.nodes++;
    this.scanner.skip();
    if (++this.#depth > deepest) this.fail(`exceeded max depth of ${deepest}`);
  }

  #leave(kind: NodeKind): void {
    this.#depth--;
    this.kind = kind;
    this.resolved = undefined;
  }

  #blockMap(): unknown {
    const scanner = this.scanner;
    this.#enter();
    const map = this.builds ? this.target.newMap() : discarded;
    for (;;) {
      const type = scanner.peek();
      if (type === token.blockEnd) break;
      if (type !== token.key) this.fail("did not find expected key");
      scanner.skip();
      this.#pair(map, true, true);
    }
    scanner.skip();
    this.#leave("map");
    return map;
  }

  #flowMap(): unknown {
    const scanner = this.scanner;
    this.#enter();
    const map = this.builds ? this.target.newMap() : discarded;
    for (let isFirst = true; scanner.peek() !== token.flowMappingEnd; isFirst = false) {
      if (!isFirst && !this.#passComma(token.flowMappingEnd, "did not find expected ',' or '}'")) break;
      const hasKey = scanner.peek() === token.key;
      if (hasKey) scanner.skip();
      this.#pair(map, false, hasKey);
    }
    scanner.skip();
    this.#leave("map");
    return map;
  }

  /** Skips a comma. Returns whether another entry follows. */
  #passComma(end: number, problem: string): boolean {
    if (this.scanner.peek() !== token.flowEntry) this.fail(problem);
    this.scanner.skip();
    return this.scanner.peek() !== end;
  }

  /** Reads a key and its value. In a flow mapping the key may stand alone. */
  #pair(map: unknown, isBlock: boolean, mayHaveValue: boolean): void {
    const keys = this.keys;
    const builds = this.builds;
    const key = this.#key(isBlock, mayHaveValue);
    const { isMerge, bad, line } = keys;
    const chooses = this.chooses;
    if (key === undefined || isMerge) this.wantAll();
    else if (chooses && builds && this.#options.keeps !== undefined) this.builds = this.#options.keeps(this.#depth, key);
    const target = this.target;
    // The error message shows the value in Go's syntax.
    if (bad !== undefined) this.target = syntaxTarget;
    const value = isBlock ? this.#blockValue() : mayHaveValue ? this.#flowValue() : this.#loneValue();
    this.target = target;
    if (isMerge) this.#merge(map, value, line);
    else if (key === undefined) this.#refuseKey(bad, value, line);
    else if (this.builds && map !== discarded && !this.#maps.set(this.target, map, key, value)) this.#refuseTwice(key, line);
    this.builds = builds;
    this.chooses = chooses;
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
    const value = this.node(isBlock, isBlock);
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

  #blockList(): unknown {
    const scanner = this.scanner;
    this.#enter();
    const items: unknown[] = [];
    for (;;) {
      const type = scanner.peek();
      if (type === token.blockEnd) break;
      if (type !== token.blockEntry) this.fail("did not find expected '-' indicator");
      scanner.skip();
      const next = scanner.peek();
      this.#item(items, next === token.blockEntry || next === token.blockEnd, true);
    }
    scanner.skip();
    return this.#finishList(items);
  }

  /** A sequence whose items are in the column of its key. */
  #indentlessList(): unknown {
    const scanner = this.scanner;
    this.anchors.nodes++;
    this.#depth++;
    const items: unknown[] = [];
    while (scanner.peek() === token.blockEntry) {
      scanner.skip();
      const next = scanner.peek();
      this.#item(items, next === token.blockEntry || isBlockEnd(next), true);
    }
    return this.#finishList(items);
  }

  #item(items: unknown[], isEmpty: boolean, isBlock: boolean): void {
    this.#options.listener?.item(this.#depth, items.length, this.scanner.tokenStart);
    const builds = this.builds;
    const value = isEmpty ? this.emptyScalar() : this.node(isBlock, false);
    this.builds = builds;
    items.push(value);
  }

  #finishList(items: unknown[]): unknown {
    this.#leave("list");
    return this.builds ? this.target.newList(items) : discarded;
  }

  #flowList(): unknown {
    const scanner = this.scanner;
    this.#enter();
    const items: unknown[] = [];
    for (let isFirst = true; scanner.peek() !== token.flowSequenceEnd; isFirst = false) {
      if (!isFirst && !this.#passComma(token.flowSequenceEnd, "did not find expected ',' or ']'")) break;
      if (scanner.peek() === token.key) items.push(this.#singlePair());
      else this.#item(items, false, false);
    }
    scanner.skip();
    return this.#finishList(items);
  }

  /** `[a: b]`, a mapping of one pair. An empty key consumes the next token, as in go-yaml. */
  #singlePair(): unknown {
    const scanner = this.scanner;
    this.#enter();
    const map = this.builds ? this.target.newMap() : discarded;
    const builds = this.builds;
    const type = scanner.peek();
    const isEmpty = type === token.value || type === token.flowEntry || type === token.flowSequenceEnd;
    this.keys.begin(scanner.tokenLine + 1);
    const key = isEmpty ? this.keys.of(nullScalar, this.target) : this.#key(false, false);
    const { isMerge, bad, line } = this.keys;
    if (isEmpty) scanner.skip();
    const target = this.target;
    if (bad !== undefined) this.target = syntaxTarget;
    const value = this.#singleValue();
    this.target = target;
    if (isMerge) this.#merge(map, value, line);
    else if (key === undefined) this.#refuseKey(bad, value, line);
    else if (map !== discarded) this.target.set(map, key, value);
    scanner.peek();
    this.builds = builds;
    this.#leave("map");
    return map;
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
}

/** Stands for a collection that is not built. It differs from every value. */
const discarded: unknown = Object.freeze([]);

function isBlockEnd(type: number): boolean {
  return type === token.key || type === token.value || type === token.blockEnd;
}

function isFlowEnd(type: number): boolean {
  return type === token.value || type === token.flowEntry || type === token.flowMappingEnd;
}
