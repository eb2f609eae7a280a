import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect } from "../../kube/index.ts";
import { keyOf, refOf, type KubeObject } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { withReleaseOwner } from "../record/index.ts";
import { widgetCrd } from "../../../test/support/widget-crd.ts";
import { readLive } from "./index.ts";

const { signal } = new AbortController();

function configMap(name: string, data: Readonly<Record<string, string>>, namespace = "default"): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

function job(image: string): KubeObject {
  const spec = { restartPolicy: "Never", containers: [{ name: "c", image }] };
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j", namespace: "default" }, spec: { template: { spec } } };
}

async function verdictsOn(before: readonly [KubeObject, string][], wanted: readonly KubeObject[], force = false) {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  for (const [object, manager] of before) await cluster.apply(object, { manager });
  await clock.advance(100);
  const items = wanted.map((manifest) => ({ ref: refOf(manifest), manifest }));
  const { facts, objects } = await readLive(items, cluster, { signal, manager: "helm", force });
  return wanted.map((manifest) => ({ fact: facts.get(keyOf(refOf(manifest))), ...objects.get(keyOf(refOf(manifest))) }));
}

test("each manifest has a dry run, and nothing changes", async () => {
  const before: [KubeObject, string][] = [
    [configMap("same", { a: "1" }), "helm"],
    [configMap("other", { a: "1" }), "helm"],
    [configMap("foreign", { a: "1" }), "argo"],
    [job("a:1"), "helm"],
  ];
  const wanted = [
    configMap("new", { a: "1" }),
    configMap("same", { a: "1" }),
    configMap("other", { a: "2" }),
    configMap("foreign", { a: "2" }),
    job("a:2"),
    configMap("Not_Good", {}),
    configMap("later", {}, "not-yet"),
  ];
  const found = await verdictsOn(before, wanted);
  assert.deepEqual(
    found.map(({ fact }) => fact?.dryRun?.outcome),
    ["created", "unchanged", "updated", "conflict", "immutable", "refused", "refused"],
  );
  const [, , other, foreign] = found;
  assert.deepEqual([other?.live?.["data"], other?.next?.["data"]], [{ a: "1" }, { a: "2" }]);
  assert.deepEqual(foreign?.fact?.dryRun, { outcome: "conflict", conflicts: [{ field: ".data.a", manager: "argo" }] });
  assert.deepEqual(found[6]?.fact?.dryRun, {
    outcome: "refused",
    because: 'namespaces "not-yet" not found',
    cures: [{ by: "object", group: "", kind: "Namespace", namespace: "", name: "not-yet" }],
  });
  assert.equal(found[0]?.fact?.exists, false);
  assert.equal(found[1]?.fact?.ready, true);
});

test("what will be taken over is no conflict", async () => {
  const [foreign] = await verdictsOn([[configMap("foreign", { a: "1" }), "argo"]], [configMap("foreign", { a: "2" })], true);
  assert.equal(foreign?.fact?.dryRun?.outcome, "updated");
});

test("what another release owns is a conflict, whatever is to be taken over", async () => {
  const of = (name: string, release: string, value: string) =>
    withReleaseOwner(configMap(name, { a: value }), { name: release, namespace: "default" });
  const before: [KubeObject, string][] = [
    [of("theirs", "other", "1"), "argo"],
    [of("ours", "web", "1"), "argo"],
  ];
  const found = await verdictsOn(before, [of("theirs", "web", "2"), of("ours", "web", "2"), configMap("theirs", { a: "3" })], true);
  assert.deepEqual(
    found.map(({ fact }) => fact?.dryRun?.outcome),
    ["conflict", "updated", "conflict"],
  );
});

test("the values of a Secret are hidden in messages", async () => {
  const secret: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "default" },
    data: { a: { b: "hunter22" } },
  };
  const [found] = await verdictsOn([], [secret]);
  assert.ok(found?.fact?.dryRun?.outcome === "refused");
  assert.match(found.fact.dryRun.because, /\.data\.a: expected string, got .*\(hidden\)/);
  assert.doesNotMatch(found.fact.dryRun.because, /hunter22/);
});

test("a number and a boolean where a string is wanted are told with what to do", async () => {
  for (const value of [1, true, 1.5]) {
    const map: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m", namespace: "default" }, data: { a: value } };
    const [found] = await verdictsOn([], [map]);
    assert.ok(found?.fact?.dryRun?.outcome === "refused");
    assert.match(found.fact.dryRun.because, /\.data\.a: expected string, got .*: put the value in quotes$/);
  }
});

test("a kind that is not served is unknown, and a CRD lists its custom resources", async () => {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  const gadget: KubeObject = { apiVersion: "example.com/v1", kind: "Gadget", metadata: { name: "g", namespace: "default" } };
  const crd: KubeObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
  const items = [{ ref: refOf(gadget), manifest: gadget }, { ref: refOf(crd) }];
  assert.equal((await readLive(items, cluster, { signal, manager: "helm" })).facts.get(keyOf(refOf(gadget))), undefined);
  await cluster.apply(crd);
  await clock.advance(100);
  await cluster.apply(gadget);
  const { facts } = await readLive(items, cluster, { signal, manager: "helm" });
  assert.deepEqual(facts.get(keyOf(refOf(crd)))?.inhabitants, [keyOf(refOf(gadget))]);
});

test("an object that a dry run would create is not read", async () => {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const asked: string[] = [];
  const cluster = connect(
    (request) => {
      asked.push(`${request.method} ${request.path.replace(/\?.*/, "")}`);
      return exchange(request);
    },
    { clock },
  );
  const there = configMap("there", { a: "1" });
  await cluster.apply(there, { manager: "helm" });
  asked.length = 0;
  const items = [there, configMap("new", {})].map((manifest) => ({ ref: refOf(manifest), manifest }));
  await readLive(items, cluster, { signal, manager: "helm" });
  const path = "/api/v1/namespaces/default/configmaps";
  assert.deepEqual(asked.toSorted(), [`GET ${path}/there`, `PATCH ${path}/new`, `PATCH ${path}/there`]);
});

test("many objects of a release are seen by one list, and judged as each by itself", async () => {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const asked: string[] = [];
  const cluster = connect((request) => (asked.push(`${request.method} ${request.path.split("?")[0]}`), exchange(request)), { clock });
  const release = { name: "web", namespace: "default" };
  const ours = Array.from({ length: 20 }, (_, at) => withReleaseOwner(configMap(`c${at}`, { a: "1" }), release));
  const stranger = configMap("stranger", { a: "1" });
  for (const object of [...ours, stranger]) await cluster.apply(object, { manager: "helm" });
  asked.length = 0;
  const wanted = [...ours.slice(1), withReleaseOwner(configMap("c0", { a: "2" }), release), configMap("new", {}), stranger];
  const items = wanted.map((manifest) => ({ ref: refOf(manifest), manifest }));
  const { facts } = await readLive(items, cluster, { signal, manager: "helm" });
  const says = (name: string) => facts.get(keyOf(refOf(configMap(name, {}))))?.dryRun?.outcome;
  assert.deepEqual(["c0", "c1", "c19", "new", "stranger"].map(says), ["updated", "unchanged", "unchanged", "created", "unchanged"]);
  assert.deepEqual(
    asked.filter((request) => request.startsWith("GET")),
    ["GET /api/v1/namespaces/default/configmaps", "GET /api/v1/namespaces/default/configmaps/stranger"],
  );
});

test("a thousand objects are seen by lists alone, and ten among thousands of others are read one by one after the first page", async () => {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const asked: string[] = [];
  const cluster = connect((request) => (asked.push(request.path.split("?")[0] ?? ""), exchange(request)), { clock });
  const names = Array.from({ length: 1200 }, (_, at) => `c${String(at).padStart(4, "0")}`);
  for (const name of names) await cluster.apply(owned(configMap(name, {})), { manager: "helm" });
  const path = "/api/v1/namespaces/default/configmaps";
  const askedFor = async (wanted: readonly string[]) => {
    asked.length = 0;
    const { facts } = await readLive(
      wanted.map((name) => ({ ref: refOf(configMap(name, {})) })),
      cluster,
      { signal, manager: "helm" },
    );
    assert.equal([...facts.values()].filter(({ exists }) => exists).length, wanted.length);
    return asked;
  };
  assert.deepEqual(await askedFor(names.slice(0, 1000)), [path, path]);
  const last = names.slice(-10);
  assert.deepEqual(await askedFor(last), [path, ...last.map((name) => `${path}/${name}`)]);
});

const owned = (object: KubeObject) => withReleaseOwner(object, { name: "web", namespace: "default" });

test("a dry run shows what is left once the fields of client-side managers are ours", async () => {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  await cluster.create(owned(configMap("keys", { a: "1", left: "1" })), { manager: "helm" });
  await cluster.create(owned(configMap("theirs", { a: "1" })), { manager: "helm" });
  await cluster.apply(configMap("theirs", { a: "2" }), { manager: "argo", force: true });
  const wanted = [owned(configMap("keys", { a: "2" })), owned(configMap("theirs", { a: "3" }))];
  const items = wanted.map((manifest) => ({ ref: refOf(manifest), manifest }));
  const { facts, objects } = await readLive(items, cluster, { signal, manager: "helm", takeOver: "own" });
  const [keys, theirs] = wanted.map((manifest) => keyOf(refOf(manifest)));
  assert.deepEqual(facts.get(keys ?? "")?.dryRun, { outcome: "updated" });
  assert.deepEqual(facts.get(keys ?? "")?.clientSideManagers, ["helm"]);
  assert.deepEqual(objects.get(keys ?? "")?.next?.["data"], { a: "2" });
  assert.deepEqual(facts.get(theirs ?? "")?.dryRun, { outcome: "conflict", conflicts: [{ field: ".data.a", manager: "argo" }] });
});

test("an object whose status nobody has written since it was created counts as ready after 30 s", async () => {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  const { versions = [], ...spec } = widgetCrd["spec"] as { versions?: object[] };
  await cluster.create({ ...widgetCrd, spec: { ...spec, versions: versions.map((each) => ({ ...each, subresources: { status: {} } })) } });
  await clock.advance(1000);
  const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "web", namespace: "default" } };
  const ref = refOf(widget);
  const read = async () => (await readLive([{ ref, manifest: widget }], cluster, { signal, manager: "helm" })).facts.get(keyOf(ref));
  await cluster.apply(widget, { manager: "helm" });
  await clock.advance(20_000);
  const early = await read();
  await clock.advance(11_000);
  const late = await read();
  assert.deepEqual([early?.ready, early?.silent, late?.ready, late?.silent], [false, undefined, true, true]);
});
