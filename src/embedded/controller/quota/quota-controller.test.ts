import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt } from "../../../core/object/index.ts";
import { Lab } from "../../../../test/support/embedded/controller-lab.ts";

test("a quota's status follows what is there", async () => {
  const lab = new Lab();
  lab.create("resourcequotas", { metadata: { name: "q" }, spec: { hard: { pods: "3", "requests.cpu": "2" } } });
  await lab.settle();
  assert.deepEqual(lab.read("resourcequotas", "q")["status"], {
    hard: { pods: "3", "requests.cpu": "2" },
    used: { pods: "0", "requests.cpu": "0" },
  });
  const containers = [{ name: "c", image: "app:1", resources: { requests: { cpu: "500m" } } }];
  lab.create("pods", { metadata: { name: "a" }, spec: { restartPolicy: "Never", containers } });
  await lab.clock.advance(10);
  assert.deepEqual(fieldsAt(lab.read("resourcequotas", "q"), "status.used"), { pods: "1", "requests.cpu": "500m" });
  await lab.settle();
  assert.deepEqual(fieldsAt(lab.read("resourcequotas", "q"), "status.used"), { pods: "0", "requests.cpu": "0" });
});
