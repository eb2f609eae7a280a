import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { Agent, get, type RequestOptions } from "node:https";
import { createServer, Socket, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { RealClock } from "../core/clock/index.ts";
import type { Answer, Exchange } from "../core/exchange/index.ts";
import { openTransport } from "../kube/index.ts";
import { issueCertificate } from "../lang/x509/index.ts";
import { createServingAuthority, serveExchange, type ServedExchange } from "./index.ts";
import { withWholeBodies } from "../../test/support/whole-bodies.ts";

const now = new Date();
const echo: Exchange = async ({ method, path, headers, body }) => ({
  status: 201,
  headers: { "content-type": "text/plain", "x-was": headers["x-asked"] ?? "" },
  body: [`${method} ${path} `, Buffer.from(body ?? "")],
});

async function asking<T>(exchange: Exchange, work: (served: ServedExchange, ask: Exchange) => Promise<T>): Promise<T> {
  const served = await serveExchange(withWholeBodies(exchange), { now });
  const { url: server, authority, client } = served;
  const transport = openTransport({ server, authority, certificate: async () => client }, new RealClock());
  try {
    return await work(served, transport.exchange);
  } finally {
    transport.close();
    await served.close();
  }
}

async function bodyText({ body }: Answer): Promise<string> {
  let read = "";
  for await (const chunk of body) read += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  return read;
}

const { signal } = new AbortController();

test("a request reaches the exchange whole, and its answer comes back whole", () =>
  asking(echo, async (_served, ask) => {
    const answer = await ask({ method: "POST", path: "/a?b=c", headers: { "x-asked": "yes" }, body: "{}", signal });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers["x-was"], "yes");
    assert.equal(await bodyText(answer), "POST /a?b=c {}");
  }));

test("60 KB of headers are taken, in one or in many, over HTTP/1.1 as well", () =>
  asking(echo, async ({ url, authority, client }, ask) => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, "a".repeat(110)]));
    for (const headers of [{ "x-long": "a".repeat(60_000) }, many]) {
      assert.equal((await ask({ method: "GET", path: "/", headers, signal })).status, 201);
      const options = { headers, ca: authority, cert: client.certificate, key: client.key };
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      get(url, options, (answer) => resolve(answer.resume().statusCode)).once("error", reject);
      assert.equal(await promise, 201);
    }
  }));

const whoami: Exchange = async ({ peer }) => ({ status: 200, headers: {}, body: [JSON.stringify(peer)] });

test("the exchange learns who connects, over HTTP/1.1 as well", () =>
  asking(whoami, async ({ url, authority, client }, ask) => {
    const { fingerprint256 } = new X509Certificate(client.certificate);
    const admin = {
      certificate: {
        commonName: "admin",
        organizations: ["system:masters"],
        fingerprint: fingerprint256.replaceAll(":", "").toLowerCase(),
      },
    };
    assert.deepEqual(JSON.parse(await bodyText(await ask({ method: "GET", path: "/", headers: {}, signal }))), admin);
    const stranger = createServingAuthority("stranger", now);
    const validity = { notBefore: now, notAfter: new Date(now.getTime() + 60_000) };
    const forged = issueCertificate(stranger, { commonName: "admin", organizations: ["system:masters"], usages: ["client"] }, validity);
    const peerOf = (options: RequestOptions) =>
      new Promise<unknown>((resolve, reject) => {
        const asked = { ca: authority, agent: false, ...options };
        get(url, asked, async (response) => resolve(JSON.parse(await text(response)))).on("error", reject);
      });
    assert.deepEqual(await peerOf({ cert: client.certificate, key: client.key }), admin);
    assert.deepEqual(await peerOf({}), {});
    assert.deepEqual(await peerOf({ cert: forged.certificate, key: forged.key }), { certificate: "untrusted" });
  }));

test("an answer over HTTP/1.1 is sent at once, not when the client has acknowledged its headers", (t) => {
  const calls = t.mock.method(Socket.prototype, "setNoDelay").mock;
  return asking(echo, async ({ url, authority }) => {
    const { pathname: path, hostname: host, port } = new URL(`${url}/api`);
    const client = await new Promise<Socket>((resolve, reject) => {
      const agent = new Agent({ keepAlive: false });
      const request = get({ host, port, path, ca: authority, agent }, async (response) =>
        resolve(text(response).then(() => response.socket)),
      );
      request.on("error", reject);
    });
    assert.equal(calls.calls.filter((call) => call.this !== client && call.arguments[0] === true).length, 1);
  });
});

test("a stream is seen to begin before it has anything to say, and the exchange learns when its reader leaves", () => {
  const left = Promise.withResolvers<void>();
  const silent: Exchange = async (request) => {
    request.signal.addEventListener("abort", () => left.resolve(), { once: true });
    return { status: 200, headers: {}, body: nothingUntil(request.signal) };
  };
  return asking(silent, async (_served, ask) => {
    const stop = new AbortController();
    const answer = await ask({ method: "GET", path: "/watch", headers: {}, signal: stop.signal });
    assert.equal(answer.status, 200);
    stop.abort();
    await left.promise;
  });
});

async function* nothingUntil(signal: AbortSignal): AsyncGenerator<string> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield* [];
}

const large: Exchange = async () => ({ status: 200, headers: {}, body: ["x".repeat(2_000_000)] });

test("a connection takes further requests while many large answers of it wait to be read", () =>
  asking(large, async (_served, ask) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask({ method: "GET", path: "/", headers: {}, signal })));
    answers.push(await ask({ method: "GET", path: "/", headers: {}, signal }));
    for (const answer of answers) assert.equal((await bodyText(answer)).length, 2_000_000);
  }));

test("an exchange whose answer was sent whole is not told that the client leaves", async () => {
  const signals: AbortSignal[] = [];
  const noting: Exchange = async (request) => {
    signals.push(request.signal);
    return echo(request);
  };
  await asking(noting, async (_served, ask) => bodyText(await ask({ method: "GET", path: "/", headers: {}, signal })));
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false],
  );
});

test("an internal error is a 500 with its message", () =>
  asking(
    async () => {
      throw new Error("the store is on fire");
    },
    async (_served, ask) => {
      const answer = await ask({ method: "GET", path: "/", headers: {}, signal });
      assert.equal(answer.status, 500);
    },
  ));

test("a port in use is named, with what to do", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  await assert.rejects(serveExchange(withWholeBodies(echo), { port, now }), {
    message: `listen on 127.0.0.1:${port}: port ${port} is in use: choose another with --port, or leave it out for any free one`,
  });
  taken.close();
});
