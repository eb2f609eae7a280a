import type { GoFunction, ReflectType, GoValue } from "../value/index.ts";
import type { ParseNode } from "../parse/node.ts";
import type { Literal } from "../run/argument.ts";
import type { CallSite } from "../run/exec-state.ts";

/** What compiled code refers to by number: values, types, paths, and literals whose type is only known at run time. */
type Constant = GoValue | ReflectType | Literal | readonly string[];

const longText = 200;

/**
 * Writes the JavaScript of one template. A template's text enters it only as JSON strings and as numbers of constants; variables
 * are numbered.
 */
export class CodeWriter {
  readonly nodes: ParseNode[] = [];
  readonly calls: CallSite[] = [];
  readonly constants: Constant[] = [];
  readonly functions: GoFunction[] = [];
  readonly #paths = new Map<string, string>();
  readonly #nodeNumbers = new Map<ParseNode, number>();
  readonly #lines: string[] = [];
  #labels = 0;
  #variables = 0;
  #used = 0;
  #temporaries = 0;

  line(text: string): void {
    this.#lines.push(text);
  }

  /** A fresh label. */
  label(): string {
    return `b${this.#labels++}`;
  }

  /**
   * A slot for a value that lives until the end of the current statement. Slots are reused, so the stack frame of a long template
   * stays small and templates can nest deeply.
   */
  temporary(): string {
    const name = `t${this.#used++}`;
    this.#temporaries = Math.max(this.#temporaries, this.#used);
    return name;
  }

  /** Writes a statement and frees its slots. */
  statement(write: () => void): void {
    const before = this.#used;
    write();
    this.#used = before;
  }

  /** A variable that lives as long as the execution of the template. */
  variable(): string {
    return `v${this.#variables++}`;
  }

  node(node: ParseNode): number {
    const known = this.#nodeNumbers.get(node);
    if (known !== undefined) return known;
    this.#nodeNumbers.set(node, this.nodes.length);
    return this.nodes.push(node) - 1;
  }

  call(name: string, node: ParseNode): number {
    return this.calls.push({ name, node: this.node(node) }) - 1;
  }

  constant(value: Constant): string {
    const known = this.constants.indexOf(value);
    return `k${known >= 0 ? known : this.constants.push(value) - 1}`;
  }

  /** A list of field names. */
  path(names: readonly string[]): string {
    const text = names.join(".");
    const known = this.#paths.get(text) ?? this.constant(names);
    this.#paths.set(text, known);
    return known;
  }

  function(implementation: GoFunction): string {
    const known = this.functions.indexOf(implementation);
    return `f${known >= 0 ? known : this.functions.push(implementation) - 1}`;
  }

  text(text: string): string {
    return text.length > longText ? this.constant(text) : JSON.stringify(text);
  }

  /** The source of a factory for the template's function, given the runtime R, the constants K and the functions F. */
  source(): string {
    const constants = this.constants.map((_, index) => `k${index}=K[${index}]`);
    const functions = this.functions.map((_, index) => `f${index}=F[${index}].call`);
    const declared = [...constants, ...functions].join(",");
    const places = [...numbered("v", this.#variables), ...numbered("t", this.#temporaries)];
    const variables = places.length === 0 ? "" : `let ${places.join(",")};`;
    return [
      `"use strict";${declared === "" ? "" : `const ${declared};`}`,
      // The parentheses make V8 compile the function eagerly.
      `return (function(x,d,entry){let o="",n=-1;${variables}try{`,
      ...this.#lines,
      "return o}catch(error){throw R.located(error,entry,n)}})",
    ].join("\n");
  }
}

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => letter + index);
}
