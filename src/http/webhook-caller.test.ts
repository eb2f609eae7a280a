import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import { serveExchange } from "../server/index.ts";
import { webhookCaller } from "./webhook-caller.ts";

test("a webhook's answer, its limits and its failures", async (context) => {
  const isStuck = Promise.withResolvers<void>();
  const served = await serveExchange(
    async ({ path, signal }) => {
      if (path.startsWith("/ok")) return { status: 200, headers: { "content-type": "application/json" }, body: ["{}"] };
      const endless = async function* () {
        while (!signal.aborted) yield "x".repeat(1 << 20);
      };
      const stuck = async function* () {
        isStuck.resolve();
        yield "x";
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      };
      return { status: 200, headers: {}, body: path.startsWith("/stuck") ? stuck() : endless() };
    },
    { now: new Date() },
  );
  context.after(() => served.close());
  const { host, port } = new URL(served.url);
  const clock = new VirtualClock();
  const call = webhookCaller(clock);
  const to = (url: string, more: object = {}) => call({ url, caBundle: served.authority, body: "{}", timeoutMs: 1000, ...more });
  assert.deepEqual(await to(`https://${host}/ok`), { status: 200, contentType: "application/json", body: "{}", tookMs: 0 });
  assert.deepEqual(await to(`https://${host}/endless`), { error: "the response has more than 16777216 bytes", read: true, tookMs: 0 });
  assert.deepEqual(await to(`https://${host}/ok`, { caBundle: "" }), {
    error: `Post "https://${host}/ok": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    tookMs: 0,
  });
  assert.deepEqual(await to(`https://other.svc:${port}/ok`, { address: host }), {
    error: `Post "https://other.svc:${port}/ok": tls: failed to verify certificate: x509: certificate is valid for localhost, not other.svc`,
    tookMs: 0,
  });
  const stuck = to(`https://${host}/stuck`);
  await isStuck.promise;
  await clock.advance(1000);
  const { error, tookMs } = (await stuck) as { error: string; tookMs: number };
  assert.match(error, /context deadline exceeded$/);
  assert.equal(tookMs, 1000);
});
