import { composedValue, type CelRun } from "../../lang/cel/index.ts";
import type { CompiledExpression, CompiledPolicy, CompiledValidation } from "./compiled-policy.ts";

// Models apiserver pkg/admission/plugin/policy/validating/validator.go and pkg/admission/plugin/cel/activation.go

/** The cost that all validations of a policy may have for one request, and that its match conditions may have. */
const validationBudget = 10_000_000;
const matchBudget = validationBudget / 4;
const longestMessage = 5 * 1024;
const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

/** A decision against a request. */
export type Denial = { readonly message: string; readonly reason: string };

/** What an expression finds: all but the variables of the policy. */
export type Bindings = Readonly<Record<string, unknown>>;

/** No expression may be evaluated any more. */
class OutOfBudget extends Error {}

/** Evaluates expressions of one policy for one request, within one budget. */
class Evaluator {
  remaining: number;
  readonly #bindings: Bindings;
  /** The cost of variables that the expression at hand was the first to use. */
  #composed = 0;

  constructor(policy: CompiledPolicy, bindings: Bindings, budget: number) {
    this.remaining = budget;
    const variables = composedValue([...policy.variables.keys()], (name) => this.#variable(name, policy.variables.get(name)));
    this.#bindings = { ...bindings, variables };
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

/** The denials of a policy for one request and one parameter. */
export function evaluatePolicy(policy: CompiledPolicy, bindings: Bindings): { denials: readonly Denial[]; errors: readonly Denial[] } {
  try {
    const matched = matches(policy, { ...bindings, namespaceObject: null });
    if (matched !== true) return { denials: matched === false || policy.failsOpen ? [] : [failed(matched)], errors: [] };
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

/** Whether every condition holds; the message when it cannot be told. One that does not hold outweighs errors. */
function matches(policy: CompiledPolicy, bindings: Bindings): boolean | string {
  const evaluator = new Evaluator(policy, bindings, matchBudget);
  const runs = policy.matchConditions.map((condition) => evaluator.evaluate(condition));
  if (runs.some((run) => "value" in run && run.value === false)) return false;
  const errors = [...new Set(runs.flatMap((run) => ("error" in run ? [run.error] : [])))];
  if (errors.length === 0) return true;
  return errors.length === 1 ? errors[0]! : `[${errors.join(", ")}]`;
}

function validate(policy: CompiledPolicy, bindings: Bindings): readonly Denial[] {
  const evaluator = new Evaluator(policy, bindings, validationBudget);
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
  const evaluator = new Evaluator(policy, others, budget);
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
  const evaluator = new Evaluator(policy, others, validationBudget);
  const runs = policy.auditAnnotations.map((annotation) => evaluator.evaluate(annotation));
  return runs.flatMap((run) => ("error" in run ? [failed(run.error)] : []));
}
