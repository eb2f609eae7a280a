/** Tenants on an embedded fleet: what they are granted, and what becomes of what they write. */
import { EmbeddedFleet, fleetNamespace, type EmbeddedFleetOptions } from "./embedded-fleet.ts";
import { clusterSummaryName, gvkOf, type ProfileKind, type Tenant } from "../../src/sveltos/api/index.ts";
import { summaryStatusOf } from "../../src/sveltos/deploy/index.ts";
import type { KubeObject } from "../../src/core/object/index.ts";

type Rule = { readonly apiGroups: readonly string[]; readonly resources: readonly string[]; readonly verbs: readonly string[] };

const rbac = "rbac.authorization.k8s.io/v1";

/** A Role that a RoleRequest brings. Without a namespace it is a ClusterRole. */
export function roleYaml(name: string, rules: readonly Rule[], namespace?: string): string {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return JSON.stringify({ apiVersion: rbac, kind: namespace === undefined ? "ClusterRole" : "Role", metadata, rules });
}

/** The labels by which an object is the word of a tenant. */
export function labelsOf({ namespace, name }: Tenant): Readonly<Record<string, string>> {
  return { "projectsveltos.io/serviceaccount-name": name, "projectsveltos.io/serviceaccount-namespace": namespace };
}

export class TenantFixture {
  readonly fleet: EmbeddedFleet;

  private constructor(fleet: EmbeddedFleet) {
    this.fleet = fleet;
  }

  static async open(options: EmbeddedFleetOptions, ...controllers: Parameters<EmbeddedFleet["run"]>): Promise<TenantFixture> {
    const fixture = new TenantFixture(await EmbeddedFleet.open(options));
    await fixture.fleet.run(...controllers);
    return fixture;
  }

  close(): Promise<void> {
    return this.fleet.close();
  }

  /** Applies objects to the management cluster as its administrator, and lets time pass. */
  async apply(...objects: readonly (KubeObject | object)[]): Promise<void> {
    for (const object of objects) await this.fleet.apply(JSON.stringify(object));
    await this.fleet.advance(1000);
  }

  /** Grants a tenant these roles in the clusters with this label. */
  async grant(name: string, tenant: Tenant, env: string, roles: readonly string[], admin?: string): Promise<void> {
    const data = Object.fromEntries(roles.map((role, index) => [`role-${index}`, role]));
    const spec = {
      serviceAccountName: tenant.name,
      serviceAccountNamespace: tenant.namespace,
      ...(admin === undefined ? {} : { admin }),
      clusterSelector: { matchLabels: { env } },
      roleRefs: [{ kind: "ConfigMap", namespace: fleetNamespace, name: `roles-of-${name}` }],
    };
    await this.apply(
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `roles-of-${name}`, namespace: fleetNamespace }, data },
      { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "RoleRequest", metadata: { name }, spec },
    );
  }

  /** Lets a tenant read ConfigMaps of a namespace of the management cluster, which is made. */
  async allowReading(tenant: Tenant, namespace: string): Promise<void> {
    const metadata = { name: `read-${tenant.namespace}-${tenant.name}`, namespace };
    await this.apply(
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      { apiVersion: rbac, kind: "Role", metadata, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }] },
      {
        apiVersion: rbac,
        kind: "RoleBinding",
        metadata,
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name },
        subjects: [{ kind: "ServiceAccount", ...tenant }],
      },
    );
  }

  /** A ConfigMap of the management cluster with manifests. */
  async content(namespace: string, name: string, ...manifests: readonly object[]): Promise<void> {
    const data = Object.fromEntries(manifests.map((manifest, index) => [`m${index}`, JSON.stringify(manifest)]));
    await this.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data });
  }

  /** Writes a profile of these clusters with this content. */
  async profile(
    name: string,
    labels: Readonly<Record<string, string>>,
    env: string,
    content: string,
    { kind = "ClusterProfile", spec = {} }: { readonly kind?: ProfileKind; readonly spec?: object } = {},
  ): Promise<void> {
    const [namespace = "", source = ""] = content.split("/");
    await this.apply({
      apiVersion: "config.projectsveltos.io/v1beta1",
      kind,
      metadata: { name, labels, ...(kind === "Profile" && { namespace: fleetNamespace }) },
      spec: { clusterSelector: { matchLabels: { env } }, policyRefs: [{ kind: "ConfigMap", namespace, name: source }], ...spec },
    });
  }

  summary(profile: string, cluster = "c1", kind: ProfileKind = "ClusterProfile"): Promise<KubeObject | undefined> {
    const name = clusterSummaryName(kind, profile, this.fleet.id(cluster));
    return this.fleet.get({ ...gvkOf("ClusterSummary"), namespace: fleetNamespace, name });
  }

  /** `Provisioned`, or what is wrong with a profile in a cluster. */
  async state(profile: string, cluster = "c1", kind: ProfileKind = "ClusterProfile"): Promise<string> {
    const found = await this.summary(profile, cluster, kind);
    if (found === undefined) return "nothing";
    const { failureMessage, featureSummaries = [] } = summaryStatusOf(found);
    const [feature] = featureSummaries;
    return failureMessage ?? feature?.failureMessage ?? feature?.status ?? "nothing";
  }
}
