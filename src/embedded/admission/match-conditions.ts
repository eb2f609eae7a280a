import { listAt, stringAt, type Fields } from "../../core/object/index.ts";
import { aggregateMessages } from "../builtin/index.ts";
import {
  compiledAs,
  ExpressionEvaluator,
  OutOfBudget,
  type Bindings,
  type CompiledExpression,
  type EnvironmentOptions,
} from "../expression/index.ts";

// Models apiserver pkg/admission/plugin/webhook/matchconditions/matcher.go

/** What all match conditions of a webhook or of a policy may cost for one write. */
const budget = 2_500_000;

/** The match conditions of a webhook or of the specification of a policy. */
export function compiledMatchConditions(of: Fields, options: EnvironmentOptions): readonly CompiledExpression[] {
  return listAt(of, "matchConditions").map((condition) => compiledAs(stringAt(condition, "expression", ""), ["bool"], options));
}

/**
 * Whether all conditions hold. One that does not outweighs errors; otherwise these are returned for the failure policy to decide, as
 * is the end of the budget.
 */
export function holdingConditions(
  conditions: readonly CompiledExpression[],
  bindings: Bindings,
  variables?: ReadonlyMap<string, CompiledExpression>,
): boolean | { readonly error: string } {
  if (conditions.length === 0) return true;
  const evaluator = new ExpressionEvaluator(bindings, budget, variables === undefined ? {} : { variables });
  try {
    const runs = conditions.map((condition) => evaluator.evaluate(condition));
    if (runs.some((run) => "value" in run && run.value === false)) return false;
    const errors = runs.flatMap((run) => ("error" in run ? [run.error] : []));
    return errors.length === 0 ? true : { error: aggregateMessages(errors) };
  } catch (cause) {
    if (cause instanceof OutOfBudget) return { error: cause.message };
    throw cause;
  }
}
