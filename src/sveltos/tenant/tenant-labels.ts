import { tenantLabels, type RoleRequest, type Tenant } from "../api/index.ts";
import { tenantProblem, tenantText } from "./tenant-user.ts";

type Labels = Readonly<Record<string, string>> | undefined;

/** Whose word an object is, by its labels. An object without a tenant's labels is the word of those who run the platform. */
export type TenantReading =
  | { readonly state: "platform" }
  | { readonly state: "tenant"; readonly tenant: Tenant }
  /** Nothing may be done for it. */
  | { readonly state: "refused"; readonly because: string };

const [nameLabel, namespaceLabel, adminLabel] = tenantLabels;

/**
 * Reads the labels of a tenant. One that is incomplete, unknown or ambiguous is refused, and so are two that name different
 * tenants: none of them is ever taken for the platform's word.
 */
export function readTenant(labels: Labels, requests: readonly RoleRequest[]): TenantReading {
  const { [nameLabel]: name, [namespaceLabel]: namespace, [adminLabel]: admin } = labels ?? {};
  if (name === undefined && namespace === undefined && admin === undefined) return { state: "platform" };
  const account = name === undefined && namespace === undefined ? undefined : accountOf(name, namespace);
  const named = admin === undefined ? undefined : tenantOfAdmin(admin, requests);
  if (account === undefined || named === undefined) return account ?? named ?? { state: "platform" };
  if (account.state !== "tenant" || named.state !== "tenant") return account.state === "tenant" ? named : account;
  if (isSameTenant(account.tenant, named.tenant)) return account;
  return refused(`its labels name two tenants, ${tenantText(account.tenant)} and ${tenantText(named.tenant)}: remove ${adminLabel}`);
}

export function isSameTenant(one: Tenant | undefined, other: Tenant | undefined): boolean {
  return one?.namespace === other?.namespace && one?.name === other?.name;
}

/**
 * Whether what an author wants concerns what another one has: the platform's word does, and that of the same tenant. Whoever can
 * write an object can want anything, so what a tenant wants may neither hold up nor keep what is not its own.
 */
export function concerns(wanting: Labels, having: Labels): boolean {
  const wants = tenantLabelsOf(wanting);
  return Object.keys(wants).length === 0 || tenantLabels.every((label) => wants[label] === having?.[label]);
}

/** The labels of a tenant on an object, and no others. */
export function tenantLabelsOf(labels: Labels): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels ?? {}).filter(([label]) => isTenantLabel(label)));
}

export function isTenantLabel(label: string): boolean {
  return tenantLabels.some((each) => each === label);
}

/** The labels by which everybody knows a tenant, without asking RoleRequests. */
export function labelsOfTenant({ namespace, name }: Tenant): Readonly<Record<string, string>> {
  return { [nameLabel]: name, [namespaceLabel]: namespace };
}

function accountOf(name: string | undefined, namespace: string | undefined): TenantReading {
  if (name === undefined || namespace === undefined)
    return refused(`it has one of the labels ${nameLabel} and ${namespaceLabel} and not the other: set both`);
  const problem = tenantProblem({ namespace, name });
  return problem === undefined ? { state: "tenant", tenant: { namespace, name } } : refused(`its labels name no tenant: ${problem}`);
}

function tenantOfAdmin(admin: string, requests: readonly RoleRequest[]): TenantReading {
  const tenants = new Map(
    requests.filter((request) => request.admin === admin).map(({ tenant }) => [`${tenant.namespace}/${tenant.name}`, tenant]),
  );
  const [tenant] = tenants.values();
  if (tenant === undefined)
    return refused(`its label ${adminLabel}: ${admin} names no tenant: no RoleRequest is for an admin or ServiceAccount of that name`);
  if (tenants.size > 1)
    return refused(
      `its label ${adminLabel}: ${admin} may mean ${[...tenants.keys()].toSorted().join(" or ")}: use the labels ${nameLabel} and ${namespaceLabel}`,
    );
  return accountOf(tenant.name, tenant.namespace);
}

function refused(because: string): TenantReading {
  return { state: "refused", because };
}
