import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { compactHistory, ObjectStorage } from "./index.ts";

test("events are forgotten within ten minutes, and not before five", async () => {
  const clock = new VirtualClock();
  const store = new ObjectStorage();
  const stop = compactHistory(store, clock);
  const seen = () => store.eventsSince(2, "configmaps")?.map(({ type }) => type);
  await clock.advance(200_000);
  store.put("configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "before" } });
  store.put("configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
  store.remove("configmaps", "", "a");
  await clock.advance(300_000);
  assert.deepEqual(seen(), ["ADDED", "DELETED"]);
  await clock.advance(300_000);
  assert.equal(seen(), undefined);
  assert.deepEqual(store.eventsSince(4, "configmaps"), []);
  stop();
});
