import { stringAt, stringsAt, type Fields } from "../../core/object/index.ts";
import type { AdmissionAttributes } from "../builtin/index.ts";
import { nameOf, namespaceOf } from "./admission-request.ts";
import type { ResourceVersion } from "./match-context.ts";

// Models apiserver pkg/admission/plugin/webhook/predicates/rules/rules.go and pkg/admission/plugin/policy/matching/matching.go

/** Whether a rule means a write, taken as one of this version of its resource. Only policies name objects. */
export function matchesRule(rule: Fields, attributes: AdmissionAttributes, version: ResourceVersion): boolean {
  const { operation, subresource = "" } = attributes;
  const names = stringsAt(rule, "resourceNames");
  return (
    matchesScope(stringAt(rule, "scope", "*"), attributes, version) &&
    includes(stringsAt(rule, "operations"), operation) &&
    includes(stringsAt(rule, "apiGroups"), version.group) &&
    includes(stringsAt(rule, "apiVersions"), version.version) &&
    stringsAt(rule, "resources").some((resource) => matchesResource(resource, version.plural, subresource)) &&
    (names.length === 0 || names.includes(nameOf(attributes)))
  );
}

function includes(patterns: readonly string[], value: string): boolean {
  return patterns.includes("*") || patterns.includes(value);
}

/** A Namespace is in itself, and yet no object of a namespace. */
function matchesScope(scope: string, attributes: AdmissionAttributes, { group, plural }: ResourceVersion): boolean {
  if (scope === "*") return true;
  const isCluster = namespaceOf(attributes) === "" || (group === "" && plural === "namespaces");
  return scope === "Cluster" ? isCluster : scope === "Namespaced" && !isCluster;
}

function matchesResource(pattern: string, plural: string, subresource: string): boolean {
  const slash = pattern.indexOf("/");
  const [resource, part] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (resource === "*" || resource === plural) && (part === "*" || part === subresource);
}
