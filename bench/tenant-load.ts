/** Tenants of one managed cluster, each with its profiles and events, and how long an event takes to be deployed. */
import type { Tenant } from "../src/sveltos/api/index.ts";
import type { Cluster } from "../src/kube/index.ts";
import { newInformer } from "../src/kube/index.ts";
import type { KubeObject } from "../src/core/object/index.ts";
import { labelsOf, roleYaml } from "../test/support/tenant-fixture.ts";
import { namespaceObject, sveltosObject } from "../test/support/sveltos-objects.ts";
import type { LoadFixture } from "./load-fixture.ts";

const rbac = "rbac.authorization.k8s.io";
const fv = { matchLabels: { env: "fv" } };
const all = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

export const tenantNumber = (at: number): Tenant => ({ namespace: `team-${at}`, name: `tenant-${at}` });

/** What the platform writes for a tenant: namespaces, and rights in both clusters. */
function grantOf({ namespace, name }: Tenant): readonly KubeObject[] {
  const roles = `roles-of-${name}`;
  const spec = {
    serviceAccountName: name,
    serviceAccountNamespace: namespace,
    clusterSelector: fv,
    roleRefs: [{ kind: "ConfigMap", namespace: "mgmt", name: roles }],
  };
  const metadata = { name: "reader", namespace };
  return [
    namespaceObject(namespace),
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: roles, namespace: "mgmt" }, data: { role: roleYaml(name, all, namespace) } },
    sveltosObject("RoleRequest", name, spec),
    {
      apiVersion: `${rbac}/v1`,
      kind: "Role",
      metadata,
      rules: [{ apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["get"] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: rbac, kind: "Role", name: metadata.name },
      subjects: [{ kind: "ServiceAccount", namespace, name }],
    },
  ];
}

/** What a tenant writes in good faith: profiles with templates, and an event that is answered with a ConfigMap. */
function wordOf(tenant: Tenant, profiles: number): readonly KubeObject[] {
  const { namespace, name } = tenant;
  const labels = labelsOf(tenant);
  const refs = (ref: string) => ({ policyRefs: [{ kind: "ConfigMap", namespace, name: ref }] });
  const answer = (to: string) => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${to}, namespace: ${namespace}}, data: {v: "1"}}`;
  const script = "function evaluate()\n  return {matching = obj.metadata.labels ~= nil and obj.metadata.labels.event == 'yes'}\nend";
  const selector = { group: "", version: "v1", kind: "Service", namespace, evaluate: script };
  return [
    ...Array.from({ length: profiles }, (_, at) => `${name}-${at}`).flatMap((profile) => [
      profileContent(tenant, profile, "0"),
      sveltosObject("ClusterProfile", profile, { clusterSelector: fv, ...refs(profile) }, { labels }),
    ]),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "answer", namespace, annotations: { "projectsveltos.io/instantiate": "ok" } },
      data: { a: answer("answer-{{ .Resource.metadata.name }}") },
    },
    sveltosObject("EventSource", `events-${name}`, { collectResources: true, resourceSelectors: [selector] }, { labels }),
    sveltosObject(
      "EventTrigger",
      `events-${name}`,
      { sourceClusterSelector: fv, eventSourceName: `events-${name}`, oneForEvent: true, ...refs("answer") },
      { labels },
    ),
  ];
}

/** The content of a profile, which a worker renders. */
function profileContent({ namespace }: Tenant, profile: string, version: string): KubeObject {
  const text = `{apiVersion: v1, kind: ConfigMap, metadata: {name: "${profile}", namespace: ${namespace}}, data: {v: "{{ printf \`%s\` \`${version}\` }}"}}`;
  const metadata = { name: profile, namespace, annotations: { "projectsveltos.io/template": "ok" } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: text } };
}

/** From a Service to the ConfigMap that answers it, and from a changed template to what it makes, in milliseconds. */
export type TenantTimes = { readonly events: number[]; readonly changes: number[]; missing: number };

/** How long one event may take until it is counted as missing. */
const patienceMs = 60_000;

export class TenantLoad {
  readonly #hub: Cluster;
  readonly #managed: Cluster;
  readonly #signal: AbortSignal;
  readonly #profiles: number;
  /** By namespace, name and the value of `v`: who waits for a ConfigMap. */
  readonly #waiting = new Map<string, () => void>();
  #serial = 0;

  constructor({ hub, managed, signal }: LoadFixture, profiles: number) {
    this.#hub = hub;
    this.#managed = managed;
    this.#signal = signal;
    this.#profiles = profiles;
  }

  /** Writes all that tenants have, and resolves when every profile is deployed. */
  async open(tenants: readonly Tenant[]): Promise<void> {
    this.#follow().catch((error: unknown) => {
      if (!this.#signal.aborted) process.stderr.write(`watch of answers: ${String(error)}\n`);
    });
    const deployed = tenants.flatMap((tenant) =>
      Array.from({ length: this.#profiles }, (_, at) => this.#deployed(tenant, `${tenant.name}-${at}`, "0", 600_000)),
    );
    for (const tenant of tenants) {
      await this.#managed.create(namespaceObject(tenant.namespace));
      for (const object of [...grantOf(tenant), ...wordOf(tenant, this.#profiles)])
        await this.#hub.apply(object, { manager: "kubectl", force: true });
    }
    const missing = (await Promise.all(deployed)).filter((isDeployed) => !isDeployed).length;
    if (missing > 0) throw new Error(`${missing} profiles were not deployed within ten minutes`);
  }

  async #follow(): Promise<void> {
    for await (const change of newInformer(this.#managed, configMaps, { signal: this.#signal })) {
      if (change.type !== "added" && change.type !== "modified") continue;
      const { metadata, data } = change.object as KubeObject & { readonly data?: Readonly<Record<string, string>> };
      this.#waiting.get(`${metadata.namespace}/${metadata.name}=${data?.["v"]}`)?.();
    }
  }

  async #deployed({ namespace }: Tenant, name: string, v: string, withinMs = patienceMs): Promise<boolean> {
    const key = `${namespace}/${name}=${v}`;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), withinMs);
    this.#waiting.set(key, () => resolve(true));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(key);
    }
  }

  /**
   * Events and changes of these tenants, each tenant one of each every `everyMs`, until the time is over and all have arrived.
   * `changes`: of templates too. Default true.
   */
  async run(
    tenants: readonly Tenant[],
    everyMs: number,
    forMs: number,
    { changes = true }: { readonly changes?: boolean } = {},
  ): Promise<TenantTimes> {
    const times: TenantTimes = { events: [], changes: [], missing: 0 };
    const until = performance.now() + forMs;
    await Promise.all(
      tenants.map(async (tenant, at) => {
        await sleep((everyMs * at) / tenants.length);
        const open: Promise<void>[] = [];
        while (performance.now() < until && !this.#signal.aborted) {
          const serial = ++this.#serial;
          open.push(this.#event(tenant, serial, times));
          if (changes) open.push(this.#change(tenant, serial, times));
          await sleep(everyMs);
        }
        await Promise.all(open);
      }),
    );
    return times;
  }

  async #event(tenant: Tenant, serial: number, times: TenantTimes): Promise<void> {
    const { namespace } = tenant;
    const metadata = { name: `svc-${serial}`, namespace, labels: { event: "yes" } };
    const deployed = this.#deployed(tenant, `answer-${metadata.name}`, "1");
    const startedAt = performance.now();
    await this.#managed.create({ apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }] } });
    if (await deployed) times.events.push(performance.now() - startedAt);
    else times.missing++;
    await this.#managed.delete({ group: "", version: "v1", kind: "Service", namespace, name: metadata.name });
  }

  async #change(tenant: Tenant, serial: number, times: TenantTimes): Promise<void> {
    const profile = `${tenant.name}-${serial % this.#profiles}`;
    const deployed = this.#deployed(tenant, profile, String(serial));
    const startedAt = performance.now();
    await this.#hub.apply(profileContent(tenant, profile, String(serial)), { manager: "kubectl", force: true });
    if (await deployed) times.changes.push(performance.now() - startedAt);
    else times.missing++;
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
