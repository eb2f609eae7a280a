import type { Json } from "../../../src/core/object/index.ts";
import { httpDelete, httpGet, httpPost, type ConformanceCase } from "../conformance-case.ts";
import { policiesPath, binding, bindingsPath, configMapRules, policy, group } from "./policy-steps.ts";

type Fields = { readonly [field: string]: Json };

const object = { apiVersion: group, kind: "ValidatingAdmissionPolicy", metadata: { name: "{ns}-p" } };
const refusedPolicies: Record<string, Fields> = {
  empty: {},
  "no-rules": { matchConstraints: {}, validations: [{ expression: "true" }] },
  rules: {
    failurePolicy: "Maybe",
    matchConstraints: {
      matchPolicy: "Nearly",
      namespaceSelector: { matchLabels: { "a b": "c" } },
      resourceRules: [
        {
          apiGroups: [],
          apiVersions: ["*", "v1"],
          operations: ["READ"],
          resources: ["pods", "*"],
          resourceNames: ["a", "a", "b/c"],
          scope: "Some",
        },
      ],
    },
    validations: [{ expression: "true" }],
  },
  expressions: {
    matchConstraints: { resourceRules: configMapRules },
    matchConditions: [
      { name: "", expression: "" },
      { name: "a", expression: "object.x" },
      { name: "a", expression: "1 +" },
      { name: "p", expression: "params.x == 1" },
    ],
    variables: [
      { name: "1a", expression: "1" },
      { name: "in", expression: "true" },
      { name: "b", expression: "nothing" },
      { name: "", expression: " " },
    ],
    validations: [
      { expression: " " },
      { expression: "1" },
      { expression: "undeclared" },
      { expression: "object.a == 'b' &&" },
      { expression: "variables.missing == 1" },
      { expression: "true", message: " ", messageExpression: " ", reason: "Conflict" },
      { expression: "true", message: "a\nb", messageExpression: "1" },
      { expression: "true", messageExpression: "string(authorizer.path('/').check('get').allowed())" },
    ],
  },
  "audit-annotations": {
    matchConstraints: { resourceRules: configMapRules },
    auditAnnotations: [
      { key: "a b", valueExpression: "1" },
      { key: "c", valueExpression: " " },
      { key: "c", valueExpression: "'x'" },
    ],
  },
  "param-kind": {
    paramKind: { apiVersion: "a/b/c", kind: "A B" },
    matchConstraints: { resourceRules: configMapRules },
    validations: [{ expression: "true" }],
  },
};
const refusedBindings: Record<string, Fields> = {
  empty: {},
  actions: { policyName: "A_B", validationActions: ["Deny", "Warn", "Deny", "Log"] },
  "param-ref": { policyName: "a", validationActions: ["Deny"], paramRef: { name: "a/b", selector: { matchLabels: { "a b": "c" } } } },
  "no-param": { policyName: "a", validationActions: ["Deny"], paramRef: { parameterNotFoundAction: "Maybe" } },
};

/** What is wrong with policies and bindings. */
export const policyValidationCases: readonly ConformanceCase[] = [
  ...Object.entries(refusedPolicies).map(([name, spec]): ConformanceCase => ({
    id: `admission-policy/invalid-${name}`,
    title: `what is wrong with a policy: ${name}`,
    steps: [httpPost(policiesPath, { ...object, spec }, { expect: 422 })],
  })),
  {
    id: "admission-policy/invalid-bindings",
    title: "what is wrong with bindings",
    steps: Object.values(refusedBindings).map((spec) => httpPost(bindingsPath, { ...binding(), spec }, { expect: 422 })),
  },
  {
    id: "admission-policy/type-checking",
    title: "the status says what does not fit the kinds of the rules",
    steps: [
      httpPost(
        policiesPath,
        policy(
          {
            variables: [{ name: "spec", expression: "object.spec" }],
            validations: [
              { expression: "object.spec.replicas > 1", messageExpression: "object.spec.replicass" },
              { expression: "object.spec.strategy == 'x'" },
              { expression: "variables.spec.nothing == 1" },
            ],
          },
          { resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments", "daemonsets"] }] },
        ),
        { show: [], expect: 422 },
      ),
      httpPost(
        policiesPath,
        policy(
          {
            validations: [
              { expression: "object.spec.replicas > 1", message: "few" },
              { expression: "object.spec.nothing == 1", messageExpression: "'is ' + string(object.spec.other)" },
            ],
          },
          { resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments"] }] },
        ),
        { show: [] },
      ),
      { waitFor: `${policiesPath}/{ns}-p`, until: { "status.observedGeneration": 1 }, show: ["status"] },
      httpGet(`${policiesPath}/{ns}-p`, { show: ["metadata.managedFields"] }),
      httpDelete(`${policiesPath}/{ns}-p`, undefined, { show: [] }),
    ],
  },
];
