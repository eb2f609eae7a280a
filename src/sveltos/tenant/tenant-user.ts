import { sveltosNamespace, type Tenant } from "../api/index.ts";

/** The user that a tenant is in the management cluster. */
export function hubUserOf({ namespace, name }: Tenant): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** For messages. */
export function tenantText({ namespace, name }: Tenant): string {
  return `ServiceAccount ${namespace}/${name}`;
}

/** The ServiceAccount of a tenant in managed clusters, in namespace `projectsveltos`. */
export function managedAccountOf({ namespace, name }: Tenant): string {
  return `${namespace}--${name}`;
}

/** The user that a tenant is in managed clusters. */
export function managedUserOf(tenant: Tenant): string {
  return `system:serviceaccount:${sveltosNamespace}:${managedAccountOf(tenant)}`;
}

/**
 * Why a ServiceAccount cannot be a tenant; undefined when it can. Namespace and name are joined by `--` in managed clusters: a
 * namespace that has these itself could be taken for another one.
 */
export function tenantProblem({ namespace, name }: Tenant): string | undefined {
  const part = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
  if (!part.test(namespace) || namespace.includes("--"))
    return `${JSON.stringify(namespace)} cannot be the namespace of a tenant: it must be a name without --`;
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) return `${JSON.stringify(name)} cannot be the name of a ServiceAccount`;
  const account = managedAccountOf({ namespace, name });
  return account.length > 253
    ? `${account} is too long for the name of a ServiceAccount: found ${account.length} characters, expected at most 253`
    : undefined;
}

/** Whether an API server has refused a tenant a request, in the management cluster or in a managed one. */
export function isRefusalOf(tenant: Tenant, message: string): boolean {
  return [hubUserOf(tenant), managedUserOf(tenant)].some((user) => message.includes(` is forbidden: User "${user}" cannot `));
}
