import { isFields, labelSelectorOf, listAt, stringAt, type Fields, type LabelSelector } from "../../core/object/index.ts";
import type { AdmissionAttributes } from "../builtin/index.ts";
import { notFoundError } from "../status-error.ts";
import { namespaceOf } from "./admission-request.ts";
import type { MatchContext, ResourceVersion } from "./match-context.ts";
import { matchesRule } from "./rule-matcher.ts";

// Models apiserver pkg/admission/plugin/webhook/generic/webhook.go ShouldCallHook and pkg/admission/plugin/policy/matching/matching.go

const namespaces = "namespaces";

type Matching = Pick<MatchContext, "read" | "versionsOf">;

/** A webhook, or the constraints of a policy or of a binding: rules and selectors. */
type Criteria = Fields;

/**
 * The version of the resource in which a webhook or a policy is asked about a write; undefined when the write is none of its
 * business. Constraints without rules mean every write.
 */
export function matchedVersion(criteria: Criteria, attributes: AdmissionAttributes, context: Matching): ResourceVersion | undefined {
  const version = versionByRules(criteria, attributes, context);
  if (version === undefined || !matchesObject(criteria, attributes)) return undefined;
  return matchesNamespace(criteria, attributes, context) ? version : undefined;
}

function versionByRules(criteria: Criteria, attributes: AdmissionAttributes, { versionsOf }: Matching): ResourceVersion | undefined {
  const own = attributes.resource;
  const isExact = stringAt(criteria, "matchPolicy", "Equivalent") === "Exact";
  const others = isExact ? [] : versionsOf(own.key).filter(({ group, version }) => group !== own.group || version !== own.version);
  const matching = (rules: readonly Fields[]): ResourceVersion | undefined => {
    if (rules.some((rule) => matchesRule(rule, attributes, own))) return own;
    for (const rule of rules) {
      const other = others.find((each) => matchesRule(rule, attributes, each));
      if (other !== undefined) return other;
    }
    return undefined;
  };
  if (matching(listAt(criteria, "excludeResourceRules")) !== undefined) return undefined;
  const rules = [...listAt(criteria, "rules"), ...listAt(criteria, "resourceRules")];
  return rules.length === 0 && criteria["rules"] === undefined ? own : matching(rules);
}

/** An absent selector is an empty one here: the server defaults it. */
function selectorIn(criteria: Criteria, field: string): LabelSelector {
  const selector = criteria[field];
  return labelSelectorOf(isFields(selector) ? selector : {});
}

/** The object as it is or as it was. */
function matchesObject(criteria: Criteria, { object, live }: AdmissionAttributes): boolean {
  const selector = selectorIn(criteria, "objectSelector");
  if (selector.requirements.length === 0) return true;
  return [object, live].some((each) => each !== undefined && selector.matches(each.metadata.labels));
}

/** Objects without a namespace match every selector of namespaces; a Namespace is matched by the labels that it is to have. */
function matchesNamespace(criteria: Criteria, attributes: AdmissionAttributes, { read }: Matching): boolean {
  const { resource, subresource = "", operation, object } = attributes;
  const namespace = namespaceOf(attributes);
  if (namespace === "" && resource.key !== namespaces) return true;
  const selector = selectorIn(criteria, "namespaceSelector");
  if (selector.requirements.length === 0) return true;
  if (resource.key === namespaces && subresource === "" && operation !== "DELETE") return selector.matches(object.metadata.labels);
  const found = read(namespaces, "", namespace);
  if (found === undefined) throw notFoundError({ group: "", plural: namespaces }, namespace);
  return selector.matches(found.metadata.labels);
}

const configurations = new Set(
  [
    ...["Validating", "Mutating"].map((what) => `${what}WebhookConfiguration`),
    ...["Validating", "Mutating"].flatMap((what) => [`${what}AdmissionPolicy`, `${what}AdmissionPolicyBinding`]),
  ].map((kind) => `admissionregistration.k8s.io/${kind}`),
);

/** Nothing stands in the way of changes to what configures admission: it would lock its own administrators out. */
export function isAdmissionConfiguration({ resource: { group, kind } }: AdmissionAttributes): boolean {
  return configurations.has(`${group}/${kind}`);
}
