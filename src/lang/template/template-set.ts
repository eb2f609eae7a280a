import { LimitError, withinCost } from "../../core/cost/index.ts";
import { GoError, type GoValue } from "./value/index.ts";
import type { Engine } from "./engine.ts";
import { ParseError } from "./parse/token-reader.ts";
import { quote } from "./print/quote.ts";
import type { TemplateEntry } from "./run/exec-state.ts";
import { Execution, type ExecOptions } from "./run/execution.ts";

export type SetOptions = {
  /** The result for a missing key of a map: nothing (the default), the zero value of the element type, or an error. */
  readonly missingKey?: "default" | "zero" | "error";
  /** The name of the set, for the error of a missing template. Default: empty. */
  readonly name?: string;
};

/** Templates that call one another by name. */
export class TemplateSet {
  readonly name: string;
  readonly missingKey: "default" | "zero" | "error";
  readonly #engine: Engine;
  readonly #options: SetOptions;
  readonly #parent: TemplateSet | undefined;
  readonly #entries = new Map<string, TemplateEntry>();

  constructor(engine: Engine, options: SetOptions, parent?: TemplateSet) {
    this.#engine = engine;
    this.#options = options;
    this.#parent = parent;
    this.name = options.name ?? "";
    this.missingKey = options.missingKey ?? "default";
  }

  /**
   * Parses a text under a name, with its definitions, and returns the template of the text. A template replaces one of the same
   * name unless it has only white space. Throws a ParseError.
   */
  parse(name: string, text: string): TemplateEntry {
    const { main, defined } = this.#engine.compile(name, text);
    let own: TemplateEntry = { name, source: name, program: main };
    for (const [defines, program] of defined) {
      const entry = { name: defines, source: name, program };
      if (defines === name) own = chosen(own, entry);
      else this.#add(entry);
    }
    this.#add(own);
    return own;
  }

  #add(entry: TemplateEntry): void {
    if (entry.program.isEmpty && this.lookup(entry.name) !== undefined) return;
    this.#entries.set(entry.name, entry);
  }

  /** A set with all templates of this one. Additions do not change this one. */
  extend(): TemplateSet {
    return new TemplateSet(this.#engine, this.#options, this);
  }

  lookup(name: string): TemplateEntry | undefined {
    return this.#entries.get(name) ?? this.#parent?.lookup(name);
  }

  /** The names of all templates. */
  names(): string[] {
    return [...new Set([...(this.#parent?.names() ?? []), ...this.#entries.keys()])];
  }

  /** Executes a template. Throws an ExecError, or a LimitError. */
  execute(name: string, data: GoValue, options: ExecOptions = {}): string {
    try {
      return withinCost(options.limits ?? {}, () => new Execution(this, options).execute(name, data));
    } catch (error) {
      if (error instanceof LimitError && !error.isLocated) throw new LimitError(`${name}: ${error.message}`, { isLocated: true });
      throw error instanceof RangeError ? limitReached(name, error) : error;
    }
  }
}

/** A text may define a template of its own name if one of the two is empty. */
function chosen(main: TemplateEntry, defined: TemplateEntry): TemplateEntry {
  if (defined.program.isEmpty) return main;
  if (main.program.isEmpty) return defined;
  const line = main.program.text.split("\n").length;
  const complaint = `template: multiple definition of template ${quote(main.name)}`;
  throw new ParseError(`template: ${main.source}:${line}: ${complaint}`);
}

/** JavaScript's limits: the stack and the length of a string. */
function limitReached(name: string, error: RangeError): Error {
  if (/call stack/.test(error.message)) return new GoError(`template: ${name}: exceeded maximum template depth (100000)`, { cause: error });
  if (/string length/.test(error.message)) return new LimitError("the output is longer than any string can be");
  return error;
}
