import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, stringAt, stringsAt } from "../../../core/object/index.ts";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

test("a namespace gets a service account and the root certificate, and gets them again", async () => {
  const harness = new ControllerHarness();
  harness.create("namespaces", { metadata: { name: "shop" } });
  await harness.settle();
  assert.equal(harness.names("serviceaccounts", "shop"), "default");
  assert.deepEqual(harness.read("configmaps", "kube-root-ca.crt", "shop")["data"], { "ca.crt": "PEM" });
  harness.api.delete("serviceaccounts", "shop", "default");
  harness.api.delete("configmaps", "shop", "kube-root-ca.crt");
  await harness.settle();
  assert.equal(harness.names("serviceaccounts", "shop"), "default");
  assert.equal(harness.names("configmaps", "shop"), "kube-root-ca.crt");
});

test("a namespace is removed when it is empty, and its pods first", async () => {
  const harness = new ControllerHarness({ rules: [{ match: {}, pull: "1s", start: 0, terminate: "3s" }] });
  harness.create("namespaces", { metadata: { name: "shop" } });
  await harness.settle();
  harness.create("pods", { metadata: { name: "web", namespace: "shop" }, spec: { containers: [{ name: "c", image: "app:1" }] } });
  harness.create("configmaps", { metadata: { name: "settings", namespace: "shop" } });
  await harness.settle();
  harness.api.delete("namespaces", "", "shop");
  await harness.clock.advance(1000);
  assert.equal(stringAt(harness.read("namespaces", "shop"), "status.phase"), "Terminating");
  assert.equal(harness.names("configmaps", "shop"), "kube-root-ca.crt settings");
  await harness.settle();
  assert.equal(harness.api.read("namespaces", "", "shop"), undefined);
  assert.equal(harness.names("configmaps", "shop"), "");
});

test("conditions of a namespace name its remaining content", async () => {
  const harness = new ControllerHarness();
  harness.create("namespaces", { metadata: { name: "shop" } });
  await harness.settle();
  harness.create("configmaps", { metadata: { name: "held", namespace: "shop", finalizers: ["example.com/hold"] } });
  harness.api.delete("namespaces", "", "shop");
  await harness.settle();
  const shop = harness.read("namespaces", "shop");
  assert.deepEqual(stringsAt(shop, "spec.finalizers"), ["kubernetes"]);
  const conditionOf = (type: string) => [
    findCondition(shop, type)?.status,
    findCondition(shop, type)?.reason,
    findCondition(shop, type)?.message,
  ];
  assert.deepEqual(conditionOf("NamespaceContentRemaining"), [
    "True",
    "SomeResourcesRemain",
    "Some resources are remaining: configmaps. has 1 resource instances",
  ]);
  const finalizers = "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances";
  assert.deepEqual(conditionOf("NamespaceFinalizersRemaining"), ["True", "SomeFinalizersRemain", finalizers]);
  assert.deepEqual(conditionOf("NamespaceDeletionContentFailure"), [
    "False",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ]);
  const { finalizers: _held, ...metadata } = harness.read("configmaps", "held", "shop").metadata;
  harness.api.update("configmaps", { ...harness.read("configmaps", "held", "shop"), metadata }, "test");
  await harness.settle();
  assert.equal(harness.api.read("namespaces", "", "shop"), undefined);
});
