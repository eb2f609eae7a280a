import assert from "node:assert/strict";
import { test } from "node:test";
import { addressFrom, servePages } from "./index.ts";

const addresses: readonly [string, object | undefined][] = [
  ["127.0.0.1:8080", { host: "127.0.0.1", port: 8080 }],
  [":8080", { port: 8080 }],
  ["[::1]:0", { host: "::1", port: 0 }],
  ["localhost:9", { host: "localhost", port: 9 }],
  ["8080", undefined],
  ["127.0.0.1", undefined],
  [":70000", undefined],
  ["::1:80", undefined],
];

for (const [text, expected] of addresses) {
  test(`${text} is ${expected === undefined ? "no address" : "an address"}`, () => assert.deepEqual(addressFrom(text), expected));
}

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
    await assert.rejects(servePages({}, addressFrom(new URL(url).host)!), /it is in use/);
  } finally {
    await close();
  }
});
