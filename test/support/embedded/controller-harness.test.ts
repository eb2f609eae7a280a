import assert from "node:assert/strict";
import { test } from "node:test";
import { equal } from "../../../src/core/object/index.ts";
import { ControllerHarness } from "./controller-harness.ts";

/** All events of a small cluster. */
async function runCluster(order: readonly string[]): Promise<{ events: string; pods: unknown[] }> {
  const harness = new ControllerHarness();
  harness.create("services", {
    metadata: { name: "web" },
    spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }] },
  });
  for (const name of order) {
    harness.create("pods", { metadata: { name, labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "app:1" }] } });
  }
  await harness.settle();
  return { events: harness.events.join("\n"), pods: harness.api.list("pods", "default").map((pod) => pod["status"]) };
}

test("the same cluster produces the same events", async () => {
  const [first, second] = [await runCluster(["a", "b", "c"]), await runCluster(["a", "b", "c"])];
  assert.equal(first.events, second.events);
  assert.ok(equal(first.pods, second.pods));
});

function pulls({ events }: { events: string }): string[] {
  const lines = events.split("\n").filter((line) => line.includes("Successfully pulled"));
  return lines.toSorted();
}

test("how long a pod takes does not depend on what came before it", async () => {
  assert.deepEqual(pulls(await runCluster(["a", "b", "c"])), pulls(await runCluster(["c", "a", "b"])));
});
