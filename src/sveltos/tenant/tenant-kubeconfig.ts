import { createHash } from "node:crypto";
import { labelValue, type ClusterId, type Tenant } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { fieldsAt, listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { readYaml, writeYaml } from "../../lang/yaml/index.ts";
import { roleRequestLabel } from "./grant-objects.ts";
import { managedAccountOf } from "./tenant-user.ts";

/** A token and its lifetime. */
type IssuedToken = { readonly token: string; readonly issuedAtMs: number; readonly expiresAtMs: number };

const renewAnnotation = "sluice.dev/renew-token-at";
const issuedForAnnotation = "sluice.dev/issued-for";

/** The Secret with the kubeconfig of a tenant in a cluster, in the cluster's namespace. */
export function tenantSecretName({ type, namespace, name }: ClusterId, tenant: Tenant): string {
  const identity = [type, namespace, name, tenant.namespace, tenant.name].join("/");
  return `sveltos-${createHash("sha256").update(identity).digest("hex")}`;
}

/** The hash of what a token depends on: another one needs another token. */
export function grantHash(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}

/** The kubeconfig of a tenant: the cluster of the administrator's kubeconfig, and the tenant's own token. */
export function tenantKubeconfig(admin: string, tenant: Tenant, token: string): string {
  const config = readYaml(admin, "the kubeconfig of the cluster");
  const current = stringAt(config, "current-context", "");
  const context = listAt(config, "contexts").find((each) => stringAt(each, "name") === current);
  const name = stringAt(context, "context.cluster", "");
  const cluster = listAt(config, "clusters").find((each) => stringAt(each, "name") === name);
  if (cluster === undefined)
    throw new Fault("the kubeconfig of the cluster names no cluster in its current context", undefined, { final: true });
  const user = managedAccountOf(tenant);
  return writeYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: fieldsAt(cluster, "cluster") }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: "sveltos-context", context: { cluster: name, user } }],
    "current-context": "sveltos-context",
  });
}

export function tenantSecret(
  cluster: ClusterId,
  tenant: Tenant,
  { kubeconfig, issuedFor, token }: { readonly kubeconfig: string; readonly issuedFor: string; readonly token: IssuedToken },
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: tenantSecretName(cluster, tenant),
      namespace: cluster.namespace,
      labels: {
        [roleRequestLabel]: "ok",
        "projectsveltos.io/role-cluster": labelValue(`${cluster.type}-${cluster.name}`),
        "projectsveltos.io/role-service-account-name": labelValue(tenant.name),
        "projectsveltos.io/role-service-account-namespace": tenant.namespace,
      },
      annotations: {
        [issuedForAnnotation]: issuedFor,
        [renewAnnotation]: new Date(token.issuedAtMs + renewalShare * (token.expiresAtMs - token.issuedAtMs)).toISOString(),
      },
    },
    type: "Opaque",
    data: { kubeconfig: Buffer.from(kubeconfig).toString("base64") },
  };
}

/** A token is renewed after this part of its lifetime, as the kubelet renews those of pods. */
const renewalShare = 0.8;

/** How long until the token in a Secret is to be renewed; 0 when it is due. */
export function tokenRenewalMs(secret: KubeObject, nowMs: number): number {
  const at = Date.parse(secret.metadata.annotations?.[renewAnnotation] ?? "");
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}

/** Whether a tenant needs another token than the one in the Secret. */
export function tokenIsDue(secret: KubeObject | undefined, issuedFor: string, nowMs: number): boolean {
  return secret?.metadata.annotations?.[issuedForAnnotation] !== issuedFor || tokenRenewalMs(secret, nowMs) === 0;
}
