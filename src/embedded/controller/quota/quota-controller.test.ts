import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt } from "../../../core/object/index.ts";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

test("a quota's status follows what is there", async () => {
  const harness = new ControllerHarness();
  harness.create("resourcequotas", { metadata: { name: "q" }, spec: { hard: { pods: "3", "requests.cpu": "2" } } });
  await harness.settle();
  assert.deepEqual(harness.read("resourcequotas", "q")["status"], {
    hard: { pods: "3", "requests.cpu": "2" },
    used: { pods: "0", "requests.cpu": "0" },
  });
  const containers = [{ name: "c", image: "app:1", resources: { requests: { cpu: "500m" } } }];
  harness.create("pods", { metadata: { name: "a" }, spec: { restartPolicy: "Never", containers } });
  await harness.clock.advance(10);
  assert.deepEqual(fieldsAt(harness.read("resourcequotas", "q"), "status.used"), { pods: "1", "requests.cpu": "500m" });
  await harness.settle();
  assert.deepEqual(fieldsAt(harness.read("resourcequotas", "q"), "status.used"), { pods: "0", "requests.cpu": "0" });
});
