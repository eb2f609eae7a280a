import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../../core/clock/index.ts";
import type { Exchange } from "../../../core/exchange/index.ts";
import { connect } from "../../../kube/index.ts";
import { startEmbeddedCluster } from "../../../embedded/index.ts";
import { maxConcurrentWrites, limitWrites } from "./intercept-writes.ts";

test("writes are limited, and reads are not", async () => {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const open = Promise.withResolvers<void>();
  let [writing, most] = [0, 0];
  const slow: Exchange = async (request) => {
    if (request.method === "GET") return exchange(request);
    most = Math.max(most, ++writing);
    await open.promise;
    writing--;
    return exchange(request);
  };
  const cluster = limitWrites(connect(slow, { clock }));
  const names = Array.from({ length: maxConcurrentWrites + 10 }, (_, index) => `map-${index}`);
  const all = names.map((name) => cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } }));
  const ref = { group: "", version: "v1", kind: "Namespace", namespace: "", name: "default" };
  assert.equal((await clock.until(cluster.get(ref))).metadata.name, "default");
  open.resolve();
  assert.equal((await clock.until(Promise.all(all))).length, names.length);
  assert.equal(most, maxConcurrentWrites);
});
