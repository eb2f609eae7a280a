import type { GoFunction, GoType, Value } from "../value/index.ts";
import type { Node } from "../parse/node.ts";
import type { Literal } from "../run/argument.ts";
import type { CallSite } from "../run/frame.ts";

/** What compiled code refers to by number: values, types, paths, and literals whose type is known only while executing. */
export type Constant = Value | GoType | Literal | readonly string[];

const longText = 200;

/**
 * The JavaScript of one template while it is written. Nothing of a template's text gets into it but as a JSON string
 * or by the number of a constant; names of variables are numbered.
 */
export class Code {
  readonly nodes: Node[] = [];
  readonly calls: CallSite[] = [];
  readonly constants: Constant[] = [];
  readonly functions: GoFunction[] = [];
  private readonly paths = new Map<string, string>();
  private readonly nodeNumbers = new Map<Node, number>();
  private readonly lines: string[] = [];
  private readonly hoisted: string[] = [];
  private names = 0;

  line(text: string): void {
    this.lines.push(text);
  }

  /** A name that is not used yet. */
  name(letter: string): string {
    return letter + this.names++;
  }

  /** A variable that lives as long as the template's execution. */
  variable(): string {
    const name = this.name("v");
    this.hoisted.push(name);
    return name;
  }

  node(node: Node): number {
    const known = this.nodeNumbers.get(node);
    if (known !== undefined) return known;
    this.nodeNumbers.set(node, this.nodes.length);
    return this.nodes.push(node) - 1;
  }

  call(name: string, node: Node): number {
    return this.calls.push({ name, node: this.node(node) }) - 1;
  }

  constant(value: Constant): string {
    const known = this.constants.indexOf(value);
    return `k${known >= 0 ? known : this.constants.push(value) - 1}`;
  }

  /** A list of field names. */
  path(names: readonly string[]): string {
    const text = names.join(".");
    const known = this.paths.get(text) ?? this.constant(names);
    this.paths.set(text, known);
    return known;
  }

  function(implementation: GoFunction): string {
    const known = this.functions.indexOf(implementation);
    return `f${known >= 0 ? known : this.functions.push(implementation) - 1}`;
  }

  text(text: string): string {
    return text.length > longText ? this.constant(text) : JSON.stringify(text);
  }

  /** The code of a function that makes the template's function, given the runtime R, the constants K and functions F. */
  source(): string {
    const constants = this.constants.map((_, index) => `k${index}=K[${index}]`);
    const functions = this.functions.map((_, index) => `f${index}=F[${index}].call`);
    const declared = [...constants, ...functions].join(",");
    const variables = this.hoisted.length === 0 ? "" : `let ${this.hoisted.join(",")};`;
    return [
      `"use strict";${declared === "" ? "" : `const ${declared};`}`,
      // In parentheses it is compiled at once, rather than looked over first and compiled when it is called.
      `return (function(x,d,entry){let o="",n=-1;${variables}try{`,
      ...this.lines,
      "return o}catch(error){throw R.located(error,entry,n)}})",
    ].join("\n");
  }
}
