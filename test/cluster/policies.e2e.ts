/** The chart's admission policies on a real control plane. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { openCluster, waitForKind } from "../../src/kube/index.ts";
import { gvkOf, sveltosCrds, type KindName } from "../../src/sveltos/api/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";
import { fleetNamespace } from "../support/embedded-fleet.ts";
import { labelsOf } from "../support/tenant-fixture.ts";
import {
  alice,
  bob,
  chartPolicies,
  checkChanges,
  checkContent,
  checkCreations,
  controller,
  outcomeOf,
  tenantObject,
  tenantRights,
  userOf,
  type Until,
} from "../support/tenant-policies.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { startCluster } from "./start-cluster.ts";

const limits = { timeout: 300_000 };
const clock = new RealClock();
const until: Until = (work) => work;

// Kubernetes 1.35 has MutatingAdmissionPolicy, and serves it only when it is asked to.
const apiServerFlags = ["--feature-gates=MutatingAdmissionPolicy=true", "--runtime-config=admissionregistration.k8s.io/v1beta1=true"];
const running = await startCluster(process.env[environmentVariables.kubectl] ?? "", { name: "policies", apiServerFlags });
const { cluster: hub, close } = await openCluster({ kubeconfig: running.kubeconfig });
after(async () => {
  close();
  await running.stop();
});

for (const name of [fleetNamespace, "projectsveltos"]) await hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
for (const definition of sveltosCrds()) await hub.create(definition);
for (const kind of ["EventSource", "EventTrigger", "ClusterProfile", "Profile", "ClusterSummary", "EventReport"] as const)
  await waitForKind(hub, gvkOf(kind), AbortSignal.timeout(120_000));
for (const { object } of readManifests(tenantRights, "rights").manifests) await hub.create(object);

/** An API server takes up a policy a moment after it was written. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await isSo()) return;
    await sleep(clock, 200);
  }
  assert.fail("it has not come about within two minutes");
}

function isNotYet(error: unknown): false {
  assert.match(String(error), /may write on its own word only|There can be a delay/);
  return false;
}

const create = (user: string, kind: KindName, labels: Readonly<Record<string, string>>) =>
  hub.impersonate(user).create(tenantObject(kind, labels), { dryRun: true });
const mayCreate = (user: string, kind: KindName, labels: Readonly<Record<string, string>>) => outcomeOf(create(user, kind, labels), until);

test("the API server takes up the validating policies", limits, async () => {
  for (const policy of chartPolicies()) await hub.create(policy);
  await eventually(async () => (await mayCreate("jane", "EventSource", {})) === "denied");
  await eventually(async () => (await mayCreate(userOf(alice), "EventReport", labelsOf(alice))) === "denied");
  const generated = { "eventtrigger.lib.projectsveltos.io/a": "b" };
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "it", namespace: "projectsveltos", labels: generated } };
  await eventually(async () => (await outcomeOf(hub.impersonate(userOf(alice)).create(map, { dryRun: true }), until)) === "denied");
});
test("everybody writes on their own word only", limits, () => checkCreations(hub, until));
test("nobody changes, relabels or deletes what is somebody else's word", limits, () => checkChanges(hub, until));
test("nobody else writes what a trigger would take for its own in Sveltos' namespace", limits, () => checkContent(hub, until));

test("the mutating policy labels what ServiceAccounts write without labels, and leaves forgeries to be refused", limits, async () => {
  const values = { tenants: { admissionPolicies: false, labelPolicyVersion: "v1beta1" } };
  for (const policy of chartPolicies(values)) await hub.create(policy);
  for (const kind of ["EventSource", "EventTrigger", "ClusterProfile"] as const) {
    // Policies that change objects learn of new kinds later than requests do, and refuse them until then.
    await eventually(() => create(userOf(alice), kind, {}).then(() => true, isNotYet));
    assert.deepEqual((await create(userOf(alice), kind, {})).metadata.labels, labelsOf(alice), kind);
    assert.deepEqual((await create(userOf(alice), kind, { team: "a" })).metadata.labels, { team: "a", ...labelsOf(alice) }, kind);
    assert.deepEqual((await create(controller, kind, {})).metadata.labels ?? {}, {}, kind);
    const forged = { "projectsveltos.io/serviceaccount-name": "alice" };
    const outcomes = [
      await mayCreate(userOf(alice), kind, labelsOf(bob)),
      await mayCreate(userOf(alice), kind, forged),
      await mayCreate(userOf(alice), kind, { "projectsveltos.io/admin-name": "alice" }),
      await mayCreate("jane", kind, {}),
      await mayCreate("manager", kind, labelsOf(alice)),
    ];
    assert.deepEqual(outcomes, ["denied", "denied", "denied", "denied", "allowed"], kind);
  }
  // Labels that a tenant leaves out of a change come back; what is the platform's does not become a tenant's.
  const ref = { ...gvkOf("EventSource"), namespace: "", name: "mine" };
  await hub.impersonate(userOf(alice)).create(tenantObject("EventSource", {}, "mine"));
  const replaced = await hub.impersonate(userOf(alice)).patch(ref, { type: "merge", patch: { metadata: { labels: null } } });
  assert.deepEqual(replaced.metadata.labels, labelsOf(alice));
  await hub.create(tenantObject("EventSource", {}, "platform"));
  const patch = { type: "merge", patch: { metadata: { labels: { a: "b" } } } } as const;
  assert.equal(await outcomeOf(hub.impersonate(userOf(alice)).patch({ ...ref, name: "platform" }, patch), until), "denied");
});
