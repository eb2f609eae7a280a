import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import type { Answer, Exchange } from "../core/exchange/index.ts";
import { connect } from "./connect.ts";
import { runInformer } from "./run-informer.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const resources = {
  kind: "APIResourceList",
  groupVersion: "v1",
  resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true, verbs: ["list", "watch"] }],
};

function json(status: number, body: unknown): Answer {
  return { status, headers: { "content-type": "application/json" }, body: [JSON.stringify(body)] };
}

/** Refuses the first lists with a final error, then serves an empty one. */
function refusing(times: number): Exchange {
  let lists = 0;
  return async ({ path, signal }) => {
    if (path === "/api") return json(200, { kind: "APIVersions", versions: ["v1"] });
    if (path === "/apis") return json(200, { kind: "APIGroupList", groups: [] });
    if (path === "/api/v1") return json(200, resources);
    if (!path.includes("watch=true"))
      return lists++ < times
        ? json(400, { kind: "Status", apiVersion: "v1", code: 400, reason: "BadRequest", message: "no" })
        : json(200, { kind: "ConfigMapList", metadata: { resourceVersion: "1" }, items: [] });
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    throw signal.reason;
  };
}

test("an informer that the server has refused is replaced, later and later", async () => {
  const clock = new VirtualClock({ start: 0 });
  const cluster = connect(refusing(3), { clock });
  const stop = new AbortController();
  const log: string[] = [];
  const running = runInformer(
    cluster,
    configMaps,
    { signal: stop.signal },
    {
      async read(informer) {
        for await (const event of informer) {
          log.push(`${clock.now()} ${event.type}`);
          if (event.type === "synced") stop.abort();
        }
      },
      onInterrupted: (because) => log.push(`${clock.now()} ${because.message}`),
    },
  );
  await clock.until(running);
  assert.deepEqual(log, ["0 list configmaps: no", "100 list configmaps: no", "300 list configmaps: no", "700 synced"]);
});

test("an error that is no Fault ends it", async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const handler = { read: () => Promise.reject(new TypeError("our bug")), onInterrupted: () => undefined };
  await assert.rejects(runInformer(connect(refusing(0), { clock }), configMaps, { signal }, handler), /our bug/);
});
