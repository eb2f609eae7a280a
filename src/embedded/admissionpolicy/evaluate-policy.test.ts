import assert from "node:assert/strict";
import { test } from "node:test";
import { authorizerValue, resourceCheckValue } from "../../lang/cel/index.ts";
import { compiledPolicyOf } from "./compiled-policy.ts";
import { evaluatePolicy } from "./evaluate-policy.ts";

const ask = () => ({ allowed: true, reason: "" });
const bindings = {
  object: { metadata: { name: "a" } },
  oldObject: null,
  params: null,
  namespaceObject: null,
  request: { operation: "CREATE" },
  authorizer: authorizerValue(ask),
  "authorizer.requestResource": resourceCheckValue(ask, { group: "", resource: "pods", subresource: "", namespace: "", name: "a" }),
};

const ten = "[1,2,3,4,5,6,7,8,9,10]";
/** Costs some 350,000 of the 10,000,000 that all may cost. */
const dear = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, ${ten}.all(e, a > 0)))))`;
const check = "authorizer.group('').resource('pods').check('get').allowed()";
const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

const cases: Record<string, [spec: object, denials: readonly string[]]> = {
  "all validations hold": [{ validations: [{ expression: "true" }] }, []],
  "each denial is told": [
    { validations: [{ expression: "false", message: "one" }, { expression: "1 == 2" }] },
    ["one", "failed expression: 1 == 2"],
  ],
  "what together costs too much is one denial": [{ validations: Array.from({ length: 40 }, () => ({ expression: dear })) }, [outOfBudget]],
  "and none with failurePolicy Ignore": [
    { failurePolicy: "Ignore", validations: Array.from({ length: 40 }, () => ({ expression: dear })) },
    [],
  ],
  "an expression may ask the authorizer twice, not thrice": [
    { validations: [{ expression: `${check} && ${check}` }, { expression: `${check} && ${check} && ${check}` }] },
    [`expression '${check} && ${check} && ${check}' resulted in error: operation cancelled: actual cost limit exceeded`],
  ],
  "a variable is evaluated once, and its cost counts": [
    {
      variables: [{ name: "dear", expression: dear }],
      validations: Array.from({ length: 40 }, () => ({ expression: "variables.dear" })),
    },
    [],
  ],
  "a variable that uses itself is not there": [
    {
      variables: [{ name: "self", expression: "variables.self" }],
      validations: [{ expression: "variables.self == 1" }],
    },
    [
      "expression 'variables.self == 1' resulted in error: composited variable \"self\" fails to compile: compilation failed: ERROR: <input>:1:10: undefined field 'self'\n | variables.self\n | .........^",
    ],
  ],
  "an annotation that fails denies": [
    { auditAnnotations: [{ key: "a", valueExpression: "string(object.missing)" }] },
    ["expression 'string(object.missing)' resulted in error: no such key: missing"],
  ],
};

for (const [name, [spec, expected]] of Object.entries(cases)) {
  test(`policy: ${name}`, () => {
    const policy = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingAdmissionPolicy", metadata: { name: "p" }, spec };
    const { denials, errors } = evaluatePolicy(compiledPolicyOf(policy), bindings);
    assert.deepEqual(
      [...denials, ...errors].map(({ message }) => message),
      expected,
    );
  });
}
