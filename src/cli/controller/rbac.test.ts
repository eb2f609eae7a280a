import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import { accessRequestsOf, isAllowed, accessRequestText, unusedRules, type AccessRequest } from "../../../test/support/rbac.ts";
import {
  profileYaml,
  eventAddonYaml,
  roleRequestYaml,
  stopReplicas,
  ControllerReplica,
  serviceYaml,
} from "../../../test/support/controller-replica.ts";
import { sveltosCrds } from "../../sveltos/api/index.ts";
import { runAgent } from "../../sveltos/agent/index.ts";
import { connect } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { renderInstallManifests } from "./install-manifests.ts";

const everything = { env: "fv" };

function rightsOf(values: Readonly<Record<string, unknown>>) {
  const text = renderInstallManifests({ namespace: "projectsveltos", values, includeCrd: () => false });
  return readManifests(text, "chart").manifests.map(({ object }) => object);
}

const cases: readonly [string, string, readonly string[]][] = [
  ["GET", "/api/v1/namespaces/a/configmaps/b", ["get configmaps a/b"]],
  ["GET", "/api/v1/namespaces/a", ["get namespaces /a"]],
  ["GET", "/api/v1/secrets?watch=true&fieldSelector=x", ["watch secrets /"]],
  ["GET", "/apis/apps/v1/namespaces/a/deployments", ["list deployments.apps a/"]],
  ["PATCH", "/apis/lib.projectsveltos.io/v1beta1/eventsources/a/status", ["patch eventsources/status.lib.projectsveltos.io /a"]],
  ["POST", "/apis/coordination.k8s.io/v1/namespaces/a/leases", ["create leases.coordination.k8s.io a/"]],
  ["DELETE", "/api/v1/namespaces/a/pods", ["deletecollection pods a/"]],
  ["GET", "/apis", []],
  ["GET", "/apis/apps/v1", []],
  ["GET", "/version", []],
];

for (const [method, path, expected] of cases) {
  test(`${method} ${path} needs ${expected.join(", ") || "nothing"}`, () => {
    assert.deepEqual(accessRequestsOf({ method, path, headers: {} }).map(accessRequestText), expected);
  });
}

/** Every request of a controller to the management cluster while users change objects. */
async function demandsDuring(
  life: (lab: EmbeddedFleet) => Promise<void>,
  { type = "Sveltos", installCrds = false }: { type?: "Sveltos" | "Capi"; installCrds?: boolean } = {},
): Promise<readonly AccessRequest[]> {
  const lab = await EmbeddedFleet.open({ type, clusters: { c1: everything, c2: everything } });
  const demands: AccessRequest[] = [];
  const onRequest = (cluster: string, request: Parameters<typeof accessRequestsOf>[0]) => {
    if (cluster === "hub") demands.push(...accessRequestsOf(request));
  };
  try {
    const [a, b] = [new ControllerReplica(lab, "a", { onRequest, installCrds }), new ControllerReplica(lab, "b", { onRequest })];
    await lab.advance(3000);
    await life(lab);
    await stopReplicas(lab, a);
    await lab.advance(3000);
    await stopReplicas(lab, b);
  } finally {
    await lab.close();
  }
  return demands;
}

async function shortLife(lab: EmbeddedFleet): Promise<void> {
  await lab.apply(profileYaml);
  await lab.apply(eventAddonYaml);
  await lab.apply(serviceYaml("web"), lab.managed("c1"));
  await lab.advance(10_000);
}

async function fullLife(lab: EmbeddedFleet): Promise<void> {
  await lab.apply(profileYaml);
  await lab.apply(profileYaml.replace("name: it}", "name: dry}").replace("policyRefs", "syncMode: DryRun\n  policyRefs"));
  await lab.apply(clusterSet);
  await lab.apply(secret);
  await lab.apply(withSecret);
  await lab.apply(refused);
  await lab.apply(tenantYaml);
  await lab.apply(serviceYaml("web"), lab.managed("c1"));
  await lab.apply(serviceYaml("db"), lab.managed("c2"));
  await lab.advance(10_000);
  await lab.apply(profileYaml.replace("  policyRefs", "  tier: 50\n  policyRefs"));
  await lab.apply(secret.replaceAll("quiet", "loud"));
  await lab.apply(withSecret.replaceAll("front-", "before-").replace("oneForEvent: true", "oneForEvent: true\n  tier: 60"));
  await lab.advance(10_000);
  const deletions = [
    ["lib.projectsveltos.io", "EventBasedAddOn", "service-network-policy"],
    ["lib.projectsveltos.io", "EventSource", "sveltos-service"],
    ["config.projectsveltos.io", "ClusterProfile", "it"],
    ["config.projectsveltos.io", "ClusterProfile", "dry"],
    ["config.projectsveltos.io", "ClusterProfile", "tenant"],
    ["lib.projectsveltos.io", "RoleRequest", "access"],
  ] as const;
  for (const [group, kind, name] of deletions) {
    await lab.until(lab.hub.delete({ group, version: "v1beta1", kind, namespace: "", name }));
    await lab.advance(5000);
  }
}

/** Content of triggers lies in Secrets as well. */
const withSecret = eventAddonYaml.replace("policyRefs: [{", "policyRefs: [{name: password, namespace: default, kind: Secret}, {");
const secret = `
apiVersion: v1
kind: Secret
metadata: {name: password, namespace: default}
type: addons.projectsveltos.io/cluster-profile
stringData:
  it.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "quiet-{{ .Resource.metadata.name }}", namespace: default}
`;

const clusterSet = `
apiVersion: lib.projectsveltos.io/v1beta1
kind: ClusterSet
metadata: {name: some}
spec: {clusterSelector: {matchLabels: {env: fv}}, maxReplicas: 1}
---
apiVersion: lib.projectsveltos.io/v1beta1
kind: Set
metadata: {name: some, namespace: mgmt}
spec: {clusterSelector: {matchLabels: {env: fv}}, maxReplicas: 1}
---
apiVersion: config.projectsveltos.io/v1beta1
kind: Profile
metadata: {name: ours, namespace: mgmt}
spec: {setRefs: [some], policyRefs: [{kind: ConfigMap, namespace: mgmt, name: missing}]}
`;

/** A tenant, and what it may do. */
const tenantYaml = `${roleRequestYaml}---
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: tenant, labels: {projectsveltos.io/admin-name: alice}}
spec: {clusterSelector: {matchLabels: {env: fv}}, policyRefs: [{kind: ConfigMap, namespace: default, name: roles}]}
`;

/** Nothing is deployed for these, and that is said in their status and as Events. */
const refused = `
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventTrigger
metadata: {name: refused}
spec: {eventSourceName: none, sourceClusterSelector: {matchLabels: {env: fv}}, kustomizationRefs: [{kind: ConfigMap, name: a, namespace: b}]}
---
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: refused, labels: {projectsveltos.io/admin-name: eng}}
spec: {clusterSelector: {matchLabels: {env: fv}}}
`;

const usual = rightsOf({});

/** What is needed, but not in the life that is led here: where a change is rolled out some clusters at a time, and with Cluster API. */
const seldom = new Set(["patch clustersummaries/status", "patch clusters"]);

const forbiddenOf = (demands: readonly AccessRequest[], rights: typeof usual) =>
  demands.filter((demand) => !isAllowed(rights, demand)).map(accessRequestText);

test("all that a controller asks for is allowed by the chart's rules, and they allow no write that it never makes", async () => {
  const demands = await demandsDuring(fullLife);
  assert.ok(demands.length > 100);
  assert.deepEqual([...new Set(forbiddenOf(demands, usual))], []);
  // To get says nothing that a list does not; it is needed after conflicts.
  const spare = unusedRules(usual, demands).filter((right) => !right.startsWith("get ") && !seldom.has(right));
  assert.deepEqual(spare, [], "unused rights");
});

const agentLease = `
apiVersion: v1
kind: Namespace
metadata: {name: projectsveltos}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: sluice-agent, namespace: projectsveltos}
spec: {holderIdentity: agent, leaseDurationSeconds: 15}
`;

async function lifeWithAgent(lab: EmbeddedFleet): Promise<void> {
  await shortLife(lab);
  await lab.apply(agentLease, lab.managed("c1"));
  await lab.advance(1000);
}

test("the same rules do for clusters of Cluster API, also with an agent", async () => {
  const demands = await demandsDuring(lifeWithAgent, { type: "Capi" });
  assert.deepEqual([...new Set(forbiddenOf(demands, usual))], []);
  assert.ok(demands.some(({ verb, resource }) => verb === "patch" && resource === "clusters"));
});

test("definitions are written only where the values allow it", async () => {
  const demands = await demandsDuring(async () => {}, { installCrds: true });
  const forbidden = demands.filter((demand) => !isAllowed(usual, demand)).map(({ verb, resource }) => `${verb} ${resource}`);
  const expected = ["create customresourcedefinitions", "get namespaces", "patch customresourcedefinitions"];
  assert.deepEqual([...new Set(forbidden)].toSorted(), expected);
  assert.deepEqual(forbiddenOf(demands, rightsOf({ controller: { installDefinitions: true } })), []);
});

test("all that an agent asks for is allowed by the chart's rules, with no more to read than what makes events", async () => {
  const lab = await EmbeddedFleet.open({ clusters: { c1: everything } });
  const demands: AccessRequest[] = [];
  const managed = lab.managed("c1");
  const role = { group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole", namespace: "", name: "sluice-agent-sources" };
  let written: KubeObject | undefined;
  try {
    for (const definition of sveltosCrds()) await lab.until(managed.create(definition));
    await lab.apply("{apiVersion: v1, kind: Namespace, metadata: {name: projectsveltos}}", managed);
    await lab.advance(1000);
    const heard: typeof managed.raw = (request) => {
      demands.push(...accessRequestsOf({ headers: {}, ...request }));
      return managed.raw(request);
    };
    const stop = new AbortController();
    const agent = runAgent(connect(heard, { clock: lab.clock }), { identity: "agent" }, stop.signal);
    const replica = new ControllerReplica(lab, "a");
    await lab.apply(eventAddonYaml);
    await lab.apply(serviceYaml("web"), managed);
    await lab.advance(10_000);
    await lab.apply(serviceYaml("db"), managed);
    await lab.advance(10_000);
    written = await lab.get(role, managed);
    await lab.until(
      lab.hub.delete({
        group: "lib.projectsveltos.io",
        version: "v1beta1",
        kind: "EventBasedAddOn",
        namespace: "",
        name: "service-network-policy",
      }),
    );
    await lab.advance(10_000);
    stop.abort();
    await lab.until(agent);
    await stopReplicas(lab, replica);
  } finally {
    await lab.close();
  }
  assert.ok(written !== undefined);
  const rights = [...rightsOf({ controller: { enabled: false }, agent: { enabled: true } }), written];
  assert.ok(demands.some(({ verb, resource }) => verb === "create" && resource === "eventreports"));
  assert.deepEqual([...new Set(demands.filter((demand) => !isAllowed(rights, demand)).map(accessRequestText))], []);
});
