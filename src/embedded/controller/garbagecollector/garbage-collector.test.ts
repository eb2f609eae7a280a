import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeleteOptions } from "../../apiserver/index.ts";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

/**
 * Objects in arrow notation: `b<a` is owned by `a`, `b<a!` also blocks its deletion, `c<a,b` has two owners. All are
 * ConfigMaps, which no other controller writes.
 */
function build(harness: ControllerHarness, notation: string): void {
  const uids = new Map<string, string>();
  for (const item of notation.split(" ")) {
    const [name = "", owners = ""] = item.split("<");
    const references = owners === "" ? [] : owners.split(",").map((owner) => reference(owner, uids));
    const metadata = references.length === 0 ? { name } : { name, ownerReferences: references };
    uids.set(name, harness.create("configmaps", { metadata }).metadata.uid ?? "");
  }
}

function reference(owner: string, uids: ReadonlyMap<string, string>) {
  const name = owner.replace("!", "");
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: uids.get(name) ?? `no-${name}`, blockOwnerDeletion: owner.endsWith("!") };
}

function show(harness: ControllerHarness): string {
  const objects = harness.api.list("configmaps", "default").filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
  return objects
    .map(({ metadata }) => {
      const owners = (metadata.ownerReferences ?? []).map(({ name }) => name).join();
      return `${metadata.name}${owners === "" ? "" : `<${owners}`}`;
    })
    .join(" ");
}

const cases: Record<string, { objects: string; remove: string; options: DeleteOptions; left: string }> = {
  "dependents follow their owner": { objects: "a b<a c<b d", remove: "a", options: { propagation: "background" }, left: "d" },
  "one owner left is enough": { objects: "a b c<a,b", remove: "a", options: { propagation: "background" }, left: "b c<b" },
  "no owner left": { objects: "a b<a", remove: "a", options: {}, left: "" },
  orphans: { objects: "a b<a c<b", remove: "a", options: { propagation: "orphan" }, left: "b c<b" },
  "from the leaves up": { objects: "a b<a! c<b!", remove: "a", options: { propagation: "foreground" }, left: "" },
  "from the leaves up, where one has another owner": {
    objects: "a b c<a!,b!",
    remove: "a",
    options: { propagation: "foreground" },
    left: "b c<b",
  },
};

for (const [name, { objects, remove, options, left }] of Object.entries(cases)) {
  test(`${name}: ${objects} without ${remove}`, async () => {
    const harness = new ControllerHarness();
    await harness.settle();
    build(harness, objects);
    await harness.settle();
    assert.equal(show(harness), objects.replaceAll("!", ""));
    harness.api.delete("configmaps", "default", remove, options);
    await harness.settle();
    assert.equal(show(harness), left);
  });
}

test("foreground deletion keeps the owner until its blocking dependents are deleted", async () => {
  const harness = new ControllerHarness();
  build(harness, "a b<a!");
  const held = harness.read("configmaps", "b");
  harness.api.update("configmaps", { ...held, metadata: { ...held.metadata, finalizers: ["example.com/hold"] } }, "test");
  harness.api.delete("configmaps", "default", "a", { propagation: "foreground" });
  await harness.settle();
  assert.equal(show(harness), "a b<a");
  const { finalizers: _held, ...metadata } = harness.read("configmaps", "b").metadata;
  harness.api.update("configmaps", { ...harness.read("configmaps", "b"), metadata }, "test");
  await harness.settle();
  assert.equal(show(harness), "");
});

test("dependents of an absent owner are deleted, unless its kind is not served", async () => {
  const harness = new ControllerHarness();
  build(harness, "b<nobody");
  const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: "w" }];
  harness.create("configmaps", { metadata: { name: "kept", ownerReferences } });
  await harness.settle();
  assert.equal(show(harness), "kept<w");
});

test("an owner in another namespace is none", async () => {
  const harness = new ControllerHarness();
  const owner = harness.create("configmaps", { metadata: { name: "a", namespace: "kube-public" } });
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: owner.metadata.uid }];
  harness.create("configmaps", { metadata: { name: "b", ownerReferences } });
  await harness.settle();
  assert.equal(show(harness), "");
});
