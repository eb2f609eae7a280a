import type { Json } from "../../../src/core/object/index.ts";
import { configMap, configMapsPath, httpDelete, httpPost, type CaseStep } from "../conformance-case.ts";

type Fields = { readonly [field: string]: Json };

export const group = "admissionregistration.k8s.io/v1";
export const policiesPath = `/apis/${group}/validatingadmissionpolicies`;
export const bindingsPath = `/apis/${group}/validatingadmissionpolicybindings`;
const inNamespace = { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } };
export const configMapRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }];

/** A policy that looks at the namespace of its case alone. */
export const policy = (spec: Fields, constraints: Fields = {}) => ({
  apiVersion: group,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "{ns}-p" },
  spec: { matchConstraints: { namespaceSelector: inNamespace, resourceRules: configMapRules, ...constraints }, ...spec },
});
export const binding = (spec: Fields = {}) => ({
  apiVersion: group,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "{ns}-b" },
  spec: { policyName: "{ns}-p", validationActions: ["Deny"], ...spec },
});
export const clean = [
  httpDelete(`${bindingsPath}/{ns}-b`, undefined, { show: [] }),
  httpDelete(`${policiesPath}/{ns}-p`, undefined, { show: [] }),
];

/** A write that the policy must refuse. A real server lets it in until it has seen the policy. */
export const refused = (body: Json, expect = 422) => httpPost(`${configMapsPath}?dryRun=All`, body, { expect, early: 201 });
export const allowed = (body: Json) => httpPost(`${configMapsPath}?dryRun=All`, body, { show: [] });
export const bad = configMap("bad", { data: { a: "1" } });
/** Every policy of the suite refuses this name, so that a case can tell when its policy counts. */
export const guard = { expression: "object == null || object.metadata.name != 'guard'", message: "guarded" };
export const guarded = refused(configMap("guard"));

export const withPolicy = (spec: Fields, steps: readonly CaseStep[], of: Fields = {}, constraints: Fields = {}): readonly CaseStep[] => [
  httpPost(policiesPath, policy(spec, constraints), { show: ["spec", "metadata.generation"] }),
  httpPost(bindingsPath, binding(of), { show: ["spec"] }),
  ...steps,
  ...clean,
];

export const validations = (...all: Fields[]): Fields => ({ validations: [guard, ...all] });

/** An expression that costs more than one may. */
export const costlyExpression =
  "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a + b + c + d + e + f > 0))))))";

/** An expression that costs some 350,000 of what all may cost together. */
export const dearExpression =
  "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, a > 0)))))";
