import { stringAt, stringsAt, type Fields } from "../../core/object/index.ts";

/** What rules are matched with. Models apiserver pkg/admission/plugin/webhook/predicates/rules/rules.go */
export type MatchedRequest = {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  /** Of a Namespace, its own name. */
  readonly namespace: string;
};

export function matchesRule(rule: Fields, request: MatchedRequest): boolean {
  return (
    matchesScope(stringAt(rule, "scope", "*"), request) &&
    includes(stringsAt(rule, "operations"), request.operation) &&
    includes(stringsAt(rule, "apiGroups"), request.group) &&
    includes(stringsAt(rule, "apiVersions"), request.version) &&
    stringsAt(rule, "resources").some((resource) => matchesResource(resource, request))
  );
}

function includes(patterns: readonly string[], value: string): boolean {
  return patterns.includes("*") || patterns.includes(value);
}

function matchesScope(scope: string, request: MatchedRequest): boolean {
  if (scope === "*") return true;
  const isCluster = request.namespace === "" || (request.group === "" && request.plural === "namespaces");
  return scope === "Cluster" ? isCluster : scope === "Namespaced" && !isCluster;
}

function matchesResource(pattern: string, { plural, subresource }: MatchedRequest): boolean {
  const slash = pattern.indexOf("/");
  const [resource, part] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (resource === "*" || resource === plural) && (part === "*" || part === subresource);
}

const exemptKinds = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"].concat(
  ["Validating", "Mutating"].flatMap((what) => [`${what}AdmissionPolicy`, `${what}AdmissionPolicyBinding`]),
);

/** Nothing stands in the way of changes to what configures admission. */
export function isExemptFromWebhooks({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return group === "admissionregistration.k8s.io" && exemptKinds.includes(kind);
}
