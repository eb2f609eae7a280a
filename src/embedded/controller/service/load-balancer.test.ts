import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt } from "../../../core/object/index.ts";
import { Lab } from "../../../../test/support/embedded/controller-lab.ts";

const finalizer = "service.kubernetes.io/load-balancer-cleanup";

function balancer(name: string, spec: object = {}) {
  return { metadata: { name }, spec: { type: "LoadBalancer", ports: [{ port: 80 }], ...spec } };
}

test("an address comes after a while, and goes with the Service", async () => {
  const lab = new Lab({ rules: [{ match: { kind: "Service" }, address: "20s" }] });
  lab.create("services", balancer("web"));
  await lab.clock.advance(19_000);
  assert.deepEqual(fieldsAt(lab.read("services", "web"), "status.loadBalancer"), {});
  assert.deepEqual(lab.read("services", "web").metadata.finalizers, [finalizer]);
  await lab.settle();
  assert.deepEqual(fieldsAt(lab.read("services", "web"), "status.loadBalancer"), { ingress: [{ ip: "192.0.2.1", ipMode: "VIP" }] });
  lab.api.delete("services", "default", "web");
  await lab.settle();
  assert.equal(lab.api.read("services", "default", "web"), undefined);
  const told = lab.told.filter((line) => line.startsWith("Service/web")).map((line) => line.split(" ")[1]);
  assert.deepEqual(told, ["EnsuringLoadBalancer:", "EnsuredLoadBalancer:", "DeletingLoadBalancer:", "DeletedLoadBalancer:"]);
});

test("each gets its own address, or the one it asks for", async () => {
  const lab = new Lab();
  lab.create("services", balancer("a"));
  lab.create("services", balancer("b"));
  lab.create("services", balancer("c", { loadBalancerIP: "192.0.2.200" }));
  await lab.settle();
  const addresses = ["a", "b", "c"].map((name) => JSON.stringify(fieldsAt(lab.read("services", name), "status.loadBalancer")["ingress"]));
  assert.equal(new Set(addresses).size, 3);
  assert.match(addresses[2]!, /192\.0\.2\.200/);
});

test("never, by a rule; and not ours, by its class", async () => {
  const lab = new Lab({ rules: [{ match: { kind: "Service", name: "never" }, address: "never" }] });
  lab.create("services", balancer("never"));
  lab.create("services", balancer("classed", { loadBalancerClass: "example.com/lb" }));
  await lab.settle();
  assert.deepEqual(fieldsAt(lab.read("services", "never"), "status.loadBalancer"), {});
  assert.equal(lab.read("services", "classed").metadata.finalizers, undefined);
});

test("a Service that becomes a plain one gives its address back", async () => {
  const lab = new Lab();
  lab.create("services", balancer("web"));
  await lab.settle();
  const web = lab.read("services", "web");
  lab.api.update("services", { ...web, spec: { ...fieldsAt(web, "spec"), type: "ClusterIP" } }, "test");
  await lab.settle();
  assert.deepEqual(fieldsAt(lab.read("services", "web"), "status.loadBalancer"), {});
  assert.equal(lab.read("services", "web").metadata.finalizers, undefined);
});

test("an address that somebody else writes is taken, with the mode that the server fills in", async () => {
  const lab = new Lab({ rules: [{ match: { kind: "Service" }, address: "never" }] });
  lab.create("services", balancer("web"));
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
  lab.api.updateStatus("services", { ...lab.read("services", "web"), status }, "somebody");
  assert.deepEqual(fieldsAt(lab.read("services", "web"), "status.loadBalancer"), { ingress: [{ ip: "192.0.2.7", ipMode: "VIP" }] });
});
