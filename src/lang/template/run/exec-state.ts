import type { GoValue } from "../value/index.ts";
import type { ParseNode } from "../parse/node.ts";
import type { NodeRef } from "./error.ts";

/** What the code of a template sees of the execution it runs in. */
export type ExecState = {
  readonly missingKey: "default" | "zero" | "error";
  /** How many more turns and calls until the limits are looked at. */
  budget: number;
  /** The longest output allowed, in UTF-16 units. */
  readonly maxOutput: number;
  /** Looks at the limits; throws if one is exceeded. */
  check(size: number): void;
  /** The template of that name, or nothing. */
  lookup(name: string): TemplateEntry | undefined;
  depth: number;
  readonly maxDepth: number;
};

/** The code of a template: its output for a dot. */
export type TemplateCode = (state: ExecState, dot: GoValue, entry: TemplateEntry) => string;

/** A template in a set: a program under the name and from the source by which this set knows it. */
export type TemplateEntry = {
  readonly name: string;
  /** The name of the text it was parsed from. */
  readonly source: string;
  readonly program: TemplateProgram;
};

/** A template that can be executed. Made once for a text and shared by all sets that hold the same text. */
export type TemplateProgram = {
  readonly text: string;
  readonly isEmpty: boolean;
  run: TemplateCode;
  /** The nodes that the code refers to by number when it fails. */
  nodes: readonly ParseNode[];
  /** The calls that the code refers to by number when a function fails. */
  calls: readonly CallSite[];
};

/** A call of a function, for when it fails. */
export type CallSite = {
  readonly name: string;
  readonly node: NodeRef;
};

/** The node at a place of a program. */
export function nodeAt({ nodes }: TemplateProgram, place: NodeRef): ParseNode | undefined {
  return typeof place === "number" ? nodes[place] : place;
}
