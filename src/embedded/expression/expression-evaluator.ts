import { composedValue, type CelRun } from "../../lang/cel/index.ts";
import type { CompiledExpression } from "./compiled-expression.ts";

// Models apiserver pkg/admission/plugin/cel/activation.go

/** What an expression finds: all but the variables of a policy. */
export type Bindings = Readonly<Record<string, unknown>>;

/** No expression may be evaluated any more. */
export class OutOfBudget extends Error {}

const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

type EvaluatorOptions = {
  /** The variables of a policy, by their names. Default: there is no such thing as `variables`. */
  readonly variables?: ReadonlyMap<string, CompiledExpression>;
};

/** Evaluates expressions about one write, within one budget. */
export class ExpressionEvaluator {
  /** What the next expressions may cost. */
  remaining: number;
  readonly #bindings: Bindings;
  /** The cost of variables that the expression at hand was the first to use. */
  #composed = 0;

  constructor(bindings: Bindings, budget: number, { variables }: EvaluatorOptions = {}) {
    this.remaining = budget;
    if (variables === undefined) {
      this.#bindings = bindings;
      return;
    }
    const composed = composedValue([...variables.keys()], (name) => this.#variable(name, variables.get(name)));
    this.#bindings = { ...bindings, variables: composed };
  }

  /** The result of an expression, or the message of its failure. Throws an OutOfBudget. */
  evaluate(expression: CompiledExpression): CelRun {
    if ("error" in expression) return { error: `compilation error: ${expression.error}`, cost: 0 };
    const run = expression.program.run(this.#bindings);
    const cost = run.cost + this.#composed;
    this.#composed = 0;
    if (cost > this.remaining) throw new OutOfBudget(outOfBudget);
    this.remaining -= cost;
    return "error" in run ? { ...run, error: `expression '${expression.source}' resulted in error: ${run.error}` } : run;
  }

  #variable(name: string, expression: CompiledExpression | undefined): CelRun {
    const title = `composited variable ${JSON.stringify(name)}`;
    if (expression === undefined || "error" in expression)
      return { error: `${title} fails to compile: ${expression?.error ?? ""}`, cost: 0 };
    const run = expression.program.run(this.#bindings);
    this.#composed += run.cost;
    return "error" in run ? { ...run, error: `${title} fails to evaluate: ${run.error}` } : run;
  }
}
