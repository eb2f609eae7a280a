import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt } from "../../../core/object/index.ts";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

const finalizer = "service.kubernetes.io/load-balancer-cleanup";

function balancer(name: string, spec: object = {}) {
  return { metadata: { name }, spec: { type: "LoadBalancer", ports: [{ port: 80 }], ...spec } };
}

test("an address is assigned after a delay, and released with the Service", async () => {
  const harness = new ControllerHarness({ rules: [{ match: { kind: "Service" }, address: "20s" }] });
  harness.create("services", balancer("web"));
  await harness.clock.advance(19_000);
  assert.deepEqual(fieldsAt(harness.read("services", "web"), "status.loadBalancer"), {});
  assert.deepEqual(harness.read("services", "web").metadata.finalizers, [finalizer]);
  await harness.settle();
  assert.deepEqual(fieldsAt(harness.read("services", "web"), "status.loadBalancer"), { ingress: [{ ip: "192.0.2.1", ipMode: "VIP" }] });
  harness.api.delete("services", "default", "web");
  await harness.settle();
  assert.equal(harness.api.read("services", "default", "web"), undefined);
  const reasons = harness.events.filter((line) => line.startsWith("Service/web")).map((line) => line.split(" ")[1]);
  assert.deepEqual(reasons, ["EnsuringLoadBalancer:", "EnsuredLoadBalancer:", "DeletingLoadBalancer:", "DeletedLoadBalancer:"]);
});

test("each gets its own address, or the one it asks for", async () => {
  const harness = new ControllerHarness();
  harness.create("services", balancer("a"));
  harness.create("services", balancer("b"));
  harness.create("services", balancer("c", { loadBalancerIP: "192.0.2.200" }));
  await harness.settle();
  const addresses = ["a", "b", "c"].map((name) =>
    JSON.stringify(fieldsAt(harness.read("services", name), "status.loadBalancer")["ingress"]),
  );
  assert.equal(new Set(addresses).size, 3);
  assert.match(addresses[2]!, /192\.0\.2\.200/);
});

test("never, by a rule; and not ours, by its class", async () => {
  const harness = new ControllerHarness({ rules: [{ match: { kind: "Service", name: "never" }, address: "never" }] });
  harness.create("services", balancer("never"));
  harness.create("services", balancer("classed", { loadBalancerClass: "example.com/lb" }));
  await harness.settle();
  assert.deepEqual(fieldsAt(harness.read("services", "never"), "status.loadBalancer"), {});
  assert.equal(harness.read("services", "classed").metadata.finalizers, undefined);
});

test("a Service that becomes a plain one gives its address back", async () => {
  const harness = new ControllerHarness();
  harness.create("services", balancer("web"));
  await harness.settle();
  const web = harness.read("services", "web");
  harness.api.update("services", { ...web, spec: { ...fieldsAt(web, "spec"), type: "ClusterIP" } }, "test");
  await harness.settle();
  assert.deepEqual(fieldsAt(harness.read("services", "web"), "status.loadBalancer"), {});
  assert.equal(harness.read("services", "web").metadata.finalizers, undefined);
});

test("an address that another client writes is kept, with the default ipMode", async () => {
  const harness = new ControllerHarness({ rules: [{ match: { kind: "Service" }, address: "never" }] });
  harness.create("services", balancer("web"));
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
  harness.api.updateStatus("services", { ...harness.read("services", "web"), status }, "somebody");
  assert.deepEqual(fieldsAt(harness.read("services", "web"), "status.loadBalancer"), { ingress: [{ ip: "192.0.2.7", ipMode: "VIP" }] });
});
