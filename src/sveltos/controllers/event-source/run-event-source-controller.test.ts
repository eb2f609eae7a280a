import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import {
  appSelector,
  eventSourceYaml,
  httpsScript,
  openFleetWith,
  applyObjects,
  reportedNames,
  serviceObject,
  serviceKind,
  eventSourceStatusText,
  eventTriggerYaml,
  webEventSource,
} from "../../../../test/support/event-objects.ts";
import { widgetCrd } from "../../../../test/support/widget-crd.ts";
import { eventReportLabels, gvkOf } from "../../api/index.ts";
import { runClusterSetController } from "../../fleet/index.ts";
import { runEventSourceController } from "./index.ts";

for (const type of ["Sveltos", "Capi"] as const) {
  test(`objects of a ${type} cluster are in the report while they match`, async (t) => {
    const fixture = await EmbeddedFleet.open({ type, clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: {} } });
    t.after(() => fixture.close());
    await applyObjects(fixture, fixture.managed("c1"), serviceObject("a", { app: "web" }), serviceObject("b"));
    await fixture.apply(webEventSource + eventTriggerYaml("t", "web"));
    await fixture.run(runEventSourceController);
    assert.equal(await reportedNames(fixture, "web"), "a");
    assert.equal(await reportedNames(fixture, "web", "c2"), "");
    assert.equal(await reportedNames(fixture, "web", "c3"), undefined);
    assert.equal(await eventSourceStatusText(fixture, "web"), "c1 1\nc2 0");
    await applyObjects(fixture, fixture.managed("c1"), serviceObject("b", { app: "web" }));
    await applyObjects(fixture, fixture.managed("c2"), serviceObject("c", { app: "web" }));
    await fixture.advance(1000);
    assert.equal(await reportedNames(fixture, "web"), "a b");
    assert.equal(await reportedNames(fixture, "web", "c2"), "c");
    await applyObjects(fixture, fixture.managed("c1"), serviceObject("a"));
    await fixture.until(fixture.managed("c2").delete({ ...serviceKind, namespace: "default", name: "c" }));
    await fixture.advance(1000);
    assert.equal(await reportedNames(fixture, "web"), "b");
    assert.equal(await reportedNames(fixture, "web", "c2"), "");
    assert.equal(await eventSourceStatusText(fixture, "web"), "c1 1\nc2 0");
  });
}

test("Lua, CEL and the aggregating script each select matches", async (t) => {
  const fixture = await openFleetWith(t, {
    lua: eventSourceYaml("lua", { evaluate: httpsScript }),
    cel: eventSourceYaml("cel", { evaluateCEL: [{ name: "https", rule: "resource.spec.ports.exists(p, p.port == 443)" }] }),
    first: eventSourceYaml(
      "first",
      { evaluate: httpsScript },
      {
        collectResources: true,
        aggregatedSelection: "function evaluate() return { resources = { resources[1] } } end",
      },
    ),
  });
  const c1 = fixture.managed("c1");
  await applyObjects(fixture, c1, serviceObject("a", {}, 443), serviceObject("b", {}, 443), serviceObject("c", {}, 80));
  await fixture.run(runEventSourceController);
  const all = async () => [await reportedNames(fixture, "lua"), await reportedNames(fixture, "cel"), await reportedNames(fixture, "first")];
  assert.deepEqual(await all(), ["a b kubernetes", "a b kubernetes", "a"]);
  await applyObjects(fixture, c1, serviceObject("a", {}, 80), serviceObject("c", {}, 443));
  await fixture.advance(1000);
  assert.deepEqual(await all(), ["b c kubernetes", "b c kubernetes", "b"]);
});

test("an object that matches by its status is reported while it does", async (t) => {
  const ready = "resource.status.phase == 'Active' && resource.metadata.name.startsWith('team-')";
  const fixture = await openFleetWith(t, {
    ns: eventSourceYaml("ns", { kind: "Namespace", evaluateCEL: [{ name: "active", rule: ready }] }),
  });
  await fixture.run(runEventSourceController);
  assert.equal(await reportedNames(fixture, "ns"), "");
  const c1 = fixture.managed("c1");
  await applyObjects(fixture, c1, { apiVersion: "v1", kind: "Namespace", metadata: { name: "team-a", finalizers: ["example.com/wait"] } });
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "ns"), "team-a");
  await fixture.until(c1.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "team-a" }));
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "ns"), "");
});

const widgets = { group: "example.com", version: "v1", kind: "Widget" };

test("objects of a kind are reported while the kind is served", async (t) => {
  const fixture = await openFleetWith(t, { widgets: eventSourceYaml("widgets", widgets) });
  const c1 = fixture.managed("c1");
  await fixture.run(runEventSourceController);
  assert.equal(await reportedNames(fixture, "widgets"), "");
  for (let round = 0; round < 2; round++) {
    await applyObjects(fixture, c1, widgetCrd);
    await fixture.advance(2000);
    await applyObjects(fixture, c1, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" } });
    await fixture.advance(2000);
    assert.equal(await reportedNames(fixture, "widgets"), "w");
    await fixture.until(
      c1.delete({
        group: "apiextensions.k8s.io",
        version: "v1",
        kind: "CustomResourceDefinition",
        namespace: "",
        name: "widgets.example.com",
      }),
    );
    await fixture.advance(10_000);
    assert.equal(await reportedNames(fixture, "widgets"), "", `round ${round}`);
  }
});

test("a changed EventSource is evaluated again; an invalid one keeps its report", async (t) => {
  const fixture = await openFleetWith(t, { web: webEventSource });
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("a", { app: "web" }), serviceObject("b", { app: "db" }));
  await fixture.run(runEventSourceController);
  assert.equal(await reportedNames(fixture, "web"), "a");
  await fixture.apply(eventSourceYaml("web", appSelector("db")));
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "web"), "b");
  await fixture.apply(eventSourceYaml("web", { labelFilters: [{ key: "app", operation: "Has" }] }));
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "web"), "a b");
  await fixture.apply(eventSourceYaml("web", {}, { messagingMatchCriteria: [{ subject: "x" }] }));
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("c", { app: "web" }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), "a b");
  assert.match(await eventSourceStatusText(fixture, "web"), /not built into Sluice.*messagingMatchCriteria/);
  await fixture.until(fixture.hub.delete({ ...gvkOf("EventSource"), namespace: "", name: "web" }));
  await fixture.apply(webEventSource);
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), "a c");
  assert.equal(await eventSourceStatusText(fixture, "web"), "c1 2");
});

const endings: Readonly<Record<string, (fixture: EmbeddedFleet) => Promise<unknown>>> = {
  "the trigger goes": (fixture) => fixture.hub.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "for-web" }),
  "the EventSource goes": (fixture) => fixture.hub.delete({ ...gvkOf("EventSource"), namespace: "", name: "web" }),
  "the cluster goes": (fixture) => fixture.hub.delete({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" }),
  "the cluster's label goes": (fixture) =>
    fixture.hub.patch(
      { ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" },
      { type: "merge", patch: { metadata: { labels: { env: null } } } },
    ),
  "the trigger means another EventSource": (fixture) =>
    fixture.hub.patch(
      { ...gvkOf("EventTrigger"), namespace: "", name: "for-web" },
      { type: "merge", patch: { spec: { eventSourceName: "other" } } },
    ),
};

for (const [what, end] of Object.entries(endings)) {
  test(`the report is deleted when ${what}`, async (t) => {
    const fixture = await openFleetWith(t, { web: webEventSource });
    await applyObjects(fixture, fixture.managed("c1"), serviceObject("a", { app: "web" }));
    await fixture.run(runEventSourceController);
    assert.equal(await reportedNames(fixture, "web"), "a");
    await fixture.until(end(fixture));
    await fixture.advance(3000);
    assert.equal(await reportedNames(fixture, "web"), undefined);
    if (what !== "the EventSource goes") assert.equal(await eventSourceStatusText(fixture, "web"), "");
  });
}

test("an invalid trigger keeps the reports", async (t) => {
  const fixture = await openFleetWith(t, { web: webEventSource });
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("a", { app: "web" }));
  await fixture.run(runEventSourceController);
  const labels = { "projectsveltos.io/admin-name": "eng" };
  await fixture.until(
    fixture.hub.patch({ ...gvkOf("EventTrigger"), namespace: "", name: "for-web" }, { type: "merge", patch: { metadata: { labels } } }),
  );
  await fixture.advance(3000);
  assert.equal(await reportedNames(fixture, "web"), "a");
});

test("clusters of a ClusterSet match, and templates name their EventSource", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { tier: "gold" }, c2: { tier: "tin" } } });
  t.after(() => fixture.close());
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("a", { app: "web" }));
  const set = {
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "ClusterSet",
    metadata: { name: "golden" },
    spec: { clusterSelector: { matchLabels: { tier: "gold" } }, maxReplicas: 1 },
  };
  await applyObjects(fixture, fixture.hub, set);
  await fixture.apply(
    eventSourceYaml("on-c1", {}) +
      eventTriggerYaml("t", "on-{{ .Cluster.metadata.name }}", { sourceClusterSelector: {}, clusterSetRefs: ["golden"] }),
  );
  await fixture.run(runEventSourceController, (context, signal) => runClusterSetController(context.hub, context.fleet, signal));
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "on-c1"), "a kubernetes");
});

test("a paused cluster is reconciled after the pause", async (t) => {
  const fixture = await openFleetWith(t, { web: webEventSource });
  await fixture.run(runEventSourceController);
  const pause = (paused: boolean) =>
    fixture.until(
      fixture.hub.patch({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" }, { type: "merge", patch: { spec: { paused } } }),
    );
  await pause(true);
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("a", { app: "web" }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), "");
  await pause(false);
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), "a");
});

test("a report that somebody changes or deletes is restored", async (t) => {
  const fixture = await openFleetWith(t, { web: webEventSource });
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("a", { app: "web" }));
  await fixture.run(runEventSourceController);
  const ref = { ...gvkOf("EventReport"), namespace: "mgmt", name: "sveltos--web--c1" };
  await fixture.until(fixture.hub.patch(ref, { type: "merge", patch: { spec: { matchingResources: [] } } }));
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "web"), "a");
  await fixture.until(fixture.hub.delete(ref));
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "web"), "a");
  const stray = { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "EventReport" };
  const metadata = { name: "sveltos--old--c1", namespace: "mgmt", labels: eventReportLabels("old", fixture.id("c1")) };
  const spec = { clusterName: "c1", clusterNamespace: "mgmt", clusterType: "Sveltos", eventSourceName: "old" };
  await applyObjects(fixture, fixture.hub, { ...stray, metadata, spec });
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "old"), undefined);
});
