import type { Value } from "../value/index.ts";
import type { Node } from "../parse/node.ts";

/** What the code of a template sees of the execution it runs in. */
export interface Frame {
  readonly missingKey: "default" | "zero" | "error";
  /** How many more turns and calls until the limits are looked at. */
  budget: number;
  /** The longest output allowed, in UTF-16 units. */
  readonly maxOutput: number;
  /** Looks at the limits; throws if one is exceeded. */
  check(size: number): void;
  /** The template of that name, or nothing. */
  lookup(name: string): Entry | undefined;
  depth: number;
  readonly maxDepth: number;
}

/** The code of a template: its output for a dot. */
export type TemplateCode = (frame: Frame, dot: Value, entry: Entry) => string;

/** A template in a set: compiled code under the name and from the source by which this set knows it. */
export interface Entry {
  readonly name: string;
  /** The name of the text it was parsed from. */
  readonly source: string;
  readonly program: Program;
}

/** A compiled template. Made once for a text and shared by all sets that hold the same text. */
export interface Program {
  readonly text: string;
  readonly isEmpty: boolean;
  run: TemplateCode;
  /** The nodes that the code refers to by number when it fails. */
  nodes: readonly Node[];
  /** The calls that the code refers to by number when a function fails. */
  calls: readonly CallSite[];
}

export interface CallSite {
  readonly name: string;
  readonly node: number;
}
