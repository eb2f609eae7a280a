import assert from "node:assert/strict";
import { test } from "node:test";
import { gvkOf } from "../../api/index.ts";
import { keepSets, selectedBy } from "../../fleet/index.ts";
import { refOf, valueAt } from "../../object/index.ts";
import { all, content, eventSource, Lab, service, trigger } from "./fixture.test.ts";

const text = "{{ .Resource.metadata.name }}";

async function opened(t: { after(fn: () => Promise<void>): void }, options: Parameters<typeof Lab.open>[0] = {}): Promise<Lab> {
  const lab = await Lab.open(options);
  t.after(() => lab.fleet.close());
  return lab.run();
}

const addOn = (name: string) =>
  trigger(name)
    .replace("v1beta1", "v1alpha1")
    .replace("EventTrigger", "EventBasedAddOn")
    .replace("sourceClusterSelector: {matchLabels: {env: fv}}", "clusterSelector: env=fv");

test("an EventBasedAddOn does what an EventTrigger does, unless one of its name is there", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), addOn("t")));
  await lab.reports("services", "c1", [service("a")]);
  assert.deepEqual(await lab.texts(), ["a: a"]);
  assert.deepEqual(await lab.infos("t", "EventBasedAddOn"), ["c1 Provisioned"]);
  const names = await lab.names();
  await lab.apply(trigger("t"));
  const { failureMessage = "" } = await lab.status("t", "EventBasedAddOn");
  assert.match(failureMessage, /^EventTrigger t has the name already/);
  assert.match(lab.notes.join("\n"), /^t Warning Refused: EventTrigger t has the name already/);
  assert.deepEqual(await lab.names(), names);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  // The one that was refused goes without taking anything with it, and comes into its own when the other is gone.
  const ref = { ...gvkOf("EventBasedAddOn"), namespace: "", name: "t" };
  await lab.delete(ref);
  assert.equal(await lab.fleet.get(ref), undefined);
  assert.deepEqual(await lab.names(), names);
  await lab.apply(addOn("t"));
  await lab.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "t" });
  assert.deepEqual(await lab.texts(), ["a: a"]);
  assert.equal((await lab.status("t", "EventBasedAddOn")).failureMessage, undefined);
});

test("a trigger that is refused says so; nothing is made, and what is there stays", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const names = await lab.names();
  const ref = { ...gvkOf("EventTrigger"), namespace: "", name: "t" };
  const patch = (value: object) => lab.fleet.until(lab.fleet.hub.patch(ref, { type: "merge", patch: value }));
  await patch({ metadata: { labels: { "projectsveltos.io/admin-name": "tenant" } } });
  await lab.reports("services", "c1", [service("a"), service("b")]);
  assert.deepEqual(await lab.names(), names);
  const refusal = "not built into Sluice, therefore nothing is deployed: metadata.labels[projectsveltos.io/admin-name]";
  assert.equal((await lab.status("t")).failureMessage, refusal);
  assert.deepEqual(lab.notes, [`t Warning Refused: ${refusal}`]);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  await patch({ metadata: { labels: { "projectsveltos.io/admin-name": null } } });
  await lab.pass();
  assert.deepEqual(await lab.texts(), ["a: a", "b: b"]);
  assert.equal((await lab.status("t")).failureMessage, undefined);
  assert.equal(lab.counts.get("sluice_trigger_failures_total"), 1);
});

test("what fails when a profile is deployed is told in its trigger", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const [profile] = await lab.profiles();
  assert.ok(profile);
  const summary = await lab.fleet.until(
    lab.fleet.hub.create({
      apiVersion: "config.projectsveltos.io/v1beta1",
      kind: "ClusterSummary",
      metadata: { name: `${profile.metadata.name}-sveltos-c1`, namespace: "mgmt", labels: profile.metadata.labels ?? {} },
      spec: { clusterName: "c1", clusterNamespace: "mgmt", clusterType: "Sveltos" },
    }),
  );
  await lab.pass();
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioning"]);
  const tell = async (feature: object) => {
    const status = { featureSummaries: [{ featureID: "Resources", ...feature }] };
    await lab.fleet.until(lab.fleet.hub.patch(refOf(summary), { type: "merge", patch: { status } }, { subresource: "status" }));
    await lab.fleet.advance(50);
  };
  await tell({ status: "Failed", failureMessage: "forbidden" });
  const line = `ClusterSummary ${profile.metadata.name}-sveltos-c1: forbidden`;
  assert.deepEqual(await lab.infos("t"), [`c1 Failed ${line}`]);
  assert.deepEqual(lab.notes, [`t Warning DeployFailed: ${line}`]);
  await tell({ status: "Provisioned" });
  await lab.pass();
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
});

test("a source or report that cannot be read costs nothing that is there", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const names = await lab.names();
  const reportRef = { ...gvkOf("EventReport"), namespace: "mgmt", name: "sveltos--services--c1" };
  const resources = Buffer.from('{"kind":').toString("base64");
  await lab.fleet.until(lab.fleet.hub.patch(reportRef, { type: "merge", patch: { spec: { resources } } }));
  await lab.pass();
  assert.deepEqual(await lab.names(), names);
  assert.match((await lab.infos("t")).join(), /^c1 Failed EventReport sveltos--services--c1: the resources of the report end/);
  await lab.reports("services", "c1", [service("a")]);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  const source = { ...gvkOf("EventSource"), namespace: "", name: "services" };
  const messagingMatchCriteria = [{ subject: "a" }];
  await lab.fleet.until(lab.fleet.hub.patch(source, { type: "merge", patch: { spec: { messagingMatchCriteria } } }));
  await lab.pass();
  assert.deepEqual(await lab.names(), names);
  assert.match((await lab.infos("t")).join(), /^c1 Failed EventSource services: not built into Sluice/);
});

const set = (maxReplicas: number) => `
apiVersion: lib.projectsveltos.io/v1beta1
kind: ClusterSet
metadata: {name: chosen}
spec: {clusterSelector: {matchLabels: {env: fv}}, maxReplicas: ${maxReplicas}}
`;

test("clusters of a ClusterSet match, and no longer when the set gives them up", async (t) => {
  const lab = await Lab.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => lab.fleet.close());
  await lab.run(({ hub, fleet }, signal) => keepSets(hub, fleet, signal));
  const spec = "oneForEvent: true\nclusterSetRefs: [chosen]";
  await lab.apply(all(eventSource, content(text), trigger("t", spec).replace("{env: fv}", "{env: none}")));
  await lab.reports("services", "c1", [service("a")]);
  await lab.reports("services", "c2", [service("b")]);
  assert.equal((await lab.status("t")).failureMessage, "ClusterSet chosen does not exist");
  await lab.apply(set(2));
  assert.deepEqual(await lab.texts(), ["a: a", "b: b"]);
  assert.equal((await lab.status("t")).failureMessage, undefined);
  // A set does without a cluster that is down, and takes it back: what is there stays all the while.
  const names = await lab.names();
  lab.fleet.unreachable.add("c1");
  await lab.fleet.advance(240_000);
  const ref = { ...gvkOf("ClusterSet"), namespace: "", name: "chosen" };
  assert.deepEqual(
    selectedBy(await lab.fleet.get(ref)).map(({ name }) => name),
    ["c2"],
  );
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioning the cluster cannot be reached", "c2 Provisioned"]);
  lab.fleet.unreachable.clear();
  await lab.fleet.advance(240_000);
  assert.deepEqual(await lab.names(), names);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned", "c2 Provisioned"]);
  await lab.apply(set(1));
  assert.deepEqual(await lab.texts(), ["b: b"]);
});

test("a profile goes to the clusters that its trigger names, and all goes with the cluster of the event", async (t) => {
  const lab = await opened(t, { clusters: { c1: { env: "fv" }, c2: { dep: "eng" } } });
  await lab.apply(
    all(eventSource, content(text), trigger("t", "oneForEvent: true\ndestinationClusterSelector: {matchLabels: {dep: eng}}")),
  );
  await lab.reports("services", "c1", [service("a")]);
  const [profile] = await lab.profiles();
  assert.deepEqual(valueAt(profile, "spec.clusterSelector"), { matchLabels: { dep: "eng" } });
  assert.equal(profile?.metadata.labels?.["eventtrigger.lib.projectsveltos.io/clustername"], "c1");
  assert.equal(profile.metadata.labels["projectsveltos.io/cluster-name"], undefined);
  await lab.delete({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" });
  assert.deepEqual(await lab.names(), []);
});
