import type { Json } from "../../../src/core/object/index.ts";
import { configMap, httpDelete, httpPost, type ConformanceCase } from "../conformance-case.ts";
import { policyMatchCases } from "./policy-match.ts";
import { bindingsPath, binding, refused, allowed, bad, guarded, withPolicy, validations, costlyExpression } from "./policy-steps.ts";
import { policyValidationCases } from "./policy-validation.ts";
import { establishSteps, sizeSchema, widget, widgetCrdOf, widgetsPath } from "./widget.ts";

type Fields = { readonly [field: string]: Json };

/** Expressions that deny `bad`, each with what it shows. */
const denials: Record<string, Fields> = {
  "failed-expression": { expression: "  object.data.a != '1'  " },
  message: { expression: "object.data.a != '1'", message: "  a must not be one " },
  "message-expression": { expression: "object.data.a != '1'", message: "other", messageExpression: "'a is ' + object.data.a" },
  "message-fails": { expression: "object.data.a != '1'", message: "fallback", messageExpression: "string(object.data.missing)" },
  "message-lines": { expression: "object.data.a != '1'", messageExpression: "'one\\ntwo'" },
  "message-empty": { expression: "object.data.a != '1'", message: "fallback", messageExpression: "'  '" },
  "evaluation-error": { expression: "object.data.missing == 'x'" },
  "index-error": { expression: "[1, 2][5] == 1" },
  "type-error": { expression: "object.data.a + 1 == 2" },
  "null-old-object": { expression: "oldObject.metadata.name == 'x'" },
  "cost-of-one": { expression: costlyExpression },
  request: {
    expression: "request.operation == 'DELETE'",
    messageExpression:
      "[request.kind.kind, request.resource.resource, request.operation, request.name, request.userInfo.username, string(request.dryRun), string(has(request.subResource)), string(has(request.options.dryRun))].join(' ')",
  },
  "namespace-object": {
    expression: "namespaceObject.metadata.name == 'x'",
    messageExpression: "namespaceObject.status.phase + ' ' + string(has(namespaceObject.metadata.labels))",
  },
  libraries: {
    expression: "false",
    messageExpression:
      "[string(quantity('1Ki').isGreaterThan(quantity('1k'))), string(ip('192.0.2.1').family()), string(cidr('10.0.0.0/8').containsIP('10.1.2.3')), url('https://a.b/c').getHost(), 'abc'.find('b.'), string([3,1,2].max()), string(isSemver('1.2.3')), '%d of %s'.format([1, 'two']), string(sets.contains([1,2],[1]))].join('; ')",
  },
  authorizer: {
    expression: "!authorizer.group('').resource('configmaps').namespace('default').check('create').allowed()",
    message: "may create",
  },
  "request-resource": {
    expression: "!authorizer.requestResource.check('create').allowed()",
    message: "may create this",
  },
  "service-account": {
    expression: "authorizer.serviceAccount('default', 'nobody').path('/secret').check('get').allowed()",
    message: "nobody may not",
  },
};

const denialCases = Object.entries(denials).map(([name, validation]): ConformanceCase => ({
  id: `admission-policy/deny-${name}`,
  title: `a policy denies a ConfigMap: ${name}`,
  steps: withPolicy(validations(validation), [guarded, refused(bad)]),
}));

const reasons: Record<string, number> = { Forbidden: 403, Invalid: 422, RequestEntityTooLarge: 413 };
const reasonCases = Object.entries(reasons).map(([reason, code]): ConformanceCase => ({
  id: `admission-policy/reason-${reason.toLowerCase()}`,
  title: `the reason ${reason} decides the code`,
  steps: withPolicy({ validations: [{ expression: "false", message: "no", reason }] }, [refused(bad, code)]),
}));

const noGuard = { expression: "object.metadata.name != 'guard'", message: "guarded" };
const limit = {
  expression: "params == null || !has(object.data) || !('a' in object.data) || object.data.a != params.spec.name",
  messageExpression: "'not ' + string(params.spec.name)",
};
const param = (name: string, forbidden: string) => widget({ name: forbidden }, { name, labels: { params: "yes" } });
/** Each case has a kind of parameters of its own: a real server stops to watch a kind when a policy goes. */
const needsParams = (kind: string) => ({ paramKind: { apiVersion: "v1", kind }, validations: [noGuard, limit] });

const paramCases: readonly ConformanceCase[] = [
  {
    id: "admission-policy/params",
    title: "parameters are named or selected, and each of them counts",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      httpPost(widgetsPath, param("one", "1"), { show: [] }),
      httpPost(widgetsPath, param("two", "2"), { show: [] }),
      ...withPolicy(
        // Until a real server knows the kind of the parameters, the binding fails, and the write is let in.
        { failurePolicy: "Ignore", paramKind: { apiVersion: "{group}/v1", kind: "Widget" }, validations: [noGuard, limit] },
        [
          refused(bad),
          allowed(configMap("good", { data: { a: "2" } })),
          httpPost(
            bindingsPath,
            {
              ...binding({ paramRef: { selector: { matchLabels: { params: "yes" } }, parameterNotFoundAction: "Deny" } }),
              metadata: { name: "{ns}-c" },
            },
            { show: ["spec"] },
          ),
          refused(configMap("other", { data: { a: "2" } })),
          allowed(configMap("good", { data: { a: "3" } })),
          httpDelete(`${bindingsPath}/{ns}-c`, undefined, { show: [] }),
        ],
        { paramRef: { name: "one", parameterNotFoundAction: "Allow" } },
      ),
    ],
  },
  {
    id: "admission-policy/params-missing-deny",
    title: "without its parameter a binding denies everything",
    steps: withPolicy(needsParams("Secret"), [refused(bad)], { paramRef: { name: "none", parameterNotFoundAction: "Deny" } }),
  },
  {
    id: "admission-policy/params-missing-allow",
    title: "without its parameter a binding is not asked",
    steps: withPolicy(needsParams("ResourceQuota"), [allowed(bad)], { paramRef: { name: "none", parameterNotFoundAction: "Allow" } }),
  },
  {
    id: "admission-policy/params-none",
    title: "a binding without a reference has null as parameter",
    steps: withPolicy(needsParams("LimitRange"), [guarded, allowed(bad)]),
  },
  {
    id: "admission-policy/params-unknown-kind",
    title: "a kind of parameters that is not served makes the binding fail",
    steps: withPolicy({ paramKind: { apiVersion: "no.example.com/v1", kind: "Nothing" }, validations: [noGuard] }, [refused(bad)], {
      paramRef: { name: "none", parameterNotFoundAction: "Allow" },
    }),
  },
];

/** ValidatingAdmissionPolicy. */
export const admissionPolicyCases: readonly ConformanceCase[] = [
  ...denialCases,
  ...reasonCases,
  ...paramCases,
  ...policyMatchCases,
  ...policyValidationCases,
];
