import assert from "node:assert/strict";
import { test } from "node:test";
import { gvkOf } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { clusterKey, runClusterSetController, selectedClustersOf } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { listAt, refOf, valueAt } from "../../../core/object/index.ts";
import { SharedCache, type ControllerContext } from "../index.ts";
import {
  yamlDocuments,
  contentYaml,
  serviceEventSource,
  TriggerFixture,
  openTriggerFixture,
  labelledService,
  triggerYaml,
} from "../../../../test/support/trigger-fixture.ts";
import { runTriggerController } from "./index.ts";
import { triggerStatusOf } from "./trigger-status.ts";

const text = "{{ .Resource.metadata.name }}";

const addOn = (name: string) =>
  triggerYaml(name)
    .replace("v1beta1", "v1alpha1")
    .replace("EventTrigger", "EventBasedAddOn")
    .replace("sourceClusterSelector: {matchLabels: {env: fv}}", "clusterSelector: env=fv");

test("an EventBasedAddOn is handled like an EventTrigger, unless there is one of the same name", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), addOn("t")));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  assert.deepEqual(await fixture.texts(), ["a: a"]);
  assert.deepEqual(await fixture.infos("t", "EventBasedAddOn"), ["c1 Provisioned"]);
  const names = await fixture.names();
  await fixture.apply(triggerYaml("t"));
  const { failureMessage = "" } = await fixture.status("t", "EventBasedAddOn");
  assert.match(failureMessage, /^EventTrigger t has the name already/);
  assert.match(fixture.events.join("\n"), /^t Warning Refused: EventTrigger t has the name already/);
  assert.deepEqual(await fixture.names(), names);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  // The one that was refused goes without taking anything with it, and comes into its own when the other is gone.
  const ref = { ...gvkOf("EventBasedAddOn"), namespace: "", name: "t" };
  await fixture.delete(ref);
  assert.equal(await fixture.fleet.get(ref), undefined);
  assert.deepEqual(await fixture.names(), names);
  await fixture.apply(addOn("t"));
  await fixture.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "t" });
  assert.deepEqual(await fixture.texts(), ["a: a"]);
  assert.equal((await fixture.status("t", "EventBasedAddOn")).failureMessage, undefined);
});

test("an invalid trigger has a failure message; nothing is generated, and generated objects stay", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const names = await fixture.names();
  const ref = { ...gvkOf("EventTrigger"), namespace: "", name: "t" };
  const patch = (value: object) => fixture.fleet.until(fixture.fleet.hub.patch(ref, { type: "merge", patch: value }));
  await patch({ metadata: { labels: { "projectsveltos.io/admin-name": "tenant" } } });
  await fixture.writeReport("services", "c1", [labelledService("a"), labelledService("b")]);
  assert.deepEqual(await fixture.names(), names);
  const refusal =
    "nothing is deployed: its label projectsveltos.io/admin-name: tenant names no tenant: no RoleRequest is for an admin or ServiceAccount of that name";
  assert.equal((await fixture.status("t")).failureMessage, refusal);
  assert.deepEqual(fixture.events, [`t Warning Refused: ${refusal}`]);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  await patch({ metadata: { labels: { "projectsveltos.io/admin-name": null } } });
  await fixture.pass();
  assert.deepEqual(await fixture.texts(), ["a: a", "b: b"]);
  assert.equal((await fixture.status("t")).failureMessage, undefined);
  assert.equal(fixture.counts.get("sluice_trigger_failures_total"), 1);
});

test("deploy failures are in the status of the trigger", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const [profile] = await fixture.profiles();
  assert.ok(profile);
  const summary = await fixture.fleet.until(
    fixture.fleet.hub.create({
      apiVersion: "config.projectsveltos.io/v1beta1",
      kind: "ClusterSummary",
      metadata: { name: `${profile.metadata.name}-sveltos-c1`, namespace: "mgmt", labels: profile.metadata.labels ?? {} },
      spec: { clusterName: "c1", clusterNamespace: "mgmt", clusterType: "Sveltos" },
    }),
  );
  await fixture.pass();
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioning"]);
  const tell = async (feature: object) => {
    const status = { featureSummaries: [{ featureID: "Resources", ...feature }] };
    await fixture.fleet.until(fixture.fleet.hub.patch(refOf(summary), { type: "merge", patch: { status } }, { subresource: "status" }));
    await fixture.fleet.advance(50);
  };
  await tell({ status: "Failed", failureMessage: "forbidden" });
  const line = `ClusterSummary ${profile.metadata.name}-sveltos-c1: forbidden`;
  assert.deepEqual(await fixture.infos("t"), [`c1 Failed ${line}`]);
  assert.deepEqual(fixture.events, [`t Warning DeployFailed: ${line}`]);
  await tell({ status: "Provisioned" });
  await fixture.pass();
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
});

test("an unreadable EventSource or EventReport keeps the generated objects", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const names = await fixture.names();
  const reportRef = { ...gvkOf("EventReport"), namespace: "mgmt", name: "sveltos--services--c1" };
  const resources = Buffer.from('{"kind":').toString("base64");
  await fixture.fleet.until(fixture.fleet.hub.patch(reportRef, { type: "merge", patch: { spec: { resources } } }));
  await fixture.pass();
  assert.deepEqual(await fixture.names(), names);
  assert.match((await fixture.infos("t")).join(), /^c1 Failed EventReport sveltos--services--c1: the resources of the report end/);
  await fixture.fleet.until(
    fixture.fleet.hub.patch(reportRef, { type: "merge", patch: { spec: { matchingResources: [], resources: null } } }),
  );
  await fixture.pass();
  assert.deepEqual(await fixture.names(), names, "an empty list is nobody's finding");
  assert.match((await fixture.infos("t")).join(), /somebody has emptied the report on EventSource services/);
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  const source = { ...gvkOf("EventSource"), namespace: "", name: "services" };
  const messagingMatchCriteria = [{ subject: "a" }];
  await fixture.fleet.until(fixture.fleet.hub.patch(source, { type: "merge", patch: { spec: { messagingMatchCriteria } } }));
  await fixture.pass();
  assert.deepEqual(await fixture.names(), names);
  assert.match((await fixture.infos("t")).join(), /^c1 Failed EventSource services: not built into Sluice/);
});

const set = (maxReplicas: number) => `
apiVersion: lib.projectsveltos.io/v1beta1
kind: ClusterSet
metadata: {name: chosen}
spec: {clusterSelector: {matchLabels: {env: fv}}, maxReplicas: ${maxReplicas}}
`;

test("clusters of a ClusterSet match while the set selects them", async (t) => {
  const fixture = await TriggerFixture.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => fixture.fleet.close());
  await fixture.run(({ hub, fleet }, signal) => runClusterSetController(hub, fleet, signal));
  const spec = "oneForEvent: true\nclusterSetRefs: [chosen]";
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml("t", spec).replace("{env: fv}", "{env: none}")));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  await fixture.writeReport("services", "c2", [labelledService("b")]);
  assert.equal((await fixture.status("t")).failureMessage, "ClusterSet chosen does not exist");
  await fixture.apply(set(2));
  assert.deepEqual(await fixture.texts(), ["a: a", "b: b"]);
  assert.equal((await fixture.status("t")).failureMessage, undefined);
  // A set does without a cluster that is down, and takes it back: what is there stays all the while.
  const names = await fixture.names();
  fixture.fleet.unreachable.add("c1");
  await fixture.fleet.advance(240_000);
  const ref = { ...gvkOf("ClusterSet"), namespace: "", name: "chosen" };
  assert.deepEqual(
    selectedClustersOf(await fixture.fleet.get(ref)).map(({ name }) => name),
    ["c2"],
  );
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioning the cluster cannot be reached", "c2 Provisioned"]);
  fixture.fleet.unreachable.clear();
  await fixture.fleet.advance(240_000);
  assert.deepEqual(await fixture.names(), names);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned", "c2 Provisioned"]);
  await fixture.apply(set(1));
  assert.deepEqual(await fixture.texts(), ["b: b"]);
});

test("a profile is deployed to the clusters that its trigger names, and withdrawn with the cluster of the event", async (t) => {
  const fixture = await openTriggerFixture(t, { clusters: { c1: { env: "fv" }, c2: { dep: "eng" } } });
  await fixture.apply(
    yamlDocuments(
      serviceEventSource,
      contentYaml(text),
      triggerYaml("t", "oneForEvent: true\ndestinationClusterSelector: {matchLabels: {dep: eng}}"),
    ),
  );
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const [profile] = await fixture.profiles();
  assert.deepEqual(valueAt(profile, "spec.clusterSelector"), { matchLabels: { dep: "eng" } });
  assert.equal(profile?.metadata.labels?.["eventtrigger.lib.projectsveltos.io/clustername"], "c1");
  assert.equal(profile.metadata.labels["projectsveltos.io/cluster-name"], undefined);
  await fixture.delete({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" });
  assert.deepEqual(await fixture.names(), []);
});

test("a failed write is reported and retried", async (t) => {
  const fixture = await TriggerFixture.open();
  t.after(() => fixture.fleet.close());
  let refusals = 1;
  const create: Cluster["create"] = (object, options) =>
    object.kind === "ClusterProfile" && refusals-- > 0
      ? Promise.reject(new Fault("create ClusterProfile: no room"))
      : fixture.fleet.hub.create(object, options);
  await fixture.fleet.run((context, signal) => runTriggerController({ ...context, hub: { ...context.hub, create } }, signal));
  await fixture.fleet.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.fleet.until(fixture.fleet.hub.create(fixture.report("services", "c1", [labelledService("a")])));
  await fixture.fleet.advance(100);
  assert.deepEqual(await fixture.infos("t"), ["c1 Failed create ClusterProfile: no room"]);
  await fixture.pass();
  assert.deepEqual(await fixture.texts(), ["a: a"]);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioning"]);
});

test("a status stays small, however many clusters fail", () => {
  const object = { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "EventTrigger", metadata: { name: "t", generation: 1 } };
  const failures = Array.from({ length: 100 }, (_, index) => ({ reason: "TemplateFailed", message: `${index} ${"x".repeat(300)}` }));
  const clusters = Array.from({ length: 300 }, (_, index) => ({ type: "Sveltos", namespace: "mgmt", name: `c${index}` }) as const);
  const results = new Map(
    clusters.map((cluster) => [
      clusterKey(cluster),
      { cluster, matching: true, work: { state: "Provisioned", hash: "AA==", failures } } as const,
    ]),
  );
  const { patch } = triggerStatusOf(object, {
    objection: undefined,
    results,
    conditions: () => null,
    deploymentOf: () => ({ failures: [], isProgressing: false }),
  });
  assert.equal(listAt(patch, "clusterInfo").length, 300);
  assert.ok(JSON.stringify(patch).length < 400_000);
});

const writes = ["create", "replace", "patch", "delete"] as const;

/** A cluster whose writes stop after so many: the last one is made, and its answer is lost. */
function failing(hub: Cluster, writesLeft: number, die: () => void): Cluster {
  let left = writesLeft;
  const guarded = Object.fromEntries(
    writes.map((verb) => [
      verb,
      async (...args: unknown[]): Promise<unknown> => {
        if (left-- <= 0) throw new Error("killed");
        const answer: unknown = await Reflect.apply(hub[verb], hub, args);
        if (left > 0) return answer;
        die();
        throw new Error("killed");
      },
    ]),
  );
  return { ...hub, ...guarded };
}

/** Keeps triggers until so many writes have been made, then dies; whether it did within a while. */
async function runAndDie(fixture: TriggerFixture, count: number): Promise<boolean> {
  const stop = new AbortController();
  const signal = AbortSignal.any([fixture.fleet.signal, stop.signal]);
  const { context } = fixture.fleet;
  let died = false;
  const hub = failing(context.hub, count, () => {
    died = true;
    stop.abort(new Error("killed"));
  });
  const copy: ControllerContext = { ...context, hub, cache: new SharedCache(context.hub, signal) };
  const work = runTriggerController(copy, signal).catch(() => undefined);
  await fixture.pass();
  stop.abort(new Error("killed"));
  await fixture.fleet.until(work);
  return died;
}

/** As the profiles' controller does when all that was deployed is withdrawn. */
async function release(fixture: TriggerFixture): Promise<void> {
  for (const profile of await fixture.profiles()) {
    if (profile.metadata.deletionTimestamp === undefined) continue;
    const ref = { ...gvkOf("ClusterProfile"), namespace: "", name: profile.metadata.name };
    await fixture.fleet.until(fixture.fleet.hub.patch(ref, { type: "merge", patch: { metadata: { finalizers: [] } } }));
  }
}

test("killed after any write and started again, it generates nothing twice and keeps all names", async (t) => {
  const fixture = await TriggerFixture.open();
  t.after(() => fixture.fleet.close());
  await fixture.fleet.run();
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a"), labelledService("b")]);
  const seen = new Set<string>();
  for (let died = true; died;) {
    died = await runAndDie(fixture, 1);
    for (const name of await fixture.names()) seen.add(name);
  }
  assert.equal(seen.size, 4, "every name that was ever given is still there");
  assert.deepEqual(await fixture.texts(), ["a: a", "b: b"]);
  // One is gone and one is new: the profile goes before what it refers to.
  await fixture.writeReport("services", "c1", [labelledService("b"), labelledService("c")]);
  for (let died = true; died;) died = await runAndDie(fixture, 1);
  await release(fixture);
  for (let died = true; died;) died = await runAndDie(fixture, 1);
  assert.deepEqual(await fixture.texts(), ["b: b", "c: c"]);
  assert.equal((await fixture.names()).length, 4);
  // The trigger stays until nothing is left of what it made.
  const ref = { ...gvkOf("EventTrigger"), namespace: "", name: "t" };
  await fixture.delete(ref);
  for (let died = true; died;) died = await runAndDie(fixture, 1);
  assert.notEqual(await fixture.fleet.get(ref), undefined);
  await release(fixture);
  for (let died = true; died;) died = await runAndDie(fixture, 1);
  assert.deepEqual(await fixture.names(), []);
  assert.equal(await fixture.fleet.get(ref), undefined);
});

test("an object for all events that outgrows what an API server stores is told, with what to do", async (t) => {
  const fixture = await openTriggerFixture(t);
  const large = '{{ range $each := .Resources }}{{ repeat 600000 "x" }}{{ end }}';
  await fixture.apply(
    yamlDocuments(serviceEventSource, contentYaml(large), triggerYaml("t").replace("oneForEvent: true", "oneForEvent: false")),
  );
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  await fixture.writeReport("services", "c1", [labelledService("a"), labelledService("b")]);
  const [info = ""] = await fixture.infos("t");
  assert.match(
    info,
    /^c1 Failed .*ConfigMap projectsveltos\/sveltos-\w+: with all that matches it has 12\d{5} bytes.* 1 MiB: set oneForEvent: true/,
  );
  await fixture.writeReport("services", "c1", [labelledService("b")]);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
});
