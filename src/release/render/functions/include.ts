import { charge, LimitError } from "../../../core/cost/index.ts";
import {
  GoError,
  ParseError,
  quote,
  executionFunction,
  type FunctionTable,
  type Execution,
  type GoValue,
} from "../../../lang/template/index.ts";
import { withoutNoValue } from "../no-value.ts";

/** Counts nested inclusions of each template during one rendering. */
export class Inclusions {
  readonly #counts = new Map<string, number>();

  /** Runs `work` while the template counts as included once more. */
  within(name: string, work: () => string): string {
    const count = this.#counts.get(name) ?? 0;
    if (count > maxInclusions) throw new GoError(`rendering template has a nested reference name: ${name}: unable to execute template`);
    this.#counts.set(name, count + 1);
    try {
      return work();
    } finally {
      this.#counts.set(name, count);
    }
  }
}

const maxInclusions = 1000;

/** Helm's name of the template set, under which `tpl` texts are parsed too. */
export const templateSetName = "gotpl";

/** `include` and `tpl`. */
export const includeFunctions: FunctionTable = {
  include: executionFunction("func(string, interface {}) (string, error)", (run: Execution, name: string, data: GoValue) =>
    run.host instanceof Inclusions ? run.host.within(name, () => run.execute(name, data)) : run.execute(name, data),
  ),
  tpl: executionFunction("func(string, interface {}) (string, error)", tpl),
};

/** A character of a template that is parsed. */
const costOfCharacter = 16;

function tpl(run: Execution, text: string, data: GoValue): string {
  // Most texts contain no template and are their own output.
  if (!text.includes("{{")) return withoutNoValue(text);
  charge(costOfCharacter * text.length);
  let isParsed = false;
  try {
    return withoutNoValue(run.render(templateSetName, text, data, () => (isParsed = true)));
  } catch (cause) {
    // The position in the text is not enough to find it.
    if (cause instanceof LimitError) throw new LimitError(cause.message);
    if (!(cause instanceof GoError) && !(cause instanceof ParseError)) throw cause;
    const doing = isParsed ? "error during tpl function execution for" : "cannot parse template";
    throw new GoError(`${doing} ${quote(text)}: ${cause.message}`, { cause });
  }
}
