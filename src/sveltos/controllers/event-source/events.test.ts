import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import {
  apps,
  eventSource,
  https,
  labWith,
  put,
  reported,
  service,
  services,
  stated,
  trigger,
  web,
} from "../../../../test/support/event-objects.ts";
import { widgetDefinition } from "../../../../test/support/widget-definition.ts";
import { eventReportLabels, gvkOf } from "../../api/index.ts";
import { keepSets } from "../../fleet/index.ts";
import { keepEvents } from "./index.ts";

for (const type of ["Sveltos", "Capi"] as const) {
  test(`objects of a ${type} cluster that match come into a report, and go from it`, async (t) => {
    const lab = await EmbeddedFleet.open({ type, clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: {} } });
    t.after(() => lab.close());
    await put(lab, lab.managed("c1"), service("a", { app: "web" }), service("b"));
    await lab.apply(web + trigger("t", "web"));
    await lab.run(keepEvents);
    assert.equal(await reported(lab, "web"), "a");
    assert.equal(await reported(lab, "web", "c2"), "");
    assert.equal(await reported(lab, "web", "c3"), undefined);
    assert.equal(await stated(lab, "web"), "c1 1\nc2 0");
    await put(lab, lab.managed("c1"), service("b", { app: "web" }));
    await put(lab, lab.managed("c2"), service("c", { app: "web" }));
    await lab.advance(1000);
    assert.equal(await reported(lab, "web"), "a b");
    assert.equal(await reported(lab, "web", "c2"), "c");
    await put(lab, lab.managed("c1"), service("a"));
    await lab.until(lab.managed("c2").delete({ ...services, namespace: "default", name: "c" }));
    await lab.advance(1000);
    assert.equal(await reported(lab, "web"), "b");
    assert.equal(await reported(lab, "web", "c2"), "");
    assert.equal(await stated(lab, "web"), "c1 1\nc2 0");
  });
}

test("Lua, CEL and the aggregating script each say what matches", async (t) => {
  const lab = await labWith(t, {
    lua: eventSource("lua", { evaluate: https }),
    cel: eventSource("cel", { evaluateCEL: [{ name: "https", rule: "resource.spec.ports.exists(p, p.port == 443)" }] }),
    first: eventSource(
      "first",
      { evaluate: https },
      {
        collectResources: true,
        aggregatedSelection: "function evaluate() return { resources = { resources[1] } } end",
      },
    ),
  });
  const c1 = lab.managed("c1");
  await put(lab, c1, service("a", {}, 443), service("b", {}, 443), service("c", {}, 80));
  await lab.run(keepEvents);
  const all = async () => [await reported(lab, "lua"), await reported(lab, "cel"), await reported(lab, "first")];
  assert.deepEqual(await all(), ["a b kubernetes", "a b kubernetes", "a"]);
  await put(lab, c1, service("a", {}, 80), service("c", {}, 443));
  await lab.advance(1000);
  assert.deepEqual(await all(), ["b c kubernetes", "b c kubernetes", "b"]);
});

test("what matches by its status comes and goes with it", async (t) => {
  const ready = "resource.status.phase == 'Active' && resource.metadata.name.startsWith('team-')";
  const lab = await labWith(t, { ns: eventSource("ns", { kind: "Namespace", evaluateCEL: [{ name: "active", rule: ready }] }) });
  await lab.run(keepEvents);
  assert.equal(await reported(lab, "ns"), "");
  const c1 = lab.managed("c1");
  await put(lab, c1, { apiVersion: "v1", kind: "Namespace", metadata: { name: "team-a", finalizers: ["example.com/wait"] } });
  await lab.advance(1000);
  assert.equal(await reported(lab, "ns"), "team-a");
  await lab.until(c1.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "team-a" }));
  await lab.advance(1000);
  assert.equal(await reported(lab, "ns"), "");
});

const widgets = { group: "example.com", version: "v1", kind: "Widget" };

test("a kind that is not served yet has no objects; they are found when it comes, and go with it", async (t) => {
  const lab = await labWith(t, { widgets: eventSource("widgets", widgets) });
  const c1 = lab.managed("c1");
  await lab.run(keepEvents);
  assert.equal(await reported(lab, "widgets"), "");
  for (let round = 0; round < 2; round++) {
    await put(lab, c1, widgetDefinition);
    await lab.advance(2000);
    await put(lab, c1, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" } });
    await lab.advance(2000);
    assert.equal(await reported(lab, "widgets"), "w");
    await lab.until(
      c1.delete({
        group: "apiextensions.k8s.io",
        version: "v1",
        kind: "CustomResourceDefinition",
        namespace: "",
        name: "widgets.example.com",
      }),
    );
    await lab.advance(10_000);
    assert.equal(await reported(lab, "widgets"), "", `round ${round}`);
  }
});

test("a changed EventSource is evaluated anew; one that is refused keeps its report", async (t) => {
  const lab = await labWith(t, { web });
  await put(lab, lab.managed("c1"), service("a", { app: "web" }), service("b", { app: "db" }));
  await lab.run(keepEvents);
  assert.equal(await reported(lab, "web"), "a");
  await lab.apply(eventSource("web", apps("db")));
  await lab.advance(1000);
  assert.equal(await reported(lab, "web"), "b");
  await lab.apply(eventSource("web", { labelFilters: [{ key: "app", operation: "Has" }] }));
  await lab.advance(1000);
  assert.equal(await reported(lab, "web"), "a b");
  await lab.apply(eventSource("web", {}, { messagingMatchCriteria: [{ subject: "x" }] }));
  await put(lab, lab.managed("c1"), service("c", { app: "web" }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), "a b");
  assert.match(await stated(lab, "web"), /not built into Sluice.*messagingMatchCriteria/);
  await lab.until(lab.hub.delete({ ...gvkOf("EventSource"), namespace: "", name: "web" }));
  await lab.apply(web);
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), "a c");
  assert.equal(await stated(lab, "web"), "c1 2");
});

const endings: Readonly<Record<string, (lab: EmbeddedFleet) => Promise<unknown>>> = {
  "the trigger goes": (lab) => lab.hub.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "for-web" }),
  "the EventSource goes": (lab) => lab.hub.delete({ ...gvkOf("EventSource"), namespace: "", name: "web" }),
  "the cluster goes": (lab) => lab.hub.delete({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" }),
  "the cluster's label goes": (lab) =>
    lab.hub.patch(
      { ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" },
      { type: "merge", patch: { metadata: { labels: { env: null } } } },
    ),
  "the trigger means another EventSource": (lab) =>
    lab.hub.patch(
      { ...gvkOf("EventTrigger"), namespace: "", name: "for-web" },
      { type: "merge", patch: { spec: { eventSourceName: "other" } } },
    ),
};

for (const [what, end] of Object.entries(endings)) {
  test(`the report goes when ${what}`, async (t) => {
    const lab = await labWith(t, { web });
    await put(lab, lab.managed("c1"), service("a", { app: "web" }));
    await lab.run(keepEvents);
    assert.equal(await reported(lab, "web"), "a");
    await lab.until(end(lab));
    await lab.advance(3000);
    assert.equal(await reported(lab, "web"), undefined);
    if (what !== "the EventSource goes") assert.equal(await stated(lab, "web"), "");
  });
}

test("a trigger that cannot be read keeps what there is", async (t) => {
  const lab = await labWith(t, { web });
  await put(lab, lab.managed("c1"), service("a", { app: "web" }));
  await lab.run(keepEvents);
  const labels = { "projectsveltos.io/admin-name": "eng" };
  await lab.until(
    lab.hub.patch({ ...gvkOf("EventTrigger"), namespace: "", name: "for-web" }, { type: "merge", patch: { metadata: { labels } } }),
  );
  await lab.advance(3000);
  assert.equal(await reported(lab, "web"), "a");
});

test("clusters of a ClusterSet are meant too, and templates name their EventSource", async (t) => {
  const lab = await EmbeddedFleet.open({ clusters: { c1: { tier: "gold" }, c2: { tier: "tin" } } });
  t.after(() => lab.close());
  await put(lab, lab.managed("c1"), service("a", { app: "web" }));
  const set = {
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "ClusterSet",
    metadata: { name: "golden" },
    spec: { clusterSelector: { matchLabels: { tier: "gold" } }, maxReplicas: 1 },
  };
  await put(lab, lab.hub, set);
  await lab.apply(
    eventSource("on-c1", {}) + trigger("t", "on-{{ .Cluster.metadata.name }}", { sourceClusterSelector: {}, clusterSetRefs: ["golden"] }),
  );
  await lab.run(keepEvents, (desk, signal) => keepSets(desk.hub, desk.fleet, signal));
  await lab.advance(1000);
  assert.equal(await reported(lab, "on-c1"), "a kubernetes");
});

test("nothing is done for a cluster that is paused, and all of it when it is not any more", async (t) => {
  const lab = await labWith(t, { web });
  await lab.run(keepEvents);
  const pause = (paused: boolean) =>
    lab.until(lab.hub.patch({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" }, { type: "merge", patch: { spec: { paused } } }));
  await pause(true);
  await put(lab, lab.managed("c1"), service("a", { app: "web" }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), "");
  await pause(false);
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), "a");
});

test("a report that somebody changes or deletes is put right", async (t) => {
  const lab = await labWith(t, { web });
  await put(lab, lab.managed("c1"), service("a", { app: "web" }));
  await lab.run(keepEvents);
  const ref = { ...gvkOf("EventReport"), namespace: "mgmt", name: "sveltos--web--c1" };
  await lab.until(lab.hub.patch(ref, { type: "merge", patch: { spec: { matchingResources: [] } } }));
  await lab.advance(1000);
  assert.equal(await reported(lab, "web"), "a");
  await lab.until(lab.hub.delete(ref));
  await lab.advance(1000);
  assert.equal(await reported(lab, "web"), "a");
  const stray = { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "EventReport" };
  const metadata = { name: "sveltos--old--c1", namespace: "mgmt", labels: eventReportLabels("old", lab.id("c1")) };
  const spec = { clusterName: "c1", clusterNamespace: "mgmt", clusterType: "Sveltos", eventSourceName: "old" };
  await put(lab, lab.hub, { ...stray, metadata, spec });
  await lab.advance(1000);
  assert.equal(await reported(lab, "old"), undefined);
});
