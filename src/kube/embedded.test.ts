import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  configMapRef,
  configMapObject,
  configMapKind,
  deploymentObject,
  deploymentKind,
  defaultNamespace,
} from "../../test/support/client-objects.ts";
import { connectInProcess, connections, type ConnectedCluster } from "../../test/support/connected-cluster.ts";
import { integerOf, numberAt, stringAt } from "../core/object/index.ts";
import { connect, isAlreadyExists, isApiFault, isConflict, isInvalid, isNotFound, isUnknownKind } from "./index.ts";

const pods = { group: "", version: "v1", kind: "Pod" };
const widget = { group: "example.com", version: "v1", kind: "Widget" };

const refused = (recognises: (error: unknown) => boolean, message: RegExp) => (error: unknown) => {
  assert.ok(isApiFault(error) && recognises(error), String(error));
  assert.match(error.message, message);
  return true;
};

type Scene = (site: ConnectedCluster, t: TestContext) => Promise<void>;

const scenes: Record<string, Scene> = {
  "an object is made, found, read and made only once": async ({ cluster }) => {
    assert.equal(await cluster.find(configMapRef("a")), undefined);
    await assert.rejects(cluster.get(configMapRef("a")), refused(isNotFound, /^get configmaps default\/a: configmaps "a" not found$/));
    const made = await cluster.create(configMapObject("a", { x: "1" }));
    assert.deepEqual(await cluster.get({ ...configMapRef("a"), namespace: "" }), made, "without a namespace it is looked for at home");
    assert.deepEqual(await cluster.find(configMapRef("a")), made);
    await assert.rejects(
      cluster.create(configMapObject("a")),
      refused(isAlreadyExists, /^create configmaps default\/a: .* already exists$/),
    );
    const named = await cluster.create(configMapObject("", {}, { name: undefined, generateName: "gen-" }));
    assert.match(named.metadata.name, /^gen-.{5}$/);
  },

  "what is replaced must be what was read": async ({ cluster }) => {
    const made = await cluster.create(configMapObject("a", { x: "1" }));
    const changed = await cluster.replace({ ...made, data: { x: "2" } });
    assert.notEqual(changed.metadata.resourceVersion, made.metadata.resourceVersion);
    await assert.rejects(cluster.replace({ ...made, data: { x: "3" } }), refused(isConflict, /the object has been modified/));
    assert.equal(stringAt(await cluster.get(configMapRef("a")), "data.x"), "2");
  },

  "every type of patch": async ({ cluster }) => {
    await cluster.create(deploymentObject("web", "a:1", 1));
    const ref = { ...deploymentKind, namespace: defaultNamespace, name: "web" };
    await cluster.patch(ref, { type: "json", patch: [{ op: "replace", path: "/spec/replicas", value: 2 }] });
    await cluster.patch(ref, { type: "merge", patch: { metadata: { labels: { merged: "yes" } } } });
    const sidecar = { spec: { template: { spec: { containers: [{ name: "side", image: "b:1" }] } } } };
    const both = await cluster.patch(ref, { type: "strategic", patch: sidecar });
    const applied = await cluster.patch(ref, {
      type: "apply",
      patch: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", annotations: { applied: "yes" } } },
    });
    const images = JSON.stringify(both["spec"]).match(/"image":"[ab]:1"/g);
    assert.deepEqual([numberAt(both, "spec.replicas"), images?.length], [2, 2], "containers are merged by name");
    assert.deepEqual([applied.metadata.labels, applied.metadata.annotations?.["applied"]], [{ merged: "yes" }, "yes"]);
    await assert.rejects(
      cluster.patch(ref, { type: "json", patch: [{ op: "remove", path: "/nope" }] }),
      refused(isInvalid, /^patch deploy/),
    );
  },

  "apply tells who owns what it may not change, and takes it by force": async ({ cluster }) => {
    await cluster.apply(configMapObject("a", { x: "1", y: "1" }), { manager: "them" });
    const ours = configMapObject("a", { x: "2", y: "2", z: "2" });
    await assert.rejects(cluster.apply(ours), (error) => {
      assert.ok(isApiFault(error) && isConflict(error));
      assert.deepEqual(error.conflicts, [
        { field: ".data.x", manager: "them" },
        { field: ".data.y", manager: "them" },
      ]);
      return true;
    });
    const tried = await cluster.apply(ours, { force: true, dryRun: true });
    assert.deepEqual(tried["data"], { x: "2", y: "2", z: "2" });
    assert.deepEqual((await cluster.get(configMapRef("a")))["data"], { x: "1", y: "1" }, "a dry run stores nothing");
    const taken = await cluster.apply(ours, { force: true });
    assert.deepEqual(taken["data"], { x: "2", y: "2", z: "2" });
    const owners = taken.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`);
    assert.deepEqual(owners, ["sluice Apply"]);
    const without = await cluster.apply(configMapObject("a", { x: "2" }));
    assert.deepEqual(without["data"], { x: "2" }, "what is no longer applied goes");
  },

  "status and scale are written by themselves": async ({ cluster, clock }) => {
    const made = await cluster.create(deploymentObject("web", "a:1", 1));
    await clock.settle();
    const ref = { ...deploymentKind, namespace: defaultNamespace, name: "web" };
    const scale = await cluster.get(ref, { subresource: "scale" });
    assert.deepEqual([scale.kind, numberAt(scale, "spec.replicas")], ["Scale", 1]);
    await cluster.patch(ref, { type: "merge", patch: { spec: { replicas: 3 } } }, { subresource: "scale" });
    await cluster.patch(
      ref,
      { type: "merge", patch: { spec: { replicas: 9 }, status: { observedGeneration: 77 } } },
      { subresource: "status" },
    );
    const now = await cluster.get(ref);
    assert.deepEqual([numberAt(now, "spec.replicas"), numberAt(now, "status.observedGeneration")], [3, 77]);
    const wrong = { ...now, status: { observedGeneration: 78 }, metadata: { ...now.metadata, labels: { x: "y" } } };
    const replaced = await cluster.replace(wrong);
    assert.deepEqual([numberAt(replaced, "status.observedGeneration"), replaced.metadata.labels], [77, { x: "y" }]);
    assert.equal(replaced.metadata.uid, made.metadata.uid);
  },

  "a subresource is made under its object, and one that is not there is named": async ({ cluster, clock }) => {
    await cluster.create(configMapObject("a"));
    await assert.rejects(
      cluster.get(configMapRef("a"), { subresource: "nope" }),
      refused(isNotFound, /^get configmaps\/nope default\/a: /),
    );
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: defaultNamespace },
      spec: { containers: [{ name: "c", image: "a" }] },
    };
    await cluster.create(pod);
    await clock.settle();
    const bound = { apiVersion: "v1", kind: "Binding", metadata: { name: "p" }, target: { kind: "Node", name: "nowhere" } };
    // It is bound already; what counts is that the request was about the pod's binding.
    await assert.rejects(
      cluster.create(bound, { under: { ...pods, namespace: defaultNamespace, name: "p" }, subresource: "binding" }),
      (error) => isApiFault(error) && error.message.startsWith("create pods/binding default/p: "),
    );
  },

  "deleting keeps to preconditions, and leaves or takes what is owned": async ({ cluster, clock }) => {
    const made = await cluster.create(configMapObject("a", {}, { finalizers: ["example.com/hold"] }));
    await assert.rejects(
      cluster.delete(configMapRef("a"), { preconditions: { uid: "another" } }),
      refused(isConflict, /UID in the precondition/),
    );
    await assert.rejects(
      cluster.delete(configMapRef("a"), { preconditions: { resourceVersion: "1" } }),
      refused(isConflict, /precondition/),
    );
    assert.equal((await cluster.delete(configMapRef("a"), { dryRun: true }))?.metadata.uid, made.metadata.uid);
    assert.equal((await cluster.get(configMapRef("a"))).metadata.deletionTimestamp, undefined);
    const held = await cluster.delete(configMapRef("a"), { preconditions: { uid: made.metadata.uid ?? "" } });
    assert.ok(held?.metadata.deletionTimestamp, "a finalizer holds it");
    await cluster.patch(configMapRef("a"), { type: "merge", patch: { metadata: { finalizers: null } } });
    assert.equal(await cluster.find(configMapRef("a")), undefined);

    const left = async (propagation: "background" | "foreground" | "orphan") => {
      const owner = await cluster.create(configMapObject("owner"));
      const { uid = "" } = owner.metadata;
      const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, blockOwnerDeletion: true }];
      await cluster.create(configMapObject("owned", {}, { ownerReferences }));
      const answer = await cluster.delete(configMapRef("owner"), { propagation });
      await clock.settle();
      assert.equal(await cluster.find(configMapRef("owner")), undefined);
      const owned = await cluster.find(configMapRef("owned"));
      if (owned !== undefined) await cluster.delete(configMapRef("owned"));
      return [answer?.metadata.finalizers ?? [], owned?.metadata.ownerReferences];
    };
    assert.deepEqual(await left("background"), [[], undefined]);
    assert.deepEqual(await left("foreground"), [["foregroundDeletion"], undefined]);
    const [finalizers, owners] = await left("orphan");
    assert.deepEqual([finalizers, owners ?? []], [["orphan"], []], "the owned one is still there, without an owner");
    assert.equal(await cluster.delete(configMapRef("nope")).catch((error) => isNotFound(error)), true);
  },

  "a collection is deleted by its selection": async ({ cluster }) => {
    for (const name of ["a", "b", "c"]) await cluster.create(configMapObject(name, {}, { labels: { keep: name === "b" ? "yes" : "no" } }));
    const gone = await cluster.deleteCollection(configMapKind, { namespace: defaultNamespace, labelSelector: "keep=no" });
    assert.deepEqual(
      gone.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      ["ConfigMap a", "ConfigMap c"],
    );
    const left = await cluster.list(configMapKind, { namespace: defaultNamespace, labelSelector: "keep" });
    assert.deepEqual(
      left.items.map(({ metadata }) => metadata.name),
      ["b"],
    );
    const one = await cluster.list(configMapKind, { fieldSelector: "metadata.name=b,metadata.namespace=default" });
    assert.deepEqual(one.items, left.items);
  },

  "a list takes its pages at one moment": async ({ cluster }) => {
    const names = Array.from({ length: 7 }, (_, n) => `page-${n}`);
    for (const name of names) await cluster.create(configMapObject(name, {}, { labels: { paged: "" } }));
    const selection = { namespace: defaultNamespace, labelSelector: "paged" };
    const pages: string[][] = [];
    for await (const { items } of cluster.pages(configMapKind, { ...selection, limit: 3 })) {
      pages.push(items.map(({ metadata }) => metadata.name));
      if (pages.length === 1) await cluster.create(configMapObject("page-3a", {}, { labels: { paged: "" } }));
    }
    assert.deepEqual(pages, [names.slice(0, 3), names.slice(3, 6), names.slice(6)]);
    const all = await cluster.list(configMapKind, { ...selection, limit: 2 });
    assert.equal(all.items.length, 8);
    assert.ok(all.items.every(({ apiVersion, kind }) => apiVersion === "v1" && kind === "ConfigMap"));
    const before = await cluster.list(configMapKind, {
      ...selection,
      resourceVersion: all.items[0]?.metadata.resourceVersion ?? "",
      resourceVersionMatch: "Exact",
    });
    assert.equal(before.items.length, 1, "as it was when only the first was there");
  },

  "what the server refuses or warns of is said": async ({ cluster, exchange, clock }) => {
    await assert.rejects(cluster.create(configMapObject("Not_Good")), refused(isInvalid, /metadata\.name: Invalid value/));
    const nowhere = { ...configMapObject("a"), metadata: { name: "a", namespace: "nowhere" } };
    await assert.rejects(cluster.create(nowhere), refused(isNotFound, /namespaces "nowhere" not found/));
    await assert.rejects(cluster.get({ ...widget, namespace: defaultNamespace, name: "w" }), isUnknownKind);
    const warnings: string[] = [];
    const careful = connect(exchange, { clock, warn: (text) => warnings.push(text) });
    await careful.create({ ...configMapObject("warned"), dtaa: { x: "1" } });
    assert.deepEqual(warnings, ['unknown field "dtaa"']);
    const strict = { ...configMapObject("strict"), dtaa: {} };
    await assert.rejects(careful.create(strict, { fieldValidation: "Strict" }), /strict decoding error: unknown field "dtaa"/);
    assert.match((await cluster.version()).gitVersion, /^v1\.\d+/);
    assert.equal((await cluster.raw({ method: "GET", path: "/nope" })).status, 404);
  },

  "logs come line by line": async ({ cluster, clock }) => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: defaultNamespace },
      spec: { containers: [{ name: "c", image: "talks:1" }] },
    };
    await cluster.create(pod);
    await clock.settle();
    await clock.advance(10_000);
    const read = async (options = {}) => {
      const lines: string[] = [];
      for await (const line of cluster.logs(defaultNamespace, "p", options)) lines.push(line);
      return lines;
    };
    assert.deepEqual(await read(), ["one", "two"]);
    assert.deepEqual(await read({ container: "c", tailLines: 1 }), ["two"]);
    assert.match((await read({ timestamps: true, limitBytes: 40 }))[0] ?? "", /^2030-01-01T\S+Z one$/);
    await assert.rejects(read({ container: "x" }), /^ApiFault: read the log of pod default\/p, container x: .*container x is not valid/);
  },
};

for (const [how, open] of Object.entries(connections)) {
  for (const [name, scene] of Object.entries(scenes)) {
    test(`${how}: ${name}`, { timeout: 20_000 }, async (t) => scene(await open(t), t));
  }
}

test("integers beyond what a number holds are sent with all their digits", async (t) => {
  const { exchange } = await connectInProcess(t);
  const sent: string[] = [];
  const cluster = connect((request) => {
    if (request.body !== undefined) sent.push(String(request.body));
    return exchange(request);
  });
  await cluster.create(configMapObject("big", {}, { generation: integerOf(9007199254740993n) }));
  assert.match(sent[0] ?? "", /"generation":9007199254740993/);
});
