import type { Value } from "../value/index.ts";
import type { Node } from "../parse/node.ts";
import type { Place } from "./error.ts";

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

/** A template in a set: a program under the name and from the source by which this set knows it. */
export interface Entry {
  readonly name: string;
  /** The name of the text it was parsed from. */
  readonly source: string;
  readonly program: Program;
}

/** A template that can be executed. Made once for a text and shared by all sets that hold the same text. */
export interface Program {
  readonly text: string;
  readonly isEmpty: boolean;
  run: TemplateCode;
  /** The nodes that the code refers to by number when it fails. */
  nodes: readonly Node[];
  /** The calls that the code refers to by number when a function fails. */
  calls: readonly CallSite[];
}

/** A call of a function, for when it fails. */
export interface CallSite {
  readonly name: string;
  readonly node: Place;
}

/** The node at a place of a program. */
export function nodeAt({ nodes }: Program, place: Place): Node | undefined {
  return typeof place === "number" ? nodes[place] : place;
}
