import assert from "node:assert/strict";
import { constants, type ServerHttp2Stream } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { RealClock, VirtualClock, type Clock } from "../../core/clock/index.ts";
import type { Answer, Request } from "../../core/exchange/index.ts";
import { issueCertificate, createCertificateAuthority } from "../../server/index.ts";
import {
  authority,
  expiredCertificate,
  reply,
  serveHttp,
  serveHttp2,
  serveHttps,
  serveTcp,
  type Loopback,
} from "../../../test/support/loopback.ts";
import { readText } from "../body.ts";
import { ConnectionFault } from "../connection-fault.ts";
import { withRetry } from "../with-retry.ts";
import type { Endpoint } from "./endpoint.ts";
import { openTransport } from "./transport.ts";

function open(t: TestContext, endpoint: Partial<Endpoint> & { server: string }, clock: Clock = new RealClock()) {
  const transport = openTransport({ authority: authority.certificate, ...endpoint }, clock);
  t.after(() => transport.close());
  const send = (path: string, more: Partial<Request> = {}): Promise<Answer> =>
    transport.exchange({ method: "GET", path, headers: {}, signal: new AbortController().signal, ...more });
  const read = async (path: string, more?: Partial<Request>) => readText((await send(path, more)).body);
  return { transport, send, read };
}

test("HTTP/2: many requests share one connection", async (t) => {
  const server = await serveHttp2(t, (stream, headers) => reply(stream, 200, { path: headers[":path"], method: headers[":method"] }));
  const { read } = open(t, { server: server.url });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => read(`/n/${n}`)));
  assert.deepEqual(JSON.parse(answers[7] ?? ""), { path: "/n/7", method: "GET" });
  assert.equal(server.connections(), 1);
});

test("HTTP/2: a body is sent as it is, and headers come back", async (t) => {
  const server = await serveHttp2(t, (stream) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => reply(stream, 201, Buffer.concat(chunks).toString(), { warning: '299 - "careful"' }));
  });
  const { send } = open(t, { server: server.url });
  const answer = await send("/", { method: "POST", body: '{"é":1}', headers: { "content-type": "application/json" } });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers["warning"], '299 - "careful"');
  assert.equal(await readText(answer.body), '{"é":1}');
});

test("HTTP/2: more requests than the server takes at once open another connection", async (t) => {
  const held: (() => void)[] = [];
  const server = await serveHttp2(
    t,
    (stream, headers) => {
      const answer = () => reply(stream, 200, String(headers[":path"]));
      if (headers[":path"] === "/watch") held.push(answer);
      else answer();
    },
    { maxConcurrentStreams: 2 },
  );
  const { read } = open(t, { server: server.url });
  const watches = [read("/watch"), read("/watch")];
  assert.equal(await read("/get"), "/get", "a request is not stuck behind two that never end");
  assert.equal(server.connections(), 2);
  for (const answer of held) answer();
  assert.deepEqual(await Promise.all(watches), ["/watch", "/watch"]);
});

test("HTTP/2: after GOAWAY what is under way ends well, and what comes takes a new connection", async (t) => {
  let finish: (() => void) | undefined;
  const server = await serveHttp2(t, (stream, headers) => {
    if (headers[":path"] === "/slow") {
      finish = () => reply(stream, 200, "slow");
      stream.session?.goaway(constants.NGHTTP2_NO_ERROR);
    } else reply(stream, 200, "quick");
  });
  const { transport } = open(t, { server: server.url });
  const exchange = withRetry(transport.exchange); // a request that the server has not processed may be retried
  const read = async (path: string) => {
    const answer = await exchange({ method: "POST", path, headers: {}, signal: new AbortController().signal });
    return readText(answer.body);
  };
  const slow = read("/slow");
  assert.equal(await read("/first"), "quick");
  while (server.connections() < 2) assert.equal(await read("/quick"), "quick");
  finish?.();
  assert.equal(await slow, "slow");
});

/** How a server closes the connection of a client that it does not know, around its answer to `stream`. */
const closings: Readonly<Record<string, (stream: ServerHttp2Stream, answer: () => void) => void>> = {
  // As kube-apiserver does with UnauthenticatedHTTP2DOSMitigation. Streams after this one are never processed.
  "GOAWAY before the answer": (stream, answer) => {
    stream.session?.goaway(constants.NGHTTP2_NO_ERROR, stream.id);
    answer();
    stream.session?.close();
  },
  "GOAWAY after the answer": (stream, answer) => {
    answer();
    stream.session?.goaway(constants.NGHTTP2_NO_ERROR, stream.id);
    stream.session?.close();
  },
  "GOAWAY, and the end of the socket": (stream, answer) => {
    const { session } = stream;
    session?.goaway(constants.NGHTTP2_NO_ERROR, stream.id);
    stream.on("finish", () => setImmediate(() => session?.destroy()));
    answer();
  },
};

for (const [manner, close] of Object.entries(closings)) {
  test(`HTTP/2: the answer of a server that closes at once arrives, and every other request gets its own: ${manner}`, async (t) => {
    const held = new Set<number>();
    const server = await serveHttp2(t, (stream) => {
      const port = stream.session?.socket.remotePort ?? 0;
      if (held.has(port)) return;
      held.add(port);
      close(stream, () => reply(stream, 401, "who are you?"));
    });
    const relay = await serveLate(t, server.port, held);
    const { send } = open(t, { server: relay.url });
    const requests = [send("/a"), send("/b", { method: "POST", body: "{}" }), send("/c"), send("/d", { method: "DELETE" })];
    const answers = await Promise.all(requests.map(async (request) => [(await request).status, await readText((await request).body)]));
    for (const answer of answers) assert.deepEqual(answer, [401, "who are you?"]);
  });
}

/**
 * Relays to a server. What comes from it on a port that is held is passed on when the server has closed, and the
 * connection is reset then: so does a client on a busy machine see a server that answers and closes.
 */
function serveLate(t: TestContext, port: number, held: ReadonlySet<number>) {
  return serveTcp(t, (near) => {
    const far = connectTcp(port, "127.0.0.1");
    const late: Buffer[] = [];
    near.on("data", (chunk) => far.write(chunk));
    far.on("data", (chunk: Buffer) => void (held.has(far.localPort ?? 0) ? late.push(chunk) : near.write(chunk)));
    far.on("close", () => near.write(Buffer.concat(late), () => near.resetAndDestroy()));
    for (const socket of [near, far]) socket.on("error", () => undefined);
  });
}

test("HTTP/2: a server that never processes a request is given up", async (t) => {
  const server = await serveHttp2(t, (stream) => {
    stream.session?.goaway(constants.NGHTTP2_NO_ERROR);
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  });
  const { read } = open(t, { server: server.url });
  await assert.rejects(read("/"), { name: "ConnectionFault", unsent: true, transient: true });
  assert.equal(server.connections(), 7);
});

test("HTTP/2: a stream that is reset breaks its body, and a refused one was never sent", async (t) => {
  const server = await serveHttp2(t, (stream, headers) => {
    if (headers[":path"] === "/refused") return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    stream.respond({ ":status": 200 });
    stream.write("half");
    setImmediate(() => (headers[":path"] === "/session" ? stream.session?.destroy() : stream.destroy(new Error("cut"))));
  });
  const { read } = open(t, { server: server.url });
  const broken = {
    name: "ConnectionFault",
    code: "ECONNRESET",
    unsent: false,
    transient: true,
    message: `the connection to ${server.url} broke`,
  };
  await assert.rejects(read("/stream"), broken);
  await assert.rejects(read("/session"), broken);
  await assert.rejects(read("/refused"), { name: "ConnectionFault", unsent: true, transient: true });
});

test("HTTP/2: iterating keeps back-pressure", async (t) => {
  let written = 0;
  const server = await serveHttp2(t, (stream) => {
    stream.respond({ ":status": 200 });
    const chunk = Buffer.alloc(64 * 1024, "x");
    const pump = () => {
      while (written < 64 * 1024 * 1024) {
        written += chunk.length;
        if (!stream.write(chunk)) return void stream.once("drain", pump);
      }
      stream.end();
    };
    pump();
  });
  const { send } = open(t, { server: server.url });
  const body = (await send("/")).body as AsyncIterable<Buffer>;
  let read = 0;
  for await (const chunk of body) {
    if (read === 0) while (await grows(() => written));
    if (read === 0) assert.ok(written < 16 * 1024 * 1024, `${written} bytes were sent to somebody who does not read`);
    read += chunk.length;
  }
  assert.equal(read, 64 * 1024 * 1024);
});

/** Whether a number still changes while the event loop turns a hundred times. */
async function grows(value: () => number): Promise<boolean> {
  const before = value();
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  return value() > before;
}

test("HTTP/2: a connection that does not answer pings is given up", async (t) => {
  const clock = new VirtualClock();
  let sockets: Socket[] = [];
  const arrived = Promise.withResolvers<void>();
  const server = await serveHttp2(t, () => arrived.resolve());
  const relay = await serveTcp(t, (near) => {
    const far = connectTcp(server.port, "127.0.0.1");
    near.pipe(far).pipe(near);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    sockets = [near, far];
  });
  const { read } = open(t, { server: relay.url }, clock);
  const stuck = assert.rejects(read("/"), { name: "ConnectionFault", transient: true });
  await arrived.promise;
  for (const socket of sockets) socket.unpipe(); // a network that drops everything
  for (const socket of sockets) socket.pause();
  // A ping after 3 s without an answer, and 6 s for it: in time for another attempt before a Lease is lost.
  await clock.advance(3_000);
  await clock.advance(6_000);
  await stuck;
});

test("HTTP/2: a server that takes its time and answers pings is waited for", async (t) => {
  const clock = new VirtualClock();
  const arrived = Promise.withResolvers<ServerHttp2Stream>();
  const pinged = Promise.withResolvers<void>();
  const server = await serveHttp2(t, arrived.resolve);
  server.server.on("session", (session) => session.on("ping", () => pinged.resolve()));
  const { read } = open(t, { server: server.url }, clock);
  const slow = read("/");
  const stream = await arrived.promise;
  await clock.advance(3_000);
  await pinged.promise;
  await new Promise((resolve) => setTimeout(resolve, 50)); // the answer to the ping is on its way
  await clock.advance(20_000);
  reply(stream, 200, "slow");
  assert.equal(await slow, "slow");
  assert.equal(server.connections(), 1);
});

test("HTTP/1.1 over TLS, for servers that speak no HTTP/2, with connections used again", async (t) => {
  const server = await serveHttps(t, (request, response) => {
    request.resume().on("end", () => response.end(`${request.method} ${request.url} ${request.headers.host}`));
  });
  const { read } = open(t, { server: server.url });
  for (const path of ["/a", "/b", "/c"]) assert.equal(await read(path), `GET ${path} 127.0.0.1:${server.port}`);
  assert.equal(await read("/d", { method: "POST", body: "x" }), `POST /d 127.0.0.1:${server.port}`);
  assert.equal(server.connections(), 1);
});

test("HTTP/1.1: a server that speaks HTTP/2 after a restart is understood, and one that goes back too", async (t) => {
  const before = await serveHttps(t, (_request, response) => response.end("HTTP/1.1"));
  const { read, transport } = open(t, { server: before.url });
  const closed = async (server: Loopback) => {
    const lost = transport.lostConnections();
    await server.close();
    for (let turn = 0; turn < 1000 && transport.lostConnections() === lost; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  assert.equal(await read("/"), "HTTP/1.1");
  await closed(before);
  const between = await serveHttp2(t, (stream) => reply(stream, 200, "HTTP/2"), { port: before.port });
  const answers = await Promise.all([read("/a"), read("/b", { method: "POST", body: "{}" }), read("/c")]);
  assert.deepEqual(answers, ["HTTP/2", "HTTP/2", "HTTP/2"]);
  await closed(between);
  await serveHttps(t, (_request, response) => response.end("HTTP/1.1 again"), before.port);
  assert.equal(await read("/"), "HTTP/1.1 again");
});

test("HTTP/1.1: a body that breaks off is a fault", async (t) => {
  const server = await serveHttp(t, (_request, response) => {
    response.write("half", () => response.destroy());
  });
  const { read } = open(t, { server: server.url });
  await assert.rejects(read("/"), { name: "ConnectionFault", code: "ECONNRESET" });
});

test("plain HTTP, a server under a path, and compressed answers", async (t) => {
  const server = await serveHttp(t, (request, response) => {
    response.setHeader("content-encoding", "gzip").end(gzipSync(`${request.url} ${request.headers["accept-encoding"]}`));
  });
  const { send } = open(t, { server: `${server.url}/k8s/clusters/c-1/`, compress: true });
  const answer = await send("/version");
  assert.equal(await readText(answer.body), "/k8s/clusters/c-1/version gzip");
  assert.equal(answer.headers["content-encoding"], undefined);
});

test("groups that we act in go in a header each", async (t) => {
  const server = await serveHttp(t, (request, response) => response.end(JSON.stringify(request.rawHeaders)));
  const { read } = open(t, { server: server.url });
  const headers = { "impersonate-user": "jane, doe", "impersonate-group": "a, b", "impersonate-extra-x": "1, 2" };
  const sent: string[] = JSON.parse(await read("/", { headers }));
  const pairs = sent.flatMap((name, at) => (name.startsWith("impersonate-") ? [`${name}: ${sent[at + 1]}`] : []));
  assert.deepEqual(pairs, [
    "impersonate-user: jane, doe",
    "impersonate-group: a",
    "impersonate-group: b",
    "impersonate-extra-x: 1",
    "impersonate-extra-x: 2",
  ]);
});

test("a client certificate is shown, and a new one after renew", async (t) => {
  const server = await serveHttp2(
    t,
    (stream) => {
      const subject = (stream.session!.socket as TLSSocket).getPeerCertificate().subject;
      reply(stream, 200, `${subject?.CN}`);
    },
    { requestCert: true },
  );
  const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };
  let user = "jane";
  const certificate = async () => issueCertificate(authority, { commonName: user, usages: ["client"] }, validity);
  const { read, transport } = open(t, { server: server.url, certificate });
  assert.equal(await read("/"), "jane");
  user = "joe";
  assert.equal(await read("/"), "jane");
  transport.renew();
  assert.equal(await read("/"), "joe");
});

const stranger = createCertificateAuthority("stranger-ca", {
  notBefore: new Date("2025-01-01T00:00:00Z"),
  notAfter: new Date("2099-01-01T00:00:00Z"),
});

test("a connection error is a sentence", async (t) => {
  const good = await serveHttp2(t, (stream) => reply(stream, 200, "ok"));
  const old = await serveHttp2(t, (stream) => reply(stream, 200, "ok"), { certificate: expiredCertificate });
  const plain = await serveHttp(t, (_request, response) => response.end());
  const gone = await serveHttp(t, () => undefined);
  await gone.close();

  const cases: [Partial<Endpoint> & { server: string }, string, RegExp][] = [
    [
      { server: gone.url },
      "ECONNREFUSED",
      /^nothing answers at http:\/\/127\.0\.0\.1:\d+ \(connection refused\): check that the cluster is running/,
    ],
    [{ server: "https://no-such-host.invalid:6443" }, "E", /^the host of https:\/\/no-such-host\.invalid:6443 cannot be found/],
    [{ server: old.url }, "CERT_HAS_EXPIRED", /^the certificate of https:\/\/\S+ expired on 2020-02-03 04:05 UTC: it has to be renewed/],
    [
      { server: good.url, authority: stranger.certificate },
      "SELF_SIGNED",
      /is signed by "loopback-ca", which is not trusted \(SELF_SIGNED_CERT_IN_CHAIN\): set certificate-authority/,
    ],
    [
      { server: good.url, serverName: "api.example.com" },
      "ERR_TLS",
      /is not for "api\.example\.com" but for 127\.0\.0\.1, localhost: .* tls-server-name/,
    ],
    [{ server: plain.url.replace("http", "https") }, "", /does not speak TLS: .*http:\/\//],
  ];
  for (const [endpoint, code, message] of cases) {
    const { read } = open(t, endpoint);
    await assert.rejects(read("/"), (error) => {
      assert.ok(error instanceof ConnectionFault);
      assert.match(error.message, message);
      assert.ok(error.code.startsWith(code), error.code);
      return !error.transient && error.final && error.unsent;
    });
  }
  assert.equal(await open(t, { server: old.url, insecure: true }).read("/"), "ok");
  assert.equal(await open(t, { server: good.url, serverName: "localhost" }).read("/"), "ok");
});

test("a server that never finishes the handshake is given up after the connect time-out", async (t) => {
  const clock = new VirtualClock();
  const mute = await serveTcp(t, (socket) => socket.resume());
  const { read } = open(t, { server: mute.url, connectTimeoutMs: 5000 }, clock);
  const refused = assert.rejects(read("/"), { code: "ETIMEDOUT", message: new RegExp(`^${mute.url} did not answer within 5 s: check`) });
  while (mute.connections() === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(5000);
  await refused;
});

test("a server that answered before and is away is worth another try", async (t) => {
  const server = await serveHttp2(t, (stream) => reply(stream, 200, "ok"));
  const { read } = open(t, { server: server.url });
  assert.equal(await read("/"), "ok");
  await server.close();
  const { port } = server;
  const faults: ConnectionFault[] = [];
  while (faults.at(-1)?.code !== "ECONNREFUSED") await read("/").catch((fault: ConnectionFault) => faults.push(fault));
  assert.ok(faults.every((fault) => fault.transient));
  assert.equal(faults.at(-1)?.unsent, true);
  await serveHttp2(t, (stream) => reply(stream, 200, "back"), { port });
  assert.equal(await read("/"), "back");
});

test("aborting ends a request before and inside its answer, with the signal's reason", async (t) => {
  const closed: string[] = [];
  const server = await serveHttp2(t, (stream, headers) => {
    stream.on("close", () => closed.push(String(headers[":path"])));
    if (headers[":path"] === "/silent") return;
    stream.respond({ ":status": 200 });
    stream.write("first");
  });
  const { send } = open(t, { server: server.url });
  const [before, inside] = [new AbortController(), new AbortController()];
  const silent = assert.rejects(send("/silent", { signal: before.signal }), { message: "enough" });
  const answer = await send("/endless", { signal: inside.signal });
  before.abort(new Error("enough"));
  await silent;
  const reading = assert.rejects(
    async () => {
      for await (const chunk of answer.body) {
        assert.equal(String(chunk), "first");
        inside.abort(new Error("enough"));
      }
    },
    { message: "enough" },
  );
  await reading;
  while (closed.length < 2) await new Promise((resolve) => setImmediate(resolve));
});
