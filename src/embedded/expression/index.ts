/**
 * Expressions of CEL that take part in admission: what they may name, what they may cost, and what is wrong with them.
 *
 * It knows the variables that they see, and nothing of who evaluates them: policies and the match conditions of webhooks do.
 */
export { compileExpression, ExpressionError, type EnvironmentOptions } from "./compile-expression.ts";
export { compiledAs, type CompiledExpression } from "./compiled-expression.ts";
export { compileErrors, compiledOrErrors } from "./expression-errors.ts";
export { ExpressionEvaluator, OutOfBudget, type Bindings } from "./expression-evaluator.ts";
