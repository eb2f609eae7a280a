import assert from "node:assert/strict";
import { once } from "node:events";
import { constants, type ServerHttp2Stream } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { test, type TestContext } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { listen, reply, serverCertificate, serveHttp2, serveTcp } from "../../../test/support/loopback.ts";
import { openTestTransport as open } from "../../../test/support/test-transport.ts";
import { readText } from "../body.ts";
import { withRetry } from "../with-retry.ts";

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
  // A ping after 2 s without an answer, and 4 s for it: in time for another attempt before a Lease is lost.
  await clock.advance(2_000);
  await clock.advance(4_000);
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
  await clock.advance(2_000);
  await pinged.promise;
  await new Promise((resolve) => setTimeout(resolve, 50)); // the answer to the ping is on its way
  await clock.advance(20_000);
  reply(stream, 200, "slow");
  assert.equal(await slow, "slow");
  assert.equal(server.connections(), 1);
});

/** A server that finishes the handshake for HTTP/2 and then says nothing. `greeted`: the client has said its first words. */
async function serveMute(t: TestContext) {
  const { certificate: cert, key } = serverCertificate;
  const greeted = Promise.withResolvers<TLSSocket>();
  const server = createTlsServer({ cert, key, ALPNProtocols: ["h2"] }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => greeted.resolve(socket));
  });
  return { ...(await listen(t, server, "https")), greeted: greeted.promise };
}

test("HTTP/2: a server that never sends its settings is given up", async (t) => {
  const clock = new VirtualClock();
  const mute = await serveMute(t);
  const { read } = open(t, { server: mute.url }, clock);
  const refused = assert.rejects(read("/"), { name: "ConnectionFault", unsent: true });
  await mute.greeted;
  await clock.advance(10_000);
  await refused;
});

test("closing ends every connection at once, also one that is being opened and one that takes no more requests", async (t) => {
  const mute = await serveMute(t);
  const opening = open(t, { server: mute.url }, new VirtualClock());
  const refused = assert.rejects(opening.read("/"), { name: "ConnectionFault" });
  const far = await mute.greeted;
  const farClosed = once(far, "close");
  opening.transport.close();
  await Promise.all([refused, farClosed]);

  const server = await serveHttp2(t, (stream) => stream.respond({ ":status": 200 }));
  const ended = Promise.withResolvers<void>();
  server.server.on("session", (session) => session.on("close", () => ended.resolve()));
  const retired = open(t, { server: server.url });
  await retired.send("/watch");
  retired.transport.renew();
  retired.transport.close();
  await ended.promise;
});
