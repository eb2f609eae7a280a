import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { KubeObject } from "../../core/object/index.ts";
import { ObjectStorage, type StoreEvent } from "./index.ts";

function configMap(name: string, data: string, namespace = "default", owners: readonly string[] = []): KubeObject {
  const ownerReferences = owners.map((uid) => ({ apiVersion: "v1", kind: "ConfigMap", name: uid, uid }));
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace, ...(owners.length > 0 ? { ownerReferences } : {}) },
    data: { data },
  };
}

const textOf = ({ type, object, revision }: StoreEvent) => `${type} ${object.metadata.name} ${revision}`;

test("every write takes the next revision, which becomes the resourceVersion", () => {
  const store = new ObjectStorage({ revision: 10 });
  assert.equal(store.put("configmaps", configMap("a", "1")).metadata.resourceVersion, "11");
  assert.equal(store.put("secrets", configMap("b", "1")).metadata.resourceVersion, "12");
  assert.equal(store.remove("configmaps", "default", "a")?.metadata.resourceVersion, "13");
  assert.equal(store.remove("configmaps", "default", "a"), undefined);
  assert.equal(store.revision, 13);
});

test("lists are sorted by namespace, then name, and narrowed to a namespace exactly", () => {
  const store = new ObjectStorage();
  for (const [namespace, name] of [
    ["b", "x"],
    ["a", "z"],
    ["a", "b"],
    ["a-b", "a"],
  ] as const)
    store.put("configmaps", configMap(name, "", namespace));
  const named = (namespace?: string) => store.list("configmaps", namespace).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  assert.deepEqual(named(), ["a-b/a", "a/b", "a/z", "b/x"]);
  assert.deepEqual(named("a"), ["a/b", "a/z"]);
});

test("listeners get events in order, with the previous object", () => {
  const store = new ObjectStorage();
  const heard: StoreEvent[] = [];
  const all: StoreEvent[] = [];
  const cancel = store.subscribe("configmaps", (change) => heard.push(change));
  store.subscribe("*", (change) => all.push(change));
  store.put("configmaps", configMap("a", "1"));
  store.put("secrets", configMap("s", "1"));
  store.put("configmaps", configMap("a", "2"));
  store.remove("configmaps", "default", "a");
  cancel();
  store.put("configmaps", configMap("b", "1"));
  assert.deepEqual(heard.map(textOf), ["ADDED a 2", "MODIFIED a 4", "DELETED a 5"]);
  assert.deepEqual(
    heard.map(({ previous }) => previous?.["data"]),
    [undefined, { data: "1" }, { data: "2" }],
  );
  assert.equal(all.length, 5);
});

test("events are available from a revision on, until they are compacted", () => {
  const store = new ObjectStorage({ keptEvents: 50 });
  for (let index = 0; index < 120; index++) store.put("configmaps", configMap("a", String(index)));
  assert.equal(store.eventsSince(1, "configmaps"), undefined);
  assert.deepEqual(
    store.eventsSince(store.revision - 2, "configmaps")?.map(({ revision }) => revision),
    [120, 121],
  );
  assert.deepEqual(store.eventsSince(5, "secrets"), [], "a resource without a past has nothing to tell");
});

test("owners find what they own", () => {
  const store = new ObjectStorage();
  store.put("configmaps", configMap("child", "1", "default", ["p1", "p2"]));
  const owned = (uid: string) => store.ownedBy(uid).map(({ object }) => `${object.metadata.name}@${object.metadata.resourceVersion}`);
  assert.deepEqual([owned("p1"), owned("p2")], [["child@2"], ["child@2"]]);
  store.put("configmaps", configMap("child", "2", "default", ["p2"]));
  assert.deepEqual([owned("p1"), owned("p2")], [[], ["child@3"]]);
  store.remove("configmaps", "default", "child");
  assert.deepEqual(owned("p2"), []);
});

test("any past state can be listed again", () => {
  const writes = fc.array(fc.record({ name: fc.constantFrom("a", "b", "c"), remove: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(writes, (steps) => {
      const store = new ObjectStorage();
      const states = [{ revision: store.revision, names: [] as string[] }];
      for (const { name, remove } of steps) {
        if (remove) store.remove("configmaps", "default", name);
        else store.put("configmaps", configMap(name, ""));
        states.push({
          revision: store.revision,
          names: store.list("configmaps").map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`),
        });
      }
      for (const { revision, names } of states) {
        assert.deepEqual(
          store.listAt(revision, "configmaps")?.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`),
          names,
        );
      }
    }),
  );
});

test("lists stay sorted through all writes, and begin at any key", () => {
  const namespaces = ["n", "n-1", "n1", "m"];
  const write = fc.record({ namespace: fc.constantFrom(...namespaces), name: fc.constantFrom("a", "b", "b-1"), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(write, { maxLength: 40 }), (writes) => {
      const store = new ObjectStorage();
      const expected = new Map<string, string>();
      for (const { namespace, name, remove } of writes) {
        if (remove) store.remove("configmaps", namespace, name);
        else store.put("configmaps", configMap(name, "", namespace));
        if (remove) expected.delete(`${namespace}/${name}`);
        else expected.set(`${namespace}/${name}`, String(store.revision));
        const sorted = [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, revision]) => `${key}@${revision}`);
        assert.deepEqual(store.list("configmaps").map(placeOf), sorted);
        for (const each of namespaces) {
          const [within, from] = [`${each}/`, `${each}/b`];
          const inside = sorted.filter((key) => key.startsWith(within));
          assert.deepEqual(store.list("configmaps", each).map(placeOf), inside);
          assert.deepEqual(
            store.list("configmaps", each, { from }).map(placeOf),
            inside.filter((key) => key >= from),
          );
          assert.deepEqual(
            store.list("configmaps", "", { from }).map(placeOf),
            sorted.filter((key) => key >= from),
          );
        }
      }
    }),
  );
});

const placeOf = ({ metadata: { namespace, name, resourceVersion } }: KubeObject) => `${namespace}/${name}@${resourceVersion}`;
