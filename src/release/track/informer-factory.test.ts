import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapKind, configMapObject, defaultNamespace } from "../../../test/support/client-objects.ts";
import { FaultInjector } from "../../../test/support/fault-injection.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { connect, ConnectionFault } from "../../kube/index.ts";
import { InformerFactory } from "./informer-factory.ts";

test("after an interruption an object that has not changed is reported again", async () => {
  const clock = new VirtualClock();
  const faults = new FaultInjector(startEmbeddedCluster({ clock }).exchange);
  const cluster = connect(faults.exchange, { clock });
  await cluster.create(configMapObject("a"));
  const stop = new AbortController();
  const seen: string[] = [];
  new InformerFactory(cluster, stop.signal).informerFor(configMapKind, defaultNamespace).follow("a", {
    onObject: (object) => seen.push(object?.metadata.name ?? "none"),
    onInterrupted: () => seen.push("interrupted"),
    onFailed: (error) => seen.push(String(error)),
  });
  await clock.advance(1000);
  assert.deepEqual(seen, ["a"]);
  faults.intercept = () => {
    throw new ConnectionFault("read ECONNRESET");
  };
  faults.failStreams({ type: "end" });
  await clock.advance(5000);
  assert.equal(seen.at(-1), "interrupted");
  faults.clear();
  await clock.advance(60_000);
  assert.equal(seen.at(-1), "a");
  stop.abort();
});
