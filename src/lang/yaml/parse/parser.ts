import type { Directive } from "../scan/tag.ts";
import { token } from "../scan/token.ts";
import { Anchors } from "./anchors.ts";
import { CollectionReader, type CollectionOptions } from "./collection-reader.ts";
import { DecodeErrors } from "./decode-errors.ts";
import type { DecodeTarget } from "./decode-target.ts";
import { firstNonFinite } from "./non-finite.ts";

export type ParserOptions = CollectionOptions & {
  /** Finds a number that JSON cannot represent, for targets that hide numbers. */
  readonly findNonFinite?: () => number | undefined;
  /** The text may be JSON, which has escapes that YAML 1.1 lacks. */
  readonly takesJson?: boolean;
};

/** An empty document, which differs from a null one. */
export type ParsedDocument = { readonly value: unknown; readonly isEmpty: boolean };

/** How far go-yaml's scanner looks ahead. */
const lookAhead = 4;

/**
 * Parses documents as go-yaml v2 does and builds their values in the same pass. Syntax errors are thrown at once. Errors of
 * values are collected, because go-yaml checks values after the whole text. Models go.yaml.in/yaml/v2 parserc.go and decode.go,
 * and convertToJSONableObject of sigs.k8s.io/yaml.
 */
export class Parser extends CollectionReader {
  readonly #options: ParserOptions;
  #isFirst = true;
  /** Where the last document begins. */
  offset = 0;
  line = 1;

  constructor(text: string, target: DecodeTarget, options: ParserOptions = {}) {
    super(text, target, options);
    this.#options = options;
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
    return { value: this.whole(true, false), isEmpty: false };
  }
}
