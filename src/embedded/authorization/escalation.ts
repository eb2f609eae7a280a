import { equal, fieldsAt, listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { privilegedGroup, type UserInfo } from "../authentication/index.ts";
import { forbiddenError, notFoundError, StatusError, type ResourceName } from "../status-error.ts";
import { compactRuleText, everything, quotedList, rulesOf, type PolicyRule } from "./policy-rule.ts";
import { rbacKeys, type RbacAuthorizer } from "./rbac-authorizer.ts";

/** A write of a role or a binding. `live` is the object that it replaces. */
type PolicyWrite = {
  /** A component of the cluster when it is absent. */
  readonly user?: UserInfo;
  readonly resource: ResourceName & { readonly key: string };
  readonly object: KubeObject;
  readonly live?: KubeObject | undefined;
};

type UserWrite = PolicyWrite & { readonly user: UserInfo; readonly namespace: string; readonly live: KubeObject | undefined };

/**
 * Refuses to give rights that the user does not have. Who may `escalate` a role or `bind` it, and members of system:masters,
 * may. Models pkg/registry/rbac: clusterrole/policybased, rolebinding/policybased and escalation_check.go
 */
export function checkEscalation(sent: PolicyWrite, authorizer: RbacAuthorizer): void {
  const { user, resource, object, live } = sent;
  if (user === undefined || user.groups.includes(privilegedGroup)) return;
  const write = { user, resource, object, live, namespace: object.metadata.namespace ?? "" };
  const isRole = resource.key === rbacKeys.roles || resource.key === rbacKeys.clusterRoles;
  if (!isRole && resource.key !== rbacKeys.roleBindings && resource.key !== rbacKeys.clusterRoleBindings) return;
  if (isRole && mayEscalate(write, authorizer)) return;
  if (live !== undefined && isCollectorsChange(object, live)) return;
  if (isRole) checkRole(write, authorizer);
  else checkBinding(write, authorizer);
}

function checkRole({ user, resource, namespace, object, live }: UserWrite, authorizer: RbacAuthorizer): void {
  const refusal = objectionToGrant(rulesOf(object), user, namespace, authorizer);
  if (refusal !== undefined) throw forbiddenError(resource, object.metadata.name, refusal);
  const aggregates = [object, live].some((role) => listAt(role, "aggregationRule.clusterRoleSelectors").length > 0);
  if (aggregates && objectionToGrant(everything, user, namespace, authorizer) !== undefined) {
    throw forbiddenError(resource, object.metadata.name, "must have cluster-admin privileges to use the aggregationRule");
  }
}

function checkBinding({ user, resource, namespace, object }: UserWrite, authorizer: RbacAuthorizer): void {
  const reference = fieldsAt(object, "roleRef");
  const [kind, name] = [stringAt(reference, "kind", ""), stringAt(reference, "name", "")];
  const plural = kind === "ClusterRole" ? "clusterroles" : kind === "Role" ? "roles" : undefined;
  if (plural === undefined) throw new StatusError(500, "", `unsupported role reference kind: ${JSON.stringify(kind)}`);
  const group = stringAt(reference, "apiGroup", "");
  const mayBind = authorizer.authorize({ user, verb: "bind", group, resource: plural, subresource: "", namespace, name });
  if (mayBind.allowed) return;
  const rules = authorizer.rulesOfReference(reference, namespace);
  if (typeof rules === "string") throw notFoundError(resource, name);
  const refusal = objectionToGrant(rules, user, namespace, authorizer);
  if (refusal !== undefined) throw forbiddenError(resource, object.metadata.name, refusal);
}

function mayEscalate({ user, resource, namespace, live }: UserWrite, authorizer: RbacAuthorizer): boolean {
  const { group, plural } = resource;
  // A create names nothing in its path.
  const name = live?.metadata.name ?? "";
  return authorizer.authorize({ user, verb: "escalate", group, resource: plural, subresource: "", namespace, name }).allowed;
}

/** Only what the garbage collector changes: owner references and finalizers. */
function isCollectorsChange(object: KubeObject, live: KubeObject): boolean {
  return equal(withoutCollectors(object), withoutCollectors(live));
}

function withoutCollectors({ metadata, ...rest }: KubeObject): unknown {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/** Models ConfirmNoEscalation of pkg/registry/rbac/validation/rule.go */
function objectionToGrant(rules: readonly PolicyRule[], user: UserInfo, namespace: string, authorizer: RbacAuthorizer): string | undefined {
  const { rules: held, errors } = authorizer.rulesFor(user, namespace);
  const missing = rules.flatMap(singleRules).filter((single) => !held.some(({ rule }) => ruleCovers(rule, single)));
  if (missing.length === 0) return undefined;
  const texts = [...new Set(compacted(missing).map(compactRuleText))].toSorted();
  const resolution = errors.length === 0 ? "" : `; resolution errors: [${errors.join(" ")}]`;
  const who = `user ${JSON.stringify(user.username)} (groups=${quotedList(user.groups)})`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${texts.join("\n")}${resolution}`;
}

/** The same rights as rules of one verb, one resource and one name each. */
function singleRules({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): readonly PolicyRule[] {
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  return [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          names.map((resourceName) => ({ ...none, verbs: [verb], apiGroups: [group], resources: [resource], resourceNames: resourceName })),
        ),
      ),
    ),
    ...nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ ...none, verbs: [verb], nonResourceURLs: [url] }))),
  ];
}

/** Models component-helpers auth/rbac/validation/policy_comparator.go ruleCovers */
function ruleCovers(owner: PolicyRule, single: PolicyRule): boolean {
  const [name] = single.resourceNames;
  const isNamed = owner.resourceNames.length === 0 || (name !== undefined && owner.resourceNames.includes(name));
  return (
    ownsAll(owner.verbs, single.verbs) &&
    ownsAll(owner.apiGroups, single.apiGroups) &&
    single.resources.every((resource) => coversResource(owner.resources, resource)) &&
    isNamed &&
    single.nonResourceURLs.every((url) => owner.nonResourceURLs.some((owned) => coversUrl(owned, url)))
  );
}

function ownsAll(owned: readonly string[], wanted: readonly string[]): boolean {
  return owned.includes("*") || wanted.every((each) => owned.includes(each));
}

function coversResource(owned: readonly string[], resource: string): boolean {
  if (owned.includes("*") || owned.includes(resource)) return true;
  const slash = resource.indexOf("/");
  return slash >= 0 && owned.includes(`*${resource.slice(slash)}`);
}

function coversUrl(owned: string, url: string): boolean {
  return owned === url || (owned.endsWith("*") && url.startsWith(owned.replace(/\*+$/, "")));
}

/** Joins the verbs of rules for the same resource and name. Models pkg/registry/rbac/validation/policy_compact.go */
function compacted(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const simple = Map.groupBy(
    rules.filter(({ resources }) => resources.length === 1),
    ({ apiGroups, resources, resourceNames }) => JSON.stringify([apiGroups, resources, resourceNames]),
  );
  const joined = [...simple.values()].map((same) => ({ ...same[0]!, verbs: same.flatMap(({ verbs }) => verbs) }));
  return [...rules.filter(({ resources }) => resources.length !== 1), ...joined];
}
