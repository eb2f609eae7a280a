import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { Monitor } from "../../sveltos/telemetry/index.ts";
import { parseListenAddress } from "../parse-argument.ts";
import { withProbeServer } from "./probe-server.ts";

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
  test(`${text} is ${expected === undefined ? "no address" : "an address"}`, () => {
    if (expected === undefined) assert.throws(() => parseListenAddress(text), /expected an address/);
    else assert.deepEqual(parseListenAddress(text), expected);
  });
}

test("probes and metrics are served while the work runs", async () => {
  const lines: string[] = [];
  const monitor = new Monitor({ clock: new VirtualClock(), write: (line) => lines.push(line) });
  const url = () => (JSON.parse(lines[0] ?? "{}") as { url: string }).url;
  const read = async (path: string) => {
    const answer = await fetch(url() + path);
    return `${answer.status} ${await answer.text()}`;
  };
  await withProbeServer(monitor, { host: "127.0.0.1", port: 0 }, async () => {
    assert.equal(await read("/readyz"), "503 it is starting\n");
    assert.equal(await read("/healthz"), "200 ok\n");
    monitor.readiness = () => ({ well: true });
    assert.equal(await read("/readyz"), "200 ok\n");
    assert.match(await read("/metrics"), /\nsluice_ready 1\n/);
  });
  await assert.rejects(fetch(`${url()}/readyz`));
});
