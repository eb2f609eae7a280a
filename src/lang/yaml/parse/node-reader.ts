import { Scanner } from "../scan/scanner.ts";
import type { Tag } from "../scan/tag.ts";
import { token } from "../scan/token.ts";
import { YamlFault } from "../yaml-fault.ts";
import { Anchors, type Anchor, type NodeKind } from "./anchors.ts";
import { beginsCollection, type Enclosure } from "./open-collection.ts";
import { checkReadable } from "./check-readable.ts";
import { DecodeErrors } from "./decode-errors.ts";
import { KeyReader } from "./key-reader.ts";
import { nullScalar, resolveScalar, resolveScalarRange, type ResolvedScalar } from "./resolve-scalar.ts";
import { resolveTagged, TagHandles } from "./tag-handles.ts";
import type { DecodeTarget } from "./decode-target.ts";

/** The value of a collection that has begun, before it is complete. */
export const unfinished: unique symbol = Symbol("unfinished");

type Properties = { readonly anchor: string | undefined; readonly tag: string };

/** Reads scalars, aliases, and the anchors and tags of nodes. The parser reads collections. */
export abstract class NodeReader {
  protected readonly scanner: Scanner;
  /** The error in the text after the part that the scanner sees. */
  protected readonly flaw: YamlFault | undefined;
  protected readonly keys: KeyReader;
  protected readonly tags = new TagHandles();
  protected readonly documentTarget: DecodeTarget;
  /** The target of the current node. It differs where an error message shows the value. */
  protected target: DecodeTarget;
  protected errors = new DecodeErrors();
  protected anchors = new Anchors(this.errors);
  /** Whether the current node is built, or only validated. */
  protected builds = true;
  /** Whether `keeps` applies. It does not inside a node that is built as a whole. */
  protected chooses = true;
  /** The kind of the last node, and the resolved scalar unless it is a string. */
  protected kind: NodeKind = "scalar";
  protected resolved: ResolvedScalar | undefined;
  /** The target of a collection with an anchor or a tag that begins here, where it is not the same: in a key. */
  protected propertiedTarget: DecodeTarget | undefined;
  /** The value of the last alias. */
  protected aliased: unknown;

  constructor(text: string, target: DecodeTarget) {
    const { isSimple, readable, flaw } = checkReadable(text);
    this.scanner = new Scanner(readable, isSimple);
    this.flaw = flaw;
    this.keys = new KeyReader(this.scanner);
    this.documentTarget = target;
    this.target = target;
  }

  /** Begins the collection that is here. Returns whether there is one. */
  protected abstract begin(type: number, isBlock: boolean, takesIndentless: boolean, enclosure?: Enclosure): boolean;

  /** The parser's errors name the line before the token, as go-yaml counts. */
  protected fail(problem: string, line = this.scanner.tokenLine): never {
    throw new YamlFault(`yaml: ${line === 0 ? "" : `line ${line}: `}${problem}`, problem, line + 1);
  }

  /** The next node; `unfinished` if it is a collection, which has begun. */
  protected node(isBlock: boolean, takesIndentless: boolean): unknown {
    const type = this.scanner.peek();
    if (type >= token.plainScalar) return this.#scalar(type);
    if (type >= token.alias) return type === token.alias ? this.alias() : this.#withProperties(type, isBlock, takesIndentless);
    return this.begin(type, isBlock, takesIndentless) ? unfinished : this.fail("did not find expected node content");
  }

  protected emptyScalar(): unknown {
    this.anchors.nodes++;
    this.kind = "scalar";
    return this.#valueOf(nullScalar, 0);
  }

  #scalar(type: number): unknown {
    const scanner = this.scanner;
    this.anchors.nodes++;
    this.kind = "scalar";
    const cooked = scanner.tokenCooked;
    let resolved: ResolvedScalar | undefined;
    if (type === token.plainScalar)
      resolved = cooked === undefined ? resolveScalarRange(scanner.text, scanner.tokenFrom, scanner.tokenTo) : resolveScalar(cooked);
    const text = this.builds && resolved === undefined ? scanner.tokenText : "";
    const line = scanner.tokenLine + 1;
    scanner.skip();
    this.resolved = resolved;
    return resolved === undefined ? text : this.#valueOf(resolved, line);
  }

  #valueOf(resolved: ResolvedScalar, line: number): unknown {
    this.resolved = resolved;
    const { kind, value } = resolved;
    if (kind === "float" && !Number.isFinite(value)) this.errors.nonFinite(line);
    if (this.target.scalar !== undefined) return this.target.scalar(resolved);
    return typeof value === "bigint" ? this.target.bigInteger(value) : value;
  }

  protected alias(): unknown {
    const scanner = this.scanner;
    const line = scanner.tokenLine + 1;
    const name = scanner.tokenText;
    scanner.skip();
    this.anchors.nodes++;
    const anchor = this.anchors.find(name, line);
    this.kind = anchor.kind;
    this.resolved = anchor.resolved;
    this.aliased = this.builds ? this.target.aliased(anchor.value) : null;
    return this.aliased;
  }

  /** A node with an anchor, a tag or both. */
  #withProperties(first: number, isBlock: boolean, takesIndentless: boolean): unknown {
    const scanner = this.scanner;
    const properties = this.#properties(first);
    const type = scanner.peek();
    const from = scanner.tokenStart;
    const builds = this.builds;
    // An alias may refer to a node that is not built here.
    const chooses = this.chooses;
    if (properties.anchor !== undefined) this.wantAll();
    if (beginsCollection(type, isBlock, takesIndentless)) {
      const anchor = properties.anchor === undefined ? undefined : this.anchors.open(properties.anchor, kindOf(type), from);
      this.target = this.propertiedTarget ?? this.target;
      this.propertiedTarget = undefined;
      this.begin(type, isBlock, takesIndentless, { anchor, builds, chooses });
      return unfinished;
    }
    const value = this.#propertiedScalar(type, properties, from);
    this.builds = builds;
    this.chooses = chooses;
    return value;
  }

  /** Ends what surrounds a collection with an anchor or a tag. */
  protected leave({ anchor, builds, chooses }: Enclosure, value: unknown): void {
    if (anchor !== undefined) this.anchors.close(anchor, value, this.resolved, this.scanner.pos);
    this.builds = builds;
    this.chooses = chooses;
  }

  /** Builds the next node as a whole. */
  protected wantAll(): void {
    this.builds = true;
    this.chooses = false;
  }

  #properties(first: number): Properties {
    const scanner = this.scanner;
    let type = first;
    let anchor: string | undefined;
    let tag = "";
    for (let count = 0; count < 2 && (type === token.anchor ? anchor === undefined : type === token.tag && tag === ""); count++) {
      if (type === token.anchor) anchor = scanner.tokenText;
      else tag = this.tags.resolve(scanner.tokenDetail as Tag) ?? this.#undefinedHandle();
      scanner.skip();
      type = scanner.peek();
    }
    return { anchor, tag };
  }

  #undefinedHandle(): never {
    const line = this.scanner.tokenLine;
    this.scanner.skip();
    // go-yaml reads the next token first, and may report its error instead.
    if (this.scanner.peek() === token.anchor) {
      this.scanner.skip();
      this.scanner.peek();
    }
    this.fail("found undefined tag handle", line);
  }

  #propertiedScalar(type: number, { anchor, tag }: Properties, from: number): unknown {
    const scanner = this.scanner;
    if (tag === "") return this.#anchored(anchor, from, () => (type >= token.plainScalar ? this.#scalar(type) : this.emptyScalar()));
    const line = scanner.tokenLine + 1;
    const text = type >= token.plainScalar ? scanner.tokenText : "";
    if (type >= token.plainScalar) scanner.skip();
    this.keys.isMerge = text === "<<" && (tag === "!" || tag === "tag:yaml.org,2002:merge");
    return this.#anchored(anchor, from, () => {
      this.anchors.nodes++;
      this.kind = "scalar";
      const resolved = resolveTagged(tag, text, (message, problem) => this.errors.decoding(message, line, problem));
      this.resolved = resolved;
      return resolved.kind === "str" || resolved.kind === "timestamp" ? resolved.value : this.#valueOf(resolved, line);
    });
  }

  #anchored(name: string | undefined, from: number, readScalar: () => unknown): unknown {
    if (name === undefined) return readScalar();
    const anchor: Anchor = this.anchors.open(name, "scalar", from);
    const value = readScalar();
    this.anchors.close(anchor, value, this.resolved, this.scanner.pos);
    return value;
  }
}

function kindOf(type: number): NodeKind {
  return type === token.flowMappingStart || type === token.blockMappingStart ? "map" : "list";
}
