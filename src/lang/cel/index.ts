/**
 * CEL as the API server uses it. Expressions are compiled once, checked against the schemas of their variables, and evaluated on
 * JSON within a cost limit. Integers stay integers, messages are cel-go's, and the functions are those of the API server.
 *
 * Pure. It knows no cluster and no source of expressions. An expression reaches its variables only: names such as `__proto__` are
 * ordinary keys.
 */
export { compileCel, estimateCelCost, type CelProgram, type CelRun, type VariableDeclaration } from "./compile.ts";
export { composedValue } from "./composed-value.ts";
export { authorizerValue, resourceCheckValue, type AskAuthorizer } from "./library/authz.ts";
export type { CelSchema } from "./schema.ts";
export { CelEvaluationError, CelProgramError } from "./failure.ts";
