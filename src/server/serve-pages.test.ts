import assert from "node:assert/strict";
import { test } from "node:test";
import { servePages } from "./index.ts";

test("pages are made when they are asked for, and nothing else is answered", async () => {
  let asked = 0;
  const { url, close } = await servePages(
    { "/metrics": () => ({ status: 200, text: `asked ${++asked}\n` }), "/readyz": () => ({ status: 503, text: "no\n" }) },
    { host: "127.0.0.1", port: 0 },
  );
  try {
    const read = async (path: string, method = "GET") => {
      const answer = await fetch(url + path, { method });
      return `${answer.status} ${await answer.text()}`;
    };
    assert.equal(await read("/metrics"), "200 asked 1\n");
    assert.equal(await read("/metrics?x=1"), "200 asked 2\n");
    assert.equal(await read("/readyz"), "503 no\n");
    assert.equal(await read("/readyz", "HEAD"), "503 ");
    assert.match(await read("/constructor"), /^404 /);
    assert.match(await read("/metrics", "POST"), /^405 /);
    await assert.rejects(servePages({}, { host: "127.0.0.1", port: Number(new URL(url).port) }), /it is in use/);
  } finally {
    await close();
  }
});
