import { charge, LimitError, type CostLimits } from "../../../core/cost/index.ts";
import { GoError, type GoValue } from "../value/index.ts";
import { quote } from "../print/quote.ts";
import type { TemplateSet } from "../template-set.ts";
import { LimitFailure, type NodeRef } from "./error.ts";
import type { TemplateEntry, ExecState } from "./exec-state.ts";

/** The limits of an execution. */
export type ExecLimits = CostLimits & {
  /** The longest output of any template, in UTF-16 units. Default: 256 Mi. */
  readonly output?: number;
  /** How deep templates may nest, `include` and the like included. Default: 2000. */
  readonly depth?: number;
};

/** The options of one execution. */
export type ExecOptions = {
  readonly limits?: ExecLimits;
  /** State of the caller, which functions declared with `executionFunction` read from `execution.host`. */
  readonly host?: unknown;
};

const turnsBetweenChecks = 1000;
/** A loop turn or a template call, as it takes time. */
const costOfTurn = 128;

/**
 * A running execution. Functions declared with `executionFunction` get it as their first parameter. What they execute through it
 * is under the same limits and keeps Go's errors.
 */
export class Execution implements ExecState {
  readonly templates: TemplateSet;
  readonly host: unknown;
  readonly missingKey: "default" | "zero" | "error";
  readonly maxOutput: number;
  readonly maxDepth: number;
  budget = turnsBetweenChecks;
  depth = 0;
  readonly #options: ExecOptions;

  constructor(templates: TemplateSet, options: ExecOptions) {
    this.templates = templates;
    this.#options = options;
    this.host = options.host;
    this.missingKey = templates.missingKey;
    this.maxOutput = options.limits?.output ?? 2 ** 28;
    this.maxDepth = options.limits?.depth ?? 2000;
  }

  /** Executes a template of the set. Throws Go's error if there is none. */
  execute(name: string, data: GoValue): string {
    const entry = this.templates.lookup(name);
    if (entry === undefined) {
      throw new GoError(`template: no template ${quote(name)} associated with template ${quote(this.templates.name)}`);
    }
    return this.executeEntry(entry, data);
  }

  /**
   * Parses a text into an extension of the set and executes it. Its definitions are visible only to itself and what it executes.
   * Throws a ParseError if the text does not parse (a nested one is the cause of an ExecError). Calls `parsed` after parsing.
   */
  render(name: string, text: string, data: GoValue, parsed?: () => void): string {
    const extended = this.templates.extend();
    const entry = extended.parse(name, text);
    parsed?.();
    const inner = new Execution(extended, this.#options);
    inner.depth = this.depth;
    inner.budget = this.budget;
    const output = inner.executeEntry(entry, data);
    this.budget = inner.budget;
    return output;
  }

  executeEntry(entry: TemplateEntry, data: GoValue): string {
    if (this.depth >= this.maxDepth) throw new LimitError(`template ${entry.name}: templates call one another too deep`);
    this.depth++;
    const output = entry.program.run(this, data === null ? undefined : data, entry);
    this.depth--;
    charge(output.length);
    if (--this.budget < 0 || output.length > this.maxOutput) this.check(output.length);
    return output;
  }

  lookup(name: string): TemplateEntry | undefined {
    return this.templates.lookup(name);
  }

  check(size: number, node?: NodeRef): void {
    try {
      if (size > this.maxOutput) throw new LimitError(`the output is longer than the ${this.maxOutput} characters allowed`);
      this.budget = turnsBetweenChecks;
      charge(turnsBetweenChecks * costOfTurn);
    } catch (error) {
      throw error instanceof LimitError && node !== undefined ? new LimitFailure(error.message, node) : error;
    }
  }
}
