import { labelValue, sveltosNamespace, type RoleRequest, type Tenant } from "../api/index.ts";
import { lineFor, type Problem } from "../../core/fault/index.ts";
import { groupVersionOf, listAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { managedAccountOf } from "./tenant-user.ts";

const rbac = "rbac.authorization.k8s.io";

/** On everything that RoleRequests have brought, as in Sveltos. */
export const roleRequestLabel = "projectsveltos.io/role-request";
/** Names the RoleRequest, on Roles and bindings. */
const requestNameLabel = "sluice.dev/role-request";

/** One key of a ConfigMap or Secret that a RoleRequest refers to. `source` names it in messages. */
export type RoleSource = { readonly source: string; readonly text: string };

/** Selects the Roles and bindings of one RoleRequest. */
export function grantSelector(request: string): string {
  return `${requestNameLabel}=${labelValue(request)}`;
}

/** The ServiceAccount of a tenant in a managed cluster, with its namespace. */
export function tenantAccountObjects(tenant: Tenant): readonly [namespace: KubeObject, account: KubeObject] {
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: sveltosNamespace } },
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: managedAccountOf(tenant), namespace: sveltosNamespace, labels: { [roleRequestLabel]: "ok" } },
    },
  ];
}

/**
 * The Roles, ClusterRoles and bindings of a RoleRequest in a managed cluster, or what is wrong with its content. The name of the
 * request is part of theirs, so that two requests may bring roles of the same name, and none can replace a role of the cluster.
 */
export function grantObjects(
  { metadata: { name: request }, tenant }: Pick<RoleRequest, "metadata" | "tenant">,
  sources: readonly RoleSource[],
): { readonly objects: readonly KubeObject[]; readonly problems: readonly string[] } {
  const objects: KubeObject[] = [];
  const problems: string[] = [];
  for (const { source, text } of sources) {
    const read = readManifests(text, source);
    problems.push(...read.problems.map((problem: Problem) => lineFor(problem)));
    for (const { object } of read.manifests) {
      if (!isRole(object)) continue;
      if (object.kind === "Role" && (object.metadata.namespace ?? "") === "")
        problems.push(`${source}: Role ${object.metadata.name} names no namespace: name the one in which it holds`);
      else objects.push(...roleAndBinding(object, request, tenant));
    }
  }
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.push(`two roles of the RoleRequest have the name ${twice}: rename one of them`);
  return { objects, problems };
}

function isRole({ apiVersion, kind }: KubeObject): boolean {
  return groupVersionOf(apiVersion).group === rbac && (kind === "Role" || kind === "ClusterRole");
}

function roleAndBinding(role: KubeObject, request: string, tenant: Tenant): readonly KubeObject[] {
  const { kind, metadata } = role;
  const name = `${request}--${metadata.name}`;
  const labels = { [roleRequestLabel]: "ok", [requestNameLabel]: labelValue(request) };
  const own = { name, ...(kind === "Role" && { namespace: metadata.namespace ?? "" }), labels };
  const subjects = [{ kind: "ServiceAccount", namespace: sveltosNamespace, name: managedAccountOf(tenant) }];
  const apiVersion = `${rbac}/v1`;
  return [
    { apiVersion, kind, metadata: own, rules: rulesOf(role) },
    { apiVersion, kind: `${kind}Binding`, metadata: own, roleRef: { apiGroup: rbac, kind, name }, subjects },
  ];
}

/** Rules only: an aggregated ClusterRole would take in what anybody labels in the managed cluster. */
function rulesOf(role: KubeObject): readonly Fields[] {
  return listAt(role, "rules");
}
