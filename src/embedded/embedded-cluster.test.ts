import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import type { Exchange } from "../core/exchange/index.ts";
import { readManifests } from "../lang/yaml/index.ts";
import { startEmbeddedCluster } from "./index.ts";

const hello = readManifests(readFileSync(join(import.meta.dirname, "../../examples/hello/hello.yaml"), "utf8"), "hello.yaml").manifests;
const paths: Readonly<Record<string, string>> = {
  Namespace: "/api/v1/namespaces",
  ConfigMap: "/api/v1/namespaces/hello/configmaps",
  PersistentVolumeClaim: "/api/v1/namespaces/hello/persistentvolumeclaims",
  Service: "/api/v1/namespaces/hello/services",
  StatefulSet: "/apis/apps/v1/namespaces/hello/statefulsets",
  Job: "/apis/batch/v1/namespaces/hello/jobs",
  Deployment: "/apis/apps/v1/namespaces/hello/deployments",
};
const watched = [...Object.values(paths), "/api/v1/pods", "/api/v1/events", "/api/v1/persistentvolumes", "/apis/apps/v1/replicasets"];

/** All watch events while examples/hello is rolled out, and deleted again. */
async function watchEvents(seed: number): Promise<readonly string[]> {
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock, seed });
  const ended = new AbortController();
  const lines: string[] = [];
  const reading = watched.map((path) => follow(exchange, path, lines, ended.signal));
  for (const { object } of hello) await send(exchange, "POST", paths[object.kind]!, JSON.stringify(object));
  await clock.settle({ withinMs: 600_000 });
  await send(exchange, "DELETE", "/api/v1/namespaces/hello");
  await clock.settle({ withinMs: 600_000 });
  ended.abort();
  await Promise.all(reading);
  stop();
  return lines.join("").split("\n");
}

async function follow(exchange: Exchange, path: string, lines: string[], signal: AbortSignal): Promise<void> {
  const { body } = await exchange({ method: "GET", path: `${path}?watch=true`, headers: {}, signal });
  for await (const chunk of body) lines.push(String(chunk));
}

async function send(exchange: Exchange, method: string, path: string, body?: string): Promise<void> {
  const { signal } = new AbortController();
  const answer = await exchange({ method, path, headers: {}, ...(body === undefined ? {} : { body }), signal });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${String((answer.body as readonly unknown[])[0])}`);
}

test("the same seed gives the same watch events to the byte, another seed gives others", async () => {
  const first = await watchEvents(7);
  assert.ok(first.length > 100, "there are watch events to compare");
  assert.equal(first.join("\n"), (await watchEvents(7)).join("\n"));
  assert.notEqual(first.join("\n"), (await watchEvents(8)).join("\n"));
});

test("an hour in which nothing happens costs nothing", async () => {
  const clock = new VirtualClock();
  const { stop } = startEmbeddedCluster({ clock });
  assert.equal(await clock.settle({ withinMs: 60_000 }), true, "a cluster that nobody asks anything comes to rest");
  stop();
});
