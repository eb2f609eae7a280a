import {
  grantHash,
  managedAccountOf,
  roleRequestLabel,
  tenantKubeconfig,
  tenantSecret,
  tenantSecretName,
  tokenIsDue,
  tokenRenewalMs,
} from "../../tenant/index.ts";
import { readRoleRequest, sveltosNamespace, type ClusterId, type RoleRequest, type Tenant } from "../../api/index.ts";
import { clusterIdOf, clusterUidOf, kubeconfigIn, requestToken, type ClusterConnection, type FleetCluster } from "../../fleet/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isNotFound, type Cluster } from "../../../kube/index.ts";
import { isDeleting, refOf, type KubeObject } from "../../../core/object/index.ts";
import { roleRequestKind, secretKind, type ControllerContext } from "../context/index.ts";
import { matchingRequest } from "./role-request-status.ts";

export type ConnectedCluster = FleetCluster & { readonly connection: ClusterConnection };

const yearSeconds = 365 * 24 * 3600;

/**
 * Writes the Secret with the kubeconfig of a tenant in a cluster when there is none, its token is to be renewed, or it is for
 * another server or a ServiceAccount that was deleted. Returns how long until the token is to be renewed.
 */
export async function ensureTenantKubeconfig(
  tenant: Tenant,
  { accountUid, ...cluster }: ConnectedCluster & { readonly accountUid: string },
  context: ControllerContext,
  signal: AbortSignal,
): Promise<number> {
  const { hub, cache } = context;
  const { managed } = cluster;
  const id = clusterIdOf(cluster.key);
  const admin = kubeconfigIn(cache.find(secretKind, managed.namespace, managed.kubeconfig.secret), managed);
  if ("because" in admin) throw new Fault(admin.because);
  const expirationSeconds = expirationOf(tenant, cluster.key, context);
  const issuedFor = grantHash(tenantKubeconfig(admin.text, tenant, ""), expirationSeconds, clusterUidOf(cluster), accountUid);
  const existing = cache.find(secretKind, id.namespace, tenantSecretName(id, tenant));
  const now = hub.clock.now();
  if (existing !== undefined && !tokenIsDue(existing, issuedFor, now)) return tokenRenewalMs(existing, now);
  const account = { namespace: sveltosNamespace, name: managedAccountOf(tenant) };
  const { token, expiresAtMs } = await requestToken(cluster.connection.cluster, account, { expirationSeconds, signal });
  const issued = { token, issuedAtMs: now, expiresAtMs };
  const desired = tenantSecret(id, tenant, { kubeconfig: tenantKubeconfig(admin.text, tenant, token), issuedFor, token: issued });
  const written = await hub.replace(desired, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return hub.create(desired, { signal });
  });
  await cache.waitForWrites([written], signal);
  return tokenRenewalMs(written, now);
}

/** Deletes the ServiceAccounts and kubeconfigs of tenants to whom no RoleRequest grants anything in the cluster any more. */
export async function removeOtherAccounts(
  cluster: string,
  connected: Cluster | undefined,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const id = clusterIdOf(cluster);
  const tenants = requestsFor(cluster, context).map(({ tenant }) => tenant);
  const secrets = new Set(tenants.map((tenant) => tenantSecretName(id, tenant)));
  for (const secret of tenantSecretsIn(id, context))
    if (!secrets.has(secret.metadata.name)) await deleteIfThere(secret, context.hub, signal);
  if (connected === undefined) return;
  const accounts = new Set(tenants.map(managedAccountOf));
  const selection = { namespace: sveltosNamespace, labelSelector: `${roleRequestLabel}=ok`, signal };
  const { items } = await connected.list({ group: "", version: "v1", kind: "ServiceAccount" }, selection);
  for (const account of items) if (!accounts.has(account.metadata.name)) await deleteIfThere(account, connected, signal);
}

/** The kubeconfigs of all tenants in a cluster. A cluster may have gone, so its names are compared and no object is asked. */
function tenantSecretsIn(id: ClusterId, { cache }: ControllerContext): readonly KubeObject[] {
  const { "projectsveltos.io/role-cluster": own } = tenantSecret(id, { namespace: "", name: "" }, noToken).metadata.labels ?? {};
  return [...cache.all(secretKind)].filter(
    ({ metadata: { namespace, labels = {} } }) =>
      namespace === id.namespace && labels[roleRequestLabel] === "ok" && labels["projectsveltos.io/role-cluster"] === own,
  );
}

const noToken = { kubeconfig: "", issuedFor: "", token: { token: "", issuedAtMs: 0, expiresAtMs: 0 } };

/** The RoleRequests that grant something in a cluster. */
function requestsFor(cluster: string, { cache, fleet }: ControllerContext): readonly RoleRequest[] {
  return [...cache.all(roleRequestKind)].flatMap((object) => {
    const reading = readRoleRequest(object);
    if (isDeleting(object) || reading.state === "invalid") return [];
    const id = clusterIdOf(cluster);
    const isMatching = matchingRequest(reading.value, fleet).some(
      ({ type, namespace, name }) => type === id.type && namespace === id.namespace && name === id.name,
    );
    return isMatching ? [reading.value] : [];
  });
}

/** The shortest lifetime that a RoleRequest of the tenant asks for. */
function expirationOf({ namespace, name }: Tenant, cluster: string, context: ControllerContext): number {
  const own = requestsFor(cluster, context).filter(({ tenant }) => tenant.namespace === namespace && tenant.name === name);
  return Math.min(yearSeconds, ...own.flatMap(({ expirationSeconds }) => expirationSeconds ?? []));
}

async function deleteIfThere(object: KubeObject, cluster: Cluster, signal: AbortSignal): Promise<void> {
  await cluster.delete(refOf(object), { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
