import type { GoValue } from "../value/index.ts";
import type { ParseNode } from "../parse/node.ts";
import type { NodeRef } from "./error.ts";

/** The state of an execution, as the code of a template uses it. */
export type ExecState = {
  readonly missingKey: "default" | "zero" | "error";
  /** Loop turns and template calls until the next check of the limits. */
  budget: number;
  /** The longest output, in UTF-16 units. */
  readonly maxOutput: number;
  /** Checks the limits at a node. Throws a LimitError if one is exceeded. */
  check(size: number, node?: NodeRef): void;
  /** The template of a name; undefined when there is none. */
  lookup(name: string): TemplateEntry | undefined;
  depth: number;
  readonly maxDepth: number;
};

/** The code of a template. Returns the output. */
export type TemplateCode = (state: ExecState, dot: GoValue, entry: TemplateEntry) => string;

/** A template of a set: a program with its name and source in this set. */
export type TemplateEntry = {
  readonly name: string;
  /** The name of the text it was parsed from. */
  readonly source: string;
  readonly program: TemplateProgram;
};

/** An executable template. Built once per text and shared by all sets. */
export type TemplateProgram = {
  readonly text: string;
  readonly isEmpty: boolean;
  run: TemplateCode;
  /** The nodes that compiled code refers to by number. */
  nodes: readonly ParseNode[];
  /** The function calls that compiled code refers to by number. */
  calls: readonly CallSite[];
};

/** A function call, for its error. */
export type CallSite = {
  readonly name: string;
  readonly node: NodeRef;
};

/** The node that a reference stands for. */
export function nodeAt({ nodes }: TemplateProgram, place: NodeRef): ParseNode | undefined {
  return typeof place === "number" ? nodes[place] : place;
}
