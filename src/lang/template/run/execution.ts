import { GoError, type GoValue } from "../value/index.ts";
import { quote } from "../print/quote.ts";
import type { TemplateSet } from "../template-set.ts";
import { LimitError } from "./error.ts";
import type { TemplateEntry, ExecState } from "./exec-state.ts";

/** What an execution may use up. */
export type ExecLimits = {
  /** Asked every thousand turns of loops and calls of templates; true stops the execution. Default: never. */
  readonly outOfTime?: () => boolean;
  /** The longest output of any template, in UTF-16 units. Default: 256 Mi. */
  readonly output?: number;
  /** How deep templates may call one another, `include` and the like counted. Default: 2000. */
  readonly depth?: number;
};

/** How one execution is run. */
export type ExecOptions = {
  readonly limits?: ExecLimits;
  /** What functions declared with `runFunction` find in `run.host`: the state of whoever started the execution. */
  readonly host?: unknown;
};

const turnsBetweenChecks = 1000;

/**
 * An execution while it runs. Functions declared with `runFunction` are handed it as their first parameter; what they
 * execute through it is under the same limits, and its errors keep Go's text.
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

  /** The output of a template of the same set; the error of one that is not there is Go's. */
  execute(name: string, data: GoValue): string {
    const entry = this.templates.lookup(name);
    if (entry === undefined) {
      throw new GoError(`template: no template ${quote(name)} associated with template ${quote(this.templates.name)}`);
    }
    return this.executeEntry(entry, data);
  }

  /**
   * The output of a text that is parsed under a name into an extension of the set: what it defines is seen by itself and
   * by what it executes, and by nothing else. Throws a ParseError if the text itself does not parse (one from further
   * inside is the cause of an ExecError); `parsed` is told once it has.
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
    if (--this.budget < 0 || output.length > this.maxOutput) this.check(output.length);
    return output;
  }

  lookup(name: string): TemplateEntry | undefined {
    return this.templates.lookup(name);
  }

  check(size: number): void {
    if (size > this.maxOutput) throw new LimitError(`the output is longer than the ${this.maxOutput} characters allowed`);
    this.budget = turnsBetweenChecks;
    if (this.#options.limits?.outOfTime?.() === true) throw new LimitError("the templates take longer than allowed");
  }
}
