import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import {
  ControllerReplica,
  eventAddonYaml,
  profileYaml,
  roleRequestYaml,
  serviceYaml,
  stopReplicas,
  withToken,
} from "../../../test/support/controller-replica.ts";
import { gvkOf, sveltosCrds } from "../../sveltos/api/index.ts";
import { requestToken } from "../../sveltos/fleet/index.ts";
import { runAgent } from "../../sveltos/agent/index.ts";
import { connect, isForbidden, type Cluster } from "../../kube/index.ts";
import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { renderInstallManifests } from "./install-manifests.ts";

const namespace = "projectsveltos";
const rbac = { group: "rbac.authorization.k8s.io", version: "v1", namespace: "" };

const isRight = ({ kind }: KubeObject) => kind === "ServiceAccount" || /Role(?:Binding)?$/.test(kind);

/** Installs the rights of the chart, and returns the token of its ServiceAccount. */
async function install(fleet: EmbeddedFleet, cluster: Cluster, part: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  const { manifests } = readManifests(renderInstallManifests({ namespace, values, includeCrd: () => false }), "chart");
  for (const { object } of manifests) if (isRight(object)) await fleet.until(cluster.create(object));
  return (await fleet.until(requestToken(cluster, { namespace, name: `sluice-${part}` }, { signal: fleet.signal }))).token;
}

/** A fleet in which the controller and the agent of c1 have the rights of the chart, in as few namespaces as can be. */
async function openFleet(t: TestContext) {
  const fleet = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" } } });
  const managed = fleet.managed("c1");
  for (const definition of sveltosCrds()) await fleet.until(managed.create(definition));
  await fleet.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`, managed);
  await fleet.apply("{apiVersion: v1, kind: Namespace, metadata: {name: eng}}");
  const values = { controller: { clusterNamespaces: ["mgmt"] }, tenants: { namespaces: ["eng"], admissionPolicies: false } };
  const hub = await install(fleet, fleet.hub, "controller", values);
  const token = await install(fleet, managed, "agent", { controller: { enabled: false }, agent: { enabled: true } });
  await fleet.advance(1000);
  const asAgent = connect((request) => managed.raw(withToken(request, token)), { clock: fleet.clock });
  const stop = new AbortController();
  const agent = runAgent(asAgent, { identity: "agent" }, stop.signal);
  const replica = new ControllerReplica(fleet, "a", { tokens: { hub } });
  t.after(async () => {
    stop.abort();
    await fleet.until(agent);
    await stopReplicas(fleet, replica);
    await fleet.close();
  });
  await fleet.advance(10_000);
  return { fleet, managed, asAgent, replica };
}

const rulesIn = (role: KubeObject | undefined) =>
  listAt(role, "rules").map(({ apiGroups, resources, verbs }) => `${String(apiGroups)}: ${String(resources)}: ${String(verbs)}`);

const role = { ...rbac, kind: "ClusterRole", name: "sluice-agent-sources" };
const deployments = `
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventSource
metadata: {name: deployments}
spec: {resourceSelectors: [{group: apps, version: v1, kind: Deployment}, {group: example.com, version: v1, kind: Widget}]}
---
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventTrigger
metadata: {name: deployments}
spec: {sourceClusterSelector: {matchLabels: {env: fv}}, eventSourceName: deployments, oneForEvent: true}
`;
const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
const podsRole = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: pods, labels: {sluice.dev/aggregate-to-agent: "true"}}
rules: [{apiGroups: [""], resources: [pods], verbs: [list, watch]}]
`;
test("with the rights of the chart events are found by an agent and answered, tenants get theirs, and a right that is missing shows", async (t) => {
  const { fleet, managed, asAgent } = await openFleet(t);
  const policy = (name: string) =>
    fleet.get({ group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy", namespace: "default", name: `front-${name}` }, managed);
  await fleet.apply(profileYaml);
  await fleet.apply(eventAddonYaml);
  await fleet.apply(roleRequestYaml);
  await fleet.apply(serviceYaml("web"), managed);
  await fleet.advance(20_000);
  assert.ok(await policy("web"));
  assert.ok(await fleet.get({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "deployed" }, managed));
  const request = await fleet.get({ ...gvkOf("RoleRequest"), namespace: "", name: "access" });
  assert.deepEqual(
    listAt(request, "status.clusterInfo").map((info) => stringAt(info, "status")),
    ["Provisioned"],
  );

  // The agent may read what EventSources name, when they name it and when it is served, and nothing else.
  assert.deepEqual(rulesIn(await fleet.get(role, managed)), [": services: list,watch"]);
  for (const kind of ["Secret", "ConfigMap", "Pod"])
    await assert.rejects(fleet.until(asAgent.list({ group: "", version: "v1", kind })), isForbidden, kind);
  await fleet.apply(deployments);
  await fleet.advance(10_000);
  assert.deepEqual(rulesIn(await fleet.get(role, managed)), [": services: list,watch", "apps: deployments: list,watch"]);
  await fleet.apply(widgets, managed);
  await fleet.advance(30_000);
  assert.deepEqual(rulesIn(await fleet.get(role, managed)).slice(2), ["example.com: widgets: list,watch"]);
  const source = () => fleet.get({ ...gvkOf("EventSource"), namespace: "", name: "deployments" });
  const failures = async () =>
    listAt(listAt(await source(), "status.clusterInfo")[0], "failures").map((each) => stringAt(each, "message", ""));
  assert.deepEqual(await failures(), []);
  await fleet.until(fleet.hub.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "deployments" }));
  await fleet.advance(10_000);
  assert.deepEqual(rulesIn(await fleet.get(role, managed)), [": services: list,watch"]);

  // Without the right to write what events make, the trigger says so, and goes on when the right is back.
  const binding = { ...rbac, kind: "RoleBinding", namespace, name: "sluice-controller-generated" };
  const before = await fleet.until(fleet.hub.get(binding));
  await fleet.until(fleet.hub.delete(binding));
  await fleet.apply(serviceYaml("api"), managed);
  await fleet.advance(20_000);
  assert.equal(await policy("api"), undefined);
  const trigger = await fleet.get({ ...gvkOf("EventBasedAddOn"), namespace: "", name: "service-network-policy" });
  assert.match(JSON.stringify(trigger?.["status"]), /cannot create resource .*configmaps.* in the namespace .*projectsveltos/);
  const { resourceVersion: _version, uid: _uid, ...metadata } = before.metadata;
  await fleet.until(fleet.hub.create({ ...before, metadata }));
  await fleet.advance(60_000);
  assert.ok(await policy("api"));

  // An administrator adds rights by labelled ClusterRoles.
  await fleet.apply(podsRole, managed);
  await fleet.advance(1000);
  assert.deepEqual((await fleet.until(asAgent.list({ group: "", version: "v1", kind: "Pod" }))).items, []);
});
