import { listAt, stringsAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { Attributes, ResourceAttributes } from "./attributes.ts";

/** A rule of a Role or ClusterRole. Lists that it does not have are empty. */
export type PolicyRule = {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
};

const anything: PolicyRule = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] };

/** Rules that allow everything. */
export const everything: readonly PolicyRule[] = [anything, { ...anything, apiGroups: [], resources: [], nonResourceURLs: ["*"] }];

const compiled = new WeakMap<KubeObject, readonly PolicyRule[]>();

/** The rules of a role. Objects are immutable, so each is read once. */
export function rulesOf(role: KubeObject): readonly PolicyRule[] {
  let rules = compiled.get(role);
  if (rules === undefined) compiled.set(role, (rules = listAt(role, "rules").map(ruleOf)));
  return rules;
}

function ruleOf(rule: Fields): PolicyRule {
  return {
    verbs: stringsAt(rule, "verbs"),
    apiGroups: stringsAt(rule, "apiGroups"),
    resources: stringsAt(rule, "resources"),
    resourceNames: stringsAt(rule, "resourceNames"),
    nonResourceURLs: stringsAt(rule, "nonResourceURLs"),
  };
}

/** Models pkg/apis/rbac/v1/evaluation_helpers.go */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!contains(rule.verbs, attributes.verb)) return false;
  return "path" in attributes ? urlMatches(rule, attributes.path) : resourceMatches(rule, attributes);
}

function contains(values: readonly string[], value: string): boolean {
  return values.includes("*") || values.includes(value);
}

function resourceMatches(rule: PolicyRule, { group, resource, subresource, name }: ResourceAttributes): boolean {
  if (!contains(rule.apiGroups, group)) return false;
  if (rule.resourceNames.length > 0 && !rule.resourceNames.includes(name)) return false;
  if (subresource === "") return contains(rule.resources, resource);
  return contains(rule.resources, `${resource}/${subresource}`) || rule.resources.includes(`*/${subresource}`);
}

function urlMatches({ nonResourceURLs }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some((url) => url === "*" || url === path || (url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""))));
}

/** A rule as escalation errors print it. Models CompactString of the same file. */
export function compactRuleText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = {
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  };
  const given = Object.entries(parts).filter(([, values]) => values.length > 0);
  return `{${given.map(([name, values]) => `${name}:${quotedList(values)}`).join(", ")}}`;
}

/** A list as Go's %q prints it. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}
