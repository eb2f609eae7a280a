/**
 * CEL as Kubernetes uses it: expressions are compiled once, checked against the schemas of their variables, and evaluated
 * on JSON within a budget. Integers are integers, messages are cel-go's, and the functions are those of the API server.
 *
 * Pure. It knows no cluster, no objects but JSON, and nothing of where expressions come from. An expression reaches what
 * it is given and nothing else: names of JavaScript are keys like any other.
 */
export { compileCel, type CelProgram } from "./compile.ts";
export { CelEvaluationError, CelProgramError } from "./failure.ts";
