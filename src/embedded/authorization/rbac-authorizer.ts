import { fieldsAt, listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { privilegedGroup, serviceAccountUsername, type UserInfo } from "../authentication/index.ts";
import type { ObjectStorage } from "../storage/index.ts";
import type { Attributes, Authorizer, Decision, ResolvedRules } from "./attributes.ts";
import { ruleAllows, rulesOf, type PolicyRule } from "./policy-rule.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

export const rbacKeys = {
  roles: `roles.${rbacGroup}`,
  clusterRoles: `clusterroles.${rbacGroup}`,
  roleBindings: `rolebindings.${rbacGroup}`,
  clusterRoleBindings: `clusterrolebindings.${rbacGroup}`,
} as const;

/** The rules that one binding gives to a subject, and how errors and reviews describe the binding. */
type Grant = { readonly binding: KubeObject; readonly subject: string };

/**
 * Role-based access control. Bindings are indexed by subject; the index of what changed is made anew at the next question.
 * Models plugin/pkg/auth/authorizer/rbac and pkg/registry/rbac/validation/rule.go
 */
export class RbacAuthorizer implements Authorizer {
  readonly allowsAnonymous = true;
  readonly #store: ObjectStorage;
  /** By namespace, and `""` for ClusterRoleBindings: the bindings of each subject. */
  readonly #bySubject = new Map<string, ReadonlyMap<string, readonly Grant[]>>();

  constructor(store: ObjectStorage) {
    this.#store = store;
    store.subscribe(rbacKeys.clusterRoleBindings, () => this.#bySubject.delete(""));
    store.subscribe(rbacKeys.roleBindings, ({ object }) => this.#bySubject.delete(object.metadata.namespace ?? ""));
  }

  /** Models apiserver pkg/authorization/authorizerfactory NewPrivilegedGroups, which real servers ask first. */
  allowsEverything({ groups }: UserInfo): boolean {
    return groups.includes(privilegedGroup);
  }

  authorize(attributes: Attributes): Decision {
    if (this.allowsEverything(attributes.user)) return { allowed: true, reason: "" };
    const { rules, errors } = this.rulesFor(attributes.user, "path" in attributes ? "" : attributes.namespace);
    const found = rules.find(({ rule }) => ruleAllows(rule, attributes));
    if (found !== undefined) return { allowed: true, reason: `RBAC: allowed by ${found.source}` };
    return { allowed: false, reason: errors.length === 0 ? "" : `RBAC: ${aggregated(errors)}` };
  }

  /** All rules of a user: those of ClusterRoleBindings, then those of the namespace's RoleBindings. */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const rules: { rule: PolicyRule; source: string }[] = [];
    const errors: string[] = [];
    for (const place of namespace === "" ? [""] : ["", namespace]) {
      for (const { binding, subject } of this.#grantsOf(user, place)) {
        const found = this.rulesOfReference(fieldsAt(binding, "roleRef"), place);
        if (typeof found === "string") errors.push(found);
        else for (const rule of found) rules.push({ rule, source: sourceOf(binding, subject) });
      }
    }
    return { rules, errors };
  }

  /** The rules of the role that a binding names; a message when it is absent. */
  rulesOfReference(reference: unknown, namespace: string): readonly PolicyRule[] | string {
    const [kind, name] = [stringAt(reference, "kind", ""), stringAt(reference, "name", "")];
    const isCluster = kind === "ClusterRole";
    const role = isCluster ? this.#store.read(rbacKeys.clusterRoles, "", name) : this.#store.read(rbacKeys.roles, namespace, name);
    if (role !== undefined) return rulesOf(role);
    // The lister of a real server names the kind, not the resource.
    return `${isCluster ? "clusterrole" : "role"}.${rbacGroup} ${JSON.stringify(name)} not found`;
  }

  #grantsOf({ username, groups }: UserInfo, namespace: string): readonly Grant[] {
    const index = this.#index(namespace);
    const found = new Map<KubeObject, Grant>();
    for (const subject of [`User ${username}`, ...groups.map((group) => `Group ${group}`)]) {
      for (const grant of index.get(subject) ?? []) {
        const known = found.get(grant.binding);
        if (known === undefined || placeOf(grant) < placeOf(known)) found.set(grant.binding, grant);
      }
    }
    return [...found.values()].toSorted((a, b) => (a.binding.metadata.name < b.binding.metadata.name ? -1 : 1));
  }

  #index(namespace: string): ReadonlyMap<string, readonly Grant[]> {
    const known = this.#bySubject.get(namespace);
    if (known !== undefined) return known;
    const bindings = namespace === "" ? this.#store.list(rbacKeys.clusterRoleBindings) : this.#store.list(rbacKeys.roleBindings, namespace);
    const index = new Map<string, Grant[]>();
    for (const binding of bindings) {
      for (const [at, subject] of listAt(binding, "subjects").entries()) {
        const key = subjectKey(subject, namespace);
        if (key === undefined) continue;
        const grants = index.get(key) ?? [];
        index.set(key, grants);
        grants.push({ binding, subject: `${at} ${describeSubject(subject, namespace)}` });
      }
    }
    // A namespace without bindings is not worth an entry: there may be any number of them, and any name may be asked for.
    if (index.size > 0 || namespace === "") this.#bySubject.set(namespace, index);
    return index;
  }
}

/** The place of the subject in its binding: the first one that applies is named. */
function placeOf({ subject }: Grant): number {
  return Number.parseInt(subject, 10);
}

/** The user or group that a subject stands for. */
function subjectKey(subject: unknown, namespace: string): string | undefined {
  const [kind, name] = [stringAt(subject, "kind", ""), stringAt(subject, "name", "")];
  if (kind !== "ServiceAccount") return kind === "User" || kind === "Group" ? `${kind} ${name}` : undefined;
  const home = stringAt(subject, "namespace", "") || namespace;
  return home === "" ? undefined : `User ${serviceAccountUsername(home, name)}`;
}

function describeSubject(subject: unknown, namespace: string): string {
  const [kind, name] = [stringAt(subject, "kind", ""), stringAt(subject, "name", "")];
  if (kind !== "ServiceAccount") return `${kind} ${JSON.stringify(name)}`;
  return `${kind} ${JSON.stringify(`${name}/${stringAt(subject, "namespace", "") || namespace}`)}`;
}

function sourceOf(binding: KubeObject, subject: string): string {
  const { name, namespace } = binding.metadata;
  const title = namespace === undefined ? name : `${name}/${namespace}`;
  const role = `${stringAt(binding, "roleRef.kind")} ${JSON.stringify(stringAt(binding, "roleRef.name"))}`;
  return `${binding.kind} ${JSON.stringify(title)} of ${role} to ${subject.slice(subject.indexOf(" ") + 1)}`;
}

/** Several messages as one. Models apimachinery pkg/util/errors NewAggregate */
function aggregated(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(", ")}]`;
}
