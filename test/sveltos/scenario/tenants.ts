/** Tenants can do what RoleRequests grant them, and nothing else: a table of all combinations, computed from the grants. */
import assert from "node:assert/strict";
import { clusterReference, clusterSummaryName, gvkOf, type Tenant } from "../../../src/sveltos/api/index.ts";
import { managedUserOf } from "../../../src/sveltos/tenant/index.ts";
import { isForbidden, isNotFound, type Cluster } from "../../../src/kube/index.ts";
import { listAt, stringAt, type KubeObject } from "../../../src/core/object/index.ts";
import { labelsOf, roleYaml } from "../../support/tenant-fixture.ts";
import { sveltosObject, sveltosRef } from "../../support/sveltos-objects.ts";
import { fleetScenario, type ScenarioContext } from "../scenario-context.ts";

type Verb = "get" | "list" | "create" | "patch" | "delete";
type Kind = "ConfigMap" | "Secret" | "Service" | "ServiceAccount";
type ClusterName = "one" | "two";
/** Without a namespace it holds in all of them. */
type Grant = {
  readonly tenant: Tenant;
  readonly cluster: ClusterName;
  readonly namespace?: string;
  readonly kinds: readonly Kind[];
  readonly verbs: readonly Verb[];
};

const verbs: readonly Verb[] = ["get", "list", "create", "patch", "delete"];
const kinds: readonly Kind[] = ["ConfigMap", "Secret", "Service", "ServiceAccount"];
/** They are in every cluster. */
const namespaces = ["default", "kube-public"];
const clusters: readonly ClusterName[] = ["one", "two"];
const [alice, bob, carol, dave] = ["alice", "bob", "carol", "dave"].map((name): Tenant => ({ namespace: `of-${name}`, name })) as [
  Tenant,
  Tenant,
  Tenant,
  Tenant,
];
const selectors = { one: { env: "fv" }, two: { dep: "eng" } } as const;

const grants: readonly Grant[] = [
  { tenant: alice, cluster: "one", namespace: "default", kinds: ["ConfigMap", "Secret"], verbs },
  { tenant: alice, cluster: "one", namespace: "default", kinds: ["Service"], verbs: ["get", "list"] },
  { tenant: bob, cluster: "one", namespace: "kube-public", kinds: ["ConfigMap"], verbs: ["get", "list", "create"] },
  { tenant: bob, cluster: "two", namespace: "kube-public", kinds: ["ConfigMap", "Service"], verbs },
  { tenant: carol, cluster: "two", kinds: ["Secret"], verbs: ["get", "list"] },
  { tenant: carol, cluster: "two", kinds: ["ConfigMap"], verbs },
];

/** What is expected, from the grants alone. */
function isGranted(tenant: Tenant, cluster: ClusterName, verb: Verb, kind: Kind, namespace: string): boolean {
  return grants.some(
    (grant) =>
      grant.tenant.name === tenant.name &&
      grant.cluster === cluster &&
      (grant.namespace ?? namespace) === namespace &&
      grant.kinds.includes(kind) &&
      grant.verbs.includes(verb),
  );
}

/** Asks for something that is not there: who may do it is told so, and who may not is told that. */
async function isAllowed(as: Cluster, verb: Verb, kind: Kind, namespace: string, { fixture }: ScenarioContext): Promise<boolean> {
  const ref = { group: "", version: "v1", kind, namespace, name: "probe" };
  const spec = kind === "Service" ? { spec: { ports: [{ port: 80 }] } } : {};
  const object = { apiVersion: "v1", kind, metadata: { name: "probe", namespace }, ...spec };
  const requests: Record<Verb, () => Promise<unknown>> = {
    get: () => as.get(ref),
    list: () => as.list(ref, { namespace }),
    create: () => as.create(object, { dryRun: true }),
    patch: () => as.patch(ref, { type: "merge", patch: { metadata: { labels: { a: "b" } } } }, { dryRun: true }),
    delete: () => as.delete(ref, { dryRun: true }),
  };
  try {
    await fixture.until(requests[verb]());
    return true;
  } catch (error) {
    assert.ok(isForbidden(error) || isNotFound(error), String(error));
    return isNotFound(error);
  }
}

/** Plays all combinations; those that are not as expected. */
async function playMatrix(context: ScenarioContext, tenants: readonly Tenant[], expected: typeof isGranted): Promise<readonly string[]> {
  const wrong: string[] = [];
  let count = 0;
  for (const tenant of tenants)
    for (const [index, cluster] of clusters.entries()) {
      const as = context.fixture.managed[index]!.impersonate(managedUserOf(tenant));
      for (const verb of verbs)
        for (const kind of kinds)
          for (const namespace of namespaces) {
            count++;
            const isWanted = expected(tenant, cluster, verb, kind, namespace);
            if ((await isAllowed(as, verb, kind, namespace, context)) !== isWanted)
              wrong.push(`${tenant.name} ${verb} ${kind} ${namespace} in ${cluster}: expected ${isWanted ? "allowed" : "denied"}`);
          }
    }
  assert.equal(count, tenants.length * 80);
  return wrong;
}

const rulesOf = ({ kinds: some, verbs: allowed }: Grant) => [
  { apiGroups: [""], resources: some.map((kind) => `${kind.toLowerCase()}s`), verbs: allowed },
];

async function applyGrants(context: ScenarioContext): Promise<void> {
  for (const [index, grant] of grants.entries()) {
    const name = `grant-${index}`;
    const role = roleYaml(`role-${index}`, rulesOf(grant), grant.namespace);
    const spec = {
      serviceAccountName: grant.tenant.name,
      serviceAccountNamespace: grant.tenant.namespace,
      clusterSelector: { matchLabels: selectors[grant.cluster] },
      roleRefs: [{ kind: "ConfigMap", namespace: "default", name }],
    };
    await context.apply(
      context.hub,
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { role } },
      sveltosObject("RoleRequest", name, spec),
    );
  }
  for (const index of grants.keys())
    await context.eventually(context.hub, sveltosRef("RoleRequest", `grant-${index}`), (object) =>
      listAt(object, "status.clusterInfo").some((info) => stringAt(info, "status") === "Provisioned"),
    );
}

/** Lets every ServiceAccount read the content that profiles refer to. */
async function applyContent(context: ScenarioContext, objects: readonly KubeObject[]): Promise<void> {
  const rbac = "rbac.authorization.k8s.io";
  const metadata = { name: "tenants-content", namespace: "default" };
  await context.apply(
    context.hub,
    { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }] },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: rbac, kind: "Role", name: metadata.name },
      subjects: [{ kind: "Group", apiGroup: rbac, name: "system:serviceaccounts" }],
    },
    ...objects.map((object) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `content-${object.metadata.name}`, namespace: "default" },
      data: { it: JSON.stringify(object) },
    })),
  );
}

/** What one tenant deploys, of one kind into one namespace of both clusters. */
type Deployment = { readonly tenant: Tenant; readonly kind: "ConfigMap" | "Secret"; readonly namespace: string; readonly name: string };

const deployments: readonly Deployment[] = [alice, bob, carol, dave].flatMap((tenant) =>
  (["ConfigMap", "Secret"] as const).flatMap((kind) =>
    namespaces.map((namespace) => ({ tenant, kind, namespace, name: `${tenant.name}-${kind.toLowerCase()}-${namespace}` })),
  ),
);

/** `Provisioned`, or why not. */
function stateOf(object: KubeObject): string {
  const [feature] = listAt(object, "status.featureSummaries");
  return stringAt(object, "status.failureMessage") ?? stringAt(feature, "failureMessage") ?? stringAt(feature, "status", "");
}

async function assertDeployed({ tenant, kind, namespace, name }: Deployment, context: ScenarioContext): Promise<void> {
  const { hub, fixture } = context;
  for (const [index, cluster] of clusters.entries()) {
    const id = fixture.ids[index]!;
    const needed = (["get", "create", "patch"] as const).every((verb) => isGranted(tenant, cluster, verb, kind, namespace));
    const summary = sveltosRef("ClusterSummary", clusterSummaryName("ClusterProfile", name, id), id.namespace);
    const denied = new RegExp(`^ServiceAccount ${tenant.namespace}/${tenant.name} in cluster [a-z]+/${id.name}: `);
    // A right that has just been granted may be denied by a real server for a moment, and is tried again.
    const expected = needed ? /^Provisioned$/ : denied;
    const settled = await context.eventually(hub, summary, (object) => expected.test(stateOf(object)));
    const found = await context.find(fixture.managed[index]!, { group: "", version: "v1", kind, namespace, name });
    assert.equal(found !== undefined, needed, `${name} in ${cluster}: ${stateOf(settled)}`);
  }
}

const requests = fleetScenario(
  "320 requests of tenants are allowed or denied as the grants say, and denied when these end",
  async (context) => {
    await applyGrants(context);
    assert.deepEqual(await playMatrix(context, [alice, bob, carol, dave], isGranted), []);
    for (const index of grants.keys())
      await context.delete(context.hub, { ...gvkOf("RoleRequest"), namespace: "", name: `grant-${index}` });
    assert.deepEqual(await playMatrix(context, [alice], () => false), []);
  },
);

const onTheirWord = fleetScenario("32 deployments on the word of tenants are made or denied as the grants say", async (context) => {
  const { hub, fixture } = context;
  await applyGrants(context);
  await applyContent(
    context,
    deployments.map(({ kind, namespace, name }) => ({ apiVersion: "v1", kind, metadata: { name, namespace } })),
  );
  for (const { tenant, name } of deployments) {
    const spec = {
      clusterRefs: fixture.ids.map(clusterReference),
      policyRefs: [{ kind: "ConfigMap", namespace: "default", name: `content-${name}` }],
    };
    await context.apply(hub, sveltosObject("ClusterProfile", name, spec, { labels: labelsOf(tenant) }));
  }
  for (const deployment of deployments) await assertDeployed(deployment, context);
  for (const { name } of deployments) await context.delete(hub, sveltosRef("ClusterProfile", name));
  for (const { kind, namespace, name } of deployments)
    for (const cluster of fixture.managed)
      assert.equal(await context.find(cluster, { group: "", version: "v1", kind, namespace, name }), undefined);
});

export const tenantScenarios = [requests];
/** They take seconds of computing. */
export const longTenantScenarios = [onTheirWord];
