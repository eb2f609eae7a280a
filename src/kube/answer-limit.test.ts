import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange } from "../core/exchange/index.ts";
import { answerTooLarge } from "./answer-limit.ts";
import { listAll } from "./list.ts";
import { restClientOver, type RestClient } from "./rest-client.ts";
import type { Resource } from "./resource.ts";
import { openWatch } from "./watch.ts";

const pods: Resource = {
  group: "",
  version: "v1",
  kind: "Pod",
  plural: "pods",
  singular: "pod",
  namespaced: true,
  verbs: ["list", "watch"],
  shortNames: [],
  categories: [],
  subresources: [],
};

/** A cluster that answers lists with pages of `mostPerAnswer` objects at most, which have a thousand characters each. */
function clusterOf(count: number, mostPerAnswer: number, asked: number[] = []): RestClient {
  const exchange: Exchange = async ({ path }) => {
    const query = new URL(path, "http://x").searchParams;
    const [limit, start] = [Number(query.get("limit") ?? count), Number(query.get("continue") ?? 0)];
    asked.push(limit);
    if (limit > mostPerAnswer) throw answerTooLarge("https://c-1", 1000 * mostPerAnswer);
    const end = Math.min(start + limit, count);
    const items = Array.from({ length: end - start }, (_, index) => ({ metadata: { name: `p${start + index}` }, text: "x".repeat(1000) }));
    return { status: 200, headers: {}, body: [JSON.stringify({ items, metadata: end < count ? { continue: String(end) } : {} })] };
  };
  return restClientOver(exchange);
}

test("a page that is too long for one answer is asked for in smaller ones", async () => {
  const asked: number[] = [];
  const { items } = await listAll(clusterOf(100, 8, asked), pods, { limit: 64 });
  assert.equal(items.length, 100);
  assert.deepEqual(asked.slice(0, 3), [64, 8, 64]);
  await assert.rejects(listAll(clusterOf(100, 0), pods, {}), { message: /^list pods: https:\/\/c-1 sends more than/ });
});

test("all pages together have a limit, also when they are empty", async () => {
  const message = "list pods: all pages together have more than 1 MiB, which is the most that is kept";
  await assert.rejects(listAll(clusterOf(2000, 500), pods, { maxLength: 2 ** 20 }), { message });
  let asked = 0;
  const empty = restClientOver(async () => ({ status: 200, headers: {}, body: [`{"items":[],"metadata":{"continue":"${asked++}"}}`] }));
  await assert.rejects(listAll(empty, pods, { maxLength: 2 ** 20 }), { message });
  assert.equal(asked, 257);
});

async function* endless(): AsyncGenerator<string> {
  const chunk = "x".repeat(2 ** 20);
  for (let sent = 0; sent < 100; sent++) yield chunk;
}

test("an event of a watch has a limit", async () => {
  const cluster = restClientOver(async () => ({ status: 200, headers: {}, body: endless() }));
  const stream = await openWatch(cluster, pods, {});
  await assert.rejects(
    async () => {
      for await (const events of stream) assert.fail(JSON.stringify(events));
    },
    { message: "watch pods: an event is longer than 32 MiB, which is the most that is read" },
  );
});
