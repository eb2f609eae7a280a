import { fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { CelProgram } from "../../lang/cel/index.ts";
import { compiledMatchConditions } from "../admission/index.ts";
import { compiledAs, type CompiledExpression, type EnvironmentOptions } from "../expression/index.ts";

export type CompiledValidation = CompiledExpression & {
  readonly message: string;
  readonly reason: string;
  readonly messageExpression: CompiledExpression | undefined;
};

/** The expressions of a policy. */
export type CompiledPolicy = {
  readonly failsOpen: boolean;
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly matchConditions: readonly CompiledExpression[];
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly CompiledExpression[];
};

const known = new WeakMap<KubeObject, CompiledPolicy>();

/** Compiles a stored policy, once. Models apiserver pkg/admission/plugin/policy/validating/plugin.go compilePolicy */
export function compiledPolicyOf(policy: KubeObject): CompiledPolicy {
  let compiled = known.get(policy);
  if (compiled === undefined) known.set(policy, (compiled = compilePolicy(fieldsAt(policy, "spec"))));
  return compiled;
}

function compilePolicy(spec: Fields): CompiledPolicy {
  const hasParams = (spec["paramKind"] ?? null) !== null;
  const variables = new Map<string, CompiledExpression>();
  const programs = new Map<string, CelProgram | undefined>();
  const options: EnvironmentOptions = { hasParams, hasAuthorizer: true, variables: programs };
  for (const variable of listAt(spec, "variables")) {
    const name = stringAt(variable, "name", "");
    const compiled = compiledAs(stringAt(variable, "expression", ""), [], options);
    variables.set(name, compiled);
    programs.set(name, "program" in compiled ? compiled.program : undefined);
  }
  return {
    failsOpen: spec["failurePolicy"] === "Ignore",
    variables,
    matchConditions: compiledMatchConditions(spec, options),
    validations: listAt(spec, "validations").map((each) => compiledValidation(each, options)),
    auditAnnotations: listAt(spec, "auditAnnotations").map((each) =>
      compiledAs(stringAt(each, "valueExpression", ""), ["string", "null_type"], options),
    ),
  };
}

function compiledValidation(validation: Fields, options: EnvironmentOptions): CompiledValidation {
  const message = stringAt(validation, "messageExpression", "");
  return {
    ...compiledAs(stringAt(validation, "expression", ""), ["bool"], options),
    message: stringAt(validation, "message", ""),
    reason: stringAt(validation, "reason", "Invalid"),
    messageExpression: message === "" ? undefined : compiledAs(message, ["string"], { ...options, hasAuthorizer: false }),
  };
}
