import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { fleetNamespace } from "../../../../test/support/embedded-fleet.ts";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { SummaryFixture } from "../../../../test/support/summary-fixture.ts";
import { finalizers, gvkOf, type ClusterId } from "../../api/index.ts";
import { summaryStatusOf } from "../../deploy/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";

const secretOfTeamB = `
apiVersion: v1
kind: Namespace
metadata: {name: team-b}
---
apiVersion: v1
kind: Secret
metadata: {name: kubeconfig, namespace: team-b}
stringData: {key: topsecret}`;

const shows = (expression: string) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "shown", namespace: fleetNamespace, annotations: { "projectsveltos.io/template": "ok" } },
    data: { a: `{apiVersion: v1, kind: ConfigMap, metadata: {name: stolen, namespace: default}, data: {v: ${expression}}}` },
  });

async function openFixture(t: TestContext, type: ClusterId["type"] = "Sveltos"): Promise<SummaryFixture> {
  const fixture = await SummaryFixture.open({ type });
  t.after(() => fixture.close());
  await fixture.apply(secretOfTeamB);
  return fixture;
}

async function summaryOf(fixture: SummaryFixture, summary: KubeObject): Promise<KubeObject> {
  await fixture.fleet.until(fixture.fleet.hub.apply(summary, { manager: "profiles", force: true }));
  await fixture.fleet.advance(1000);
  const found = await fixture.fleet.get(refOf(summary));
  assert.ok(found);
  return found;
}

function failureOf(summary: KubeObject): string {
  const { failureMessage, featureSummaries = [] } = summaryStatusOf(summary);
  return failureMessage ?? featureSummaries[0]?.failureMessage ?? featureSummaries[0]?.status ?? "nothing";
}

const identifier = "identifier: it, resource:";
const references: Record<string, { ref: string; denied: string }> = {
  "a Secret of another namespace": {
    ref: `{${identifier} {apiVersion: v1, kind: Secret, namespace: team-b, name: kubeconfig}}`,
    denied: "Secret team-b/kubeconfig is in another one",
  },
  "a Secret of another namespace, by a template": {
    ref: `{${identifier} {apiVersion: v1, kind: Secret, namespace: 'team-{{ printf "b" }}', name: kubeconfig}}`,
    denied: "Secret team-b/kubeconfig is in another one",
  },
  "a Secret of another namespace, were it there": {
    ref: `{${identifier} {apiVersion: v1, kind: Secret, namespace: team-b, name: absent}, optional: true}`,
    denied: "Secret team-b/absent is in another one",
  },
  "an object of no namespace": {
    ref: `{${identifier} {apiVersion: v1, kind: Namespace, name: kube-system}}`,
    denied: "Namespace kube-system is in none",
  },
};

for (const [name, { ref, denied }] of Object.entries(references)) {
  test(`a Profile does not read ${name}; a ClusterProfile does`, async (t) => {
    const fixture = await openFixture(t);
    await fixture.apply(shows('{{ (getResource "it").metadata.name }}'));
    const spec = `{policyRefs: [{kind: ConfigMap, namespace: ${fleetNamespace}, name: shown}], templateResourceRefs: [${ref}]}`;
    const summary = await summaryOf(fixture, await fixture.summaryFor("mine", spec, { kind: "Profile" }));
    assert.match(failureOf(summary), new RegExp(`^Profile mgmt/mine may refer to objects of its own namespace only, and ${denied}; `));
    assert.equal(await fixture.configMaps(), "");
    if (name.includes("were it")) return;
    await fixture.deploy("platform", spec);
    assert.match(await fixture.configMaps(), /^stolen=(kubeconfig|kube-system)$/);
  });
}

test("a Profile reads an object of its own namespace", async (t) => {
  const fixture = await openFixture(t);
  await fixture.apply(shows('{{ (getResource "it").metadata.name }}'));
  const spec = `{policyRefs: [{kind: ConfigMap, name: shown}], templateResourceRefs: [{${identifier} {apiVersion: v1, kind: ConfigMap, name: shown}}]}`;
  assert.equal(failureOf(await summaryOf(fixture, await fixture.summaryFor("mine", spec, { kind: "Profile" }))), "Provisioned");
  assert.equal(await fixture.configMaps(), "stolen=shown");
});

const parts: Record<string, { ref: object; named: string }> = {
  "in another namespace": {
    ref: { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", namespace: "team-b", name: "c9" },
    named: "Cluster team-b/c9 (cluster.x-k8s.io)",
  },
  "that is a Secret": {
    ref: { apiVersion: "v1", kind: "Secret", namespace: "team-b", name: "kubeconfig" },
    named: "Secret team-b/kubeconfig",
  },
  "that is a Secret beside it": { ref: { apiVersion: "v1", kind: "Secret", name: "c1-kubeconfig" }, named: "Secret mgmt/c1-kubeconfig" },
  "in no namespace": {
    ref: { apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", name: "platform" },
    named: "ClusterProfile platform (config.projectsveltos.io)",
  },
};

for (const [name, { ref, named }] of Object.entries(parts)) {
  test(`a Cluster shows no templates a part ${name}`, async (t) => {
    const fixture = await openFixture(t, "Capi");
    const cluster = { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster", namespace: fleetNamespace, name: "c1" };
    const patch = { spec: { infrastructureRef: ref } };
    await fixture.fleet.until(fixture.fleet.hub.patch(cluster, { type: "merge", patch }));
    await fixture.apply(shows("{{ .InfrastructureProvider.metadata.name }}"));
    await fixture.deploy("platform", `{policyRefs: [{kind: ConfigMap, namespace: ${fleetNamespace}, name: shown}]}`);
    const failure = failureOf((await fixture.summary("platform"))!);
    const said = `Cluster mgmt/c1: spec.infrastructureRef names ${named}; `;
    assert.equal(failure.slice(0, said.length), said);
    assert.equal(await fixture.configMaps(), "");
  });
}

test("a ClusterSummary in another namespace than its cluster deploys and withdraws nothing, and can be deleted", async (t) => {
  const fixture = await openFixture(t);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy("good", policyRefsYaml("s"));
  const good = (await fixture.summary("good"))!;
  const { name, labels = {}, ownerReferences = [] } = good.metadata;
  const forged = {
    apiVersion: good.apiVersion,
    kind: good.kind,
    metadata: { name, namespace: "team-b", labels, ownerReferences, finalizers: [finalizers.ClusterSummary] },
    spec: good["spec"],
  };
  const summary = await summaryOf(fixture, forged);
  assert.equal(failureOf(summary), "it is not in the namespace of its cluster Sveltos/mgmt/c1, and is not deployed: delete it");
  const status = { ...(good["status"] as object) };
  await fixture.fleet.until(fixture.fleet.hub.patch(refOf(summary), { type: "merge", patch: { status } }, { subresource: "status" }));
  await fixture.fleet.until(fixture.fleet.hub.delete(refOf(summary)));
  await fixture.fleet.advance(1000);
  assert.equal(await fixture.fleet.get({ ...gvkOf("ClusterSummary"), namespace: "team-b", name }), undefined);
  assert.equal(await fixture.configMaps(), "a=1");
  assert.equal(await fixture.state("good"), "Provisioned");
});

for (const rollOut of ["maxUpdate: 1", "syncMode: OneTime"])
  test(`with ${rollOut} a ClusterSummary may have an earlier spec of its profile, and no other one`, async (t) => {
    const fixture = await openFixture(t);
    for (const name of ["one", "two", "forged"]) await fixture.apply(sourceYaml(name, { a: configMapsYaml(`${name}=1`) }));
    await fixture.deploy("demo", `${rollOut}\n${policyRefsYaml("one")}`);
    assert.equal(await fixture.configMaps(), "one=1");
    // The profile changes, and this cluster has its turn later.
    await fixture.summaryFor("demo", `${rollOut}\n${policyRefsYaml("two")}`);
    if (rollOut.startsWith("maxUpdate")) {
      await fixture.apply(sourceYaml("one", { a: configMapsYaml("one=2") }));
      assert.equal(await fixture.configMaps(), "one=2");
    }
    const forged = await fixture.summaryFor("demo", `${rollOut}\n${policyRefsYaml("forged")}\nhelmCharts: []`);
    await fixture.summaryFor("demo", `${rollOut}\n${policyRefsYaml("two")}`);
    const status = { featureSummaries: [] };
    await fixture.fleet.until(fixture.fleet.hub.patch(refOf(forged), { type: "merge", patch: { status } }, { subresource: "status" }));
    await fixture.fleet.until(fixture.fleet.hub.apply(forged, { manager: "profiles", force: true }));
    await fixture.fleet.advance(5000);
    assert.doesNotMatch(await fixture.configMaps(), /forged/);
    await fixture.deploy("demo", `${rollOut}\n${policyRefsYaml("two")}`);
    assert.equal(await fixture.configMaps(), "two=1");
  });
