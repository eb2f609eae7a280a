import type { CelRun } from "../../lang/cel/index.ts";
import { holdingConditions } from "../admission/index.ts";
import { ExpressionEvaluator, OutOfBudget, type Bindings } from "../expression/index.ts";
import type { CompiledPolicy, CompiledValidation } from "./compiled-policy.ts";

// Models apiserver pkg/admission/plugin/policy/validating/validator.go

/** The cost that all validations of a policy may have for one request. */
const validationBudget = 10_000_000;
const longestMessage = 5 * 1024;

/** A decision against a request. */
export type Denial = { readonly message: string; readonly reason: string };

/** The denials of a policy for one request and one parameter. */
export function evaluatePolicy(policy: CompiledPolicy, bindings: Bindings): { denials: readonly Denial[]; errors: readonly Denial[] } {
  try {
    const matched = holdingConditions(policy.matchConditions, { ...bindings, namespaceObject: null }, policy.variables);
    if (matched === false) return { denials: [], errors: [] };
    if (matched !== true) return { denials: policy.failsOpen ? [] : [failed(matched.error)], errors: [] };
    const denials = validate(policy, bindings);
    return { denials, errors: policy.failsOpen ? [] : auditErrors(policy, bindings) };
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return { denials: policy.failsOpen ? [] : [failed(error.message)], errors: [] };
  }
}

function failed(message: string): Denial {
  return { message, reason: "Invalid" };
}

function validate(policy: CompiledPolicy, bindings: Bindings): readonly Denial[] {
  const evaluator = new ExpressionEvaluator(bindings, validationBudget, policy);
  const runs = policy.validations.map((validation) => ({ validation, run: evaluator.evaluate(validation) }));
  const messages = messagesOf(policy, bindings, evaluator.remaining);
  return runs.flatMap(({ validation, run }, index): readonly Denial[] => {
    if ("error" in run) return policy.failsOpen ? [] : [failed(run.error)];
    if (typeof messages === "string") return policy.failsOpen ? [] : [failed(`failed messageExpression: ${messages}`)];
    return run.value === true ? [] : [{ message: messageFor(validation, messages[index]), reason: validation.reason }];
  });
}

/** The results of the message expressions; the message when they cost too much. */
function messagesOf(policy: CompiledPolicy, bindings: Bindings, budget: number): readonly (CelRun | undefined)[] | string {
  const { authorizer: _none, "authorizer.requestResource": _neither, ...others } = bindings;
  const evaluator = new ExpressionEvaluator(others, budget, policy);
  try {
    return policy.validations.map(({ messageExpression }) =>
      messageExpression === undefined ? undefined : evaluator.evaluate(messageExpression),
    );
  } catch (error) {
    if (error instanceof OutOfBudget) return error.message;
    throw error;
  }
}

function messageFor({ message, source }: CompiledValidation, evaluated: CelRun | undefined): string {
  const value = evaluated !== undefined && "value" in evaluated ? evaluated.value : undefined;
  const own = typeof value === "string" ? value.trim() : "";
  if (own !== "" && Buffer.byteLength(own) <= longestMessage && !own.includes("\n")) return own;
  return message.trim() === "" ? `failed expression: ${source.trim()}` : message.trim();
}

/** Audit annotations are written nowhere; those that fail deny the request. */
function auditErrors(policy: CompiledPolicy, bindings: Bindings): readonly Denial[] {
  const { authorizer: _none, "authorizer.requestResource": _neither, ...others } = bindings;
  const evaluator = new ExpressionEvaluator(others, validationBudget, policy);
  const runs = policy.auditAnnotations.map((annotation) => evaluator.evaluate(annotation));
  return runs.flatMap((run) => ("error" in run ? [failed(run.error)] : []));
}
