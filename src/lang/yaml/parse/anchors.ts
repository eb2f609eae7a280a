import { YamlFault } from "../yaml-fault.ts";
import type { DecodeErrors } from "./decode-errors.ts";
import type { ResolvedScalar } from "./resolve-scalar.ts";

/** The kind of a node. */
export type NodeKind = "scalar" | "list" | "map";

/** An anchored node. It has no value while it is being parsed. */
export type Anchor = {
  readonly name: string;
  isComplete: boolean;
  kind: NodeKind;
  value: unknown;
  resolved: ResolvedScalar | undefined;
  /** The number of nodes, with aliases expanded. */
  nodes: number;
  /** How long it is, with aliases written out. */
  length: number;
};

/** Below the first number of nodes nearly all may come from aliases, above the second hardly any. */
const fewNodes = 400_000;
const manyNodes = 4_000_000;

/** How much aliases may stand for. go-yaml counts nodes alone: few of them, each as long as the text, stand for gigabytes. */
const maxAliasedLength = 64 * 2 ** 20;

/** The anchors of a document and the share of aliased nodes. Models go.yaml.in/yaml/v2 decode.go. */
export class Anchors {
  readonly #findings: DecodeErrors;
  readonly #byName = new Map<string, Anchor>();
  #aliased = 0;
  #aliasedLength = 0;
  /** The nodes of the document so far, including the document node. */
  nodes = 1;

  constructor(findings: DecodeErrors) {
    this.#findings = findings;
  }

  /** `from`: where the node begins in the text. */
  open(name: string, kind: NodeKind, from: number): Anchor {
    const length = from + this.#aliasedLength;
    const anchor: Anchor = { name, isComplete: false, kind, value: null, resolved: undefined, nodes: this.nodes, length };
    this.#byName.set(name, anchor);
    return anchor;
  }

  /** `to`: where the node ends in the text, or a little later. */
  close(anchor: Anchor, value: unknown, resolved: ResolvedScalar | undefined, to: number): void {
    anchor.isComplete = true;
    anchor.value = value;
    anchor.resolved = resolved;
    anchor.nodes = this.nodes - anchor.nodes;
    anchor.length = to + this.#aliasedLength - anchor.length;
  }

  find(name: string, line: number): Anchor {
    const anchor = this.#byName.get(name);
    if (anchor === undefined)
      throw new YamlFault(
        `yaml: unknown anchor '${name}' referenced`,
        `alias *${name} refers to no anchor; expected &${name} before it`,
        line,
      );
    if (!anchor.isComplete) this.#findings.decoding(`anchor '${name}' value contains itself`, line, `anchor "${name}" contains itself`);
    else this.#count(anchor, line);
    return anchor;
  }

  #count(anchor: Anchor, line: number): void {
    this.nodes += anchor.nodes;
    this.#aliased += anchor.nodes;
    this.#aliasedLength += anchor.length;
    const isMany = this.#aliased > 100 && this.nodes > 1000 && this.#aliased / this.nodes > allowedRatio(this.nodes);
    if (isMany || this.#aliasedLength > maxAliasedLength)
      throw new YamlFault(
        "yaml: document contains excessive aliasing",
        "the document expands to too much by aliases; expected it to be written out",
        line,
      );
  }
}

function allowedRatio(nodes: number): number {
  if (nodes <= fewNodes) return 0.99;
  if (nodes >= manyNodes) return 0.1;
  return 0.99 - 0.89 * ((nodes - fewNodes) / (manyNodes - fewNodes));
}
