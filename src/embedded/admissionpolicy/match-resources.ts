import {
  fieldsAt,
  isFields,
  labelSelectorOf,
  listAt,
  mapAt,
  stringAt,
  stringsAt,
  type Fields,
  type KubeObject,
  type LabelSelectorObject,
} from "../../core/object/index.ts";
import type { AdmissionAttributes, AdmissionContext } from "../builtin/index.ts";

// Models apiserver pkg/admission/plugin/policy/matching/matching.go and pkg/admission/plugin/webhook/predicates

const namespaces = "namespaces";

/** The versions of a resource: the group, version and kind under which its objects are served too. */
export type EquivalentVersion = { readonly group: string; readonly version: string; readonly plural: string; readonly kind: string };

/** Lists the versions of the resource of a write, its own first. */
export type VersionsOf = (attributes: AdmissionAttributes) => readonly EquivalentVersion[];

/** The version of the resource that the constraints match; undefined when the write is none of their business. */
export function matchedVersion(
  constraints: Fields,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  versionsOf: VersionsOf,
): EquivalentVersion | undefined {
  if (!matchesNamespace(constraints, attributes, context) || !matchesObject(constraints, attributes)) return undefined;
  const versions = constraints["matchPolicy"] === "Exact" ? versionsOf(attributes).slice(0, 1) : versionsOf(attributes);
  const matching = (rules: readonly Fields[]) => versions.find((version) => rules.some((rule) => matchesRule(rule, attributes, version)));
  if (matching(listAt(constraints, "excludeResourceRules")) !== undefined) return undefined;
  const rules = listAt(constraints, "resourceRules");
  return rules.length === 0 ? versions[0] : matching(rules);
}

function selectorIn(constraints: Fields, name: string): LabelSelectorObject | undefined {
  const selector = constraints[name];
  return isFields(selector) ? selector : undefined;
}

/** Objects without a namespace match every selector of namespaces. */
function matchesNamespace(constraints: Fields, { resource, object }: AdmissionAttributes, context: AdmissionContext): boolean {
  const selector = labelSelectorOf(selectorIn(constraints, "namespaceSelector"));
  if (resource.key === namespaces) return selector.matches(mapAt(object, "metadata.labels"));
  const { namespace = "" } = object.metadata;
  if (namespace === "") return true;
  return selector.matches(mapAt(context.read(namespaces, "", namespace), "metadata.labels"));
}

/** The object as it is or as it was. */
function matchesObject(constraints: Fields, { object, live }: AdmissionAttributes): boolean {
  const selector = labelSelectorOf(selectorIn(constraints, "objectSelector"));
  return [object, live].some((each) => each !== undefined && selector.matches(mapAt(each, "metadata.labels")));
}

function matchesRule(rule: Fields, attributes: AdmissionAttributes, version: EquivalentVersion): boolean {
  const { operation, object, subresource = "", name = object.metadata.name } = attributes;
  const includes = (list: string, value: string) => stringsAt(rule, list).some((each) => each === "*" || each === value);
  const names = stringsAt(rule, "resourceNames");
  return (
    matchesScope(stringAt(rule, "scope", "*"), attributes) &&
    includes("operations", operation) &&
    includes("apiGroups", version.group) &&
    includes("apiVersions", version.version) &&
    stringsAt(rule, "resources").some((each) => matchesResource(each, version.plural, subresource)) &&
    (names.length === 0 || names.includes(name))
  );
}

function matchesResource(pattern: string, plural: string, subresource: string): boolean {
  const slash = pattern.indexOf("/");
  const [resource, part] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (resource === "*" || resource === plural) && (part === "*" || part === subresource);
}

function matchesScope(scope: string, { resource, object }: AdmissionAttributes): boolean {
  if (scope === "*") return true;
  const isNamespaced = resource.key !== namespaces && (object.metadata.namespace ?? "") !== "";
  return isNamespaced === (scope === "Namespaced");
}

/** Resources that no policy looks at: they would lock their own administrators out, or are questions to the server. */
const exempt = new Set([
  ...["validatingwebhookconfigurations", "mutatingwebhookconfigurations"].map((plural) => `${plural}.admissionregistration.k8s.io`),
  ...["validatingadmissionpolicies", "validatingadmissionpolicybindings"].map((plural) => `${plural}.admissionregistration.k8s.io`),
  ...["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"].map((plural) => `${plural}.admissionregistration.k8s.io`),
  ...["tokenreviews", "selfsubjectreviews"].map((plural) => `${plural}.authentication.k8s.io`),
  ...["localsubjectaccessreviews", "selfsubjectaccessreviews", "selfsubjectrulesreviews", "subjectaccessreviews"].map(
    (plural) => `${plural}.authorization.k8s.io`,
  ),
]);

export function isExempt({ resource }: AdmissionAttributes): boolean {
  return exempt.has(resource.key);
}

/** The namespace of a write as expressions see it: null for an object without one. */
export function namespaceOf({ resource, object }: AdmissionAttributes, context: AdmissionContext): Fields | null {
  const { namespace = "" } = object.metadata;
  const found: KubeObject | undefined =
    resource.key === namespaces || namespace === "" ? undefined : context.read(namespaces, "", namespace);
  if (found === undefined) return null;
  const { uid, managedFields: _managed, ...metadata } = found.metadata;
  return { metadata: { ...metadata, UID: uid }, spec: fieldsAt(found, "spec"), status: fieldsAt(found, "status") };
}
