import assert from "node:assert/strict";
import { test } from "node:test";
import { condition, stringAt, stringsAt } from "../../../core/object/index.ts";
import { Lab } from "../../../../test/support/embedded/controller-lab.ts";

test("a namespace gets a service account and the root certificate, and gets them again", async () => {
  const lab = new Lab();
  lab.create("namespaces", { metadata: { name: "shop" } });
  await lab.settle();
  assert.equal(lab.names("serviceaccounts", "shop"), "default");
  assert.deepEqual(lab.read("configmaps", "kube-root-ca.crt", "shop")["data"], { "ca.crt": "PEM" });
  lab.api.delete("serviceaccounts", "shop", "default");
  lab.api.delete("configmaps", "shop", "kube-root-ca.crt");
  await lab.settle();
  assert.equal(lab.names("serviceaccounts", "shop"), "default");
  assert.equal(lab.names("configmaps", "shop"), "kube-root-ca.crt");
});

test("a namespace goes when it is empty, and its pods go first", async () => {
  const lab = new Lab({ rules: [{ match: {}, pull: "1s", start: 0, terminate: "3s" }] });
  lab.create("namespaces", { metadata: { name: "shop" } });
  await lab.settle();
  lab.create("pods", { metadata: { name: "web", namespace: "shop" }, spec: { containers: [{ name: "c", image: "app:1" }] } });
  lab.create("configmaps", { metadata: { name: "settings", namespace: "shop" } });
  await lab.settle();
  lab.api.delete("namespaces", "", "shop");
  await lab.clock.advance(1000);
  assert.equal(stringAt(lab.read("namespaces", "shop"), "status.phase"), "Terminating");
  assert.equal(lab.names("configmaps", "shop"), "kube-root-ca.crt settings");
  await lab.settle();
  assert.equal(lab.api.read("namespaces", "", "shop"), undefined);
  assert.equal(lab.names("configmaps", "shop"), "");
});

test("what keeps a namespace is told in its conditions", async () => {
  const lab = new Lab();
  lab.create("namespaces", { metadata: { name: "shop" } });
  await lab.settle();
  lab.create("configmaps", { metadata: { name: "held", namespace: "shop", finalizers: ["example.com/hold"] } });
  lab.api.delete("namespaces", "", "shop");
  await lab.settle();
  const shop = lab.read("namespaces", "shop");
  assert.deepEqual(stringsAt(shop, "spec.finalizers"), ["kubernetes"]);
  const said = (type: string) => [condition(shop, type)?.status, condition(shop, type)?.reason, condition(shop, type)?.message];
  assert.deepEqual(said("NamespaceContentRemaining"), [
    "True",
    "SomeResourcesRemain",
    "Some resources are remaining: configmaps. has 1 resource instances",
  ]);
  const finalizers = "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances";
  assert.deepEqual(said("NamespaceFinalizersRemaining"), ["True", "SomeFinalizersRemain", finalizers]);
  assert.deepEqual(said("NamespaceDeletionContentFailure"), [
    "False",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ]);
  const { finalizers: _held, ...metadata } = lab.read("configmaps", "held", "shop").metadata;
  lab.api.update("configmaps", { ...lab.read("configmaps", "held", "shop"), metadata }, "test");
  await lab.settle();
  assert.equal(lab.api.read("namespaces", "", "shop"), undefined);
});
