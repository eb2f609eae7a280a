import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const { signal } = new AbortController();
const path = "/api/v1/namespaces/default/secrets";

type List = { metadata: { continue?: string }; items: { metadata: { name: string } }[]; code?: number };

async function ask(exchange: Exchange, method: string, target: string, body?: object): Promise<List> {
  const answer = await exchange({
    method,
    path: target,
    headers: {},
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return JSON.parse(String((answer.body as readonly unknown[])[0])) as List;
}

test("a page that cannot be continued as it was can be continued as it is", async () => {
  const { exchange, stop } = startEmbeddedCluster({ clock: new VirtualClock(), keptEvents: 50 });
  for (const name of ["a", "b", "c"]) await ask(exchange, "POST", path, { metadata: { name } });
  const first = await ask(exchange, "GET", `${path}?limit=1`);
  // More changes than are remembered.
  for (let index = 0; index < 110; index++) await change(exchange, index);
  const expired = await ask(exchange, "GET", `${path}?limit=1&continue=${first.metadata.continue}`);
  assert.equal(expired.code, 410);
  const rest = await ask(exchange, "GET", `${path}?limit=5&continue=${expired.metadata.continue}`);
  assert.deepEqual(
    rest.items.map(({ metadata }) => metadata.name),
    ["b", "c"],
  );
  stop();
});

async function change(exchange: Exchange, index: number): Promise<void> {
  const body = JSON.stringify({ metadata: { labels: { at: String(index) } } });
  await exchange({ method: "PATCH", path: `${path}/c`, headers: { "content-type": "application/merge-patch+json" }, body, signal });
}
