import assert from "node:assert/strict";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { connect, type TLSSocket } from "node:tls";
import { after, test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import { startEmbeddedCluster } from "../embedded/index.ts";
import { serveExchange } from "./index.ts";

const clock = new VirtualClock();
const { exchange, stop } = startEmbeddedCluster({ clock });
const served = await serveExchange(exchange, { now: new Date(), clock });
after(async () => {
  stop();
  await served.close();
});
const { url, authority: ca, client } = served;
const admin = { cert: client.certificate, key: client.key };
const anonymous = {};

const path = "/api/v1/namespaces/default/configmaps";
const json = "Host: x\r\nContent-Type: application/json\r\n";
const megabyte = Buffer.alloc(1 << 20, " ");

/** Sends a head and then megabytes until the server answers; returns the answer, and how much it let in. */
async function answerTo(head: string, identity: object, { megabytes = 0, framed = false } = {}): Promise<{ text: string; sent: number }> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), ca, ...identity });
  const answered = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (piece: Buffer) => {
    text += piece.toString();
    if (/\r\n\r\n[^]*"code":\d+\}/.test(text)) answered.resolve(text);
  });
  socket.on("error", () => {}).on("close", () => answered.resolve(text));
  socket.write(head);
  let sent = 0;
  const isOver = answered.promise.then(() => "answered" as const);
  for (; sent < megabytes; sent++) {
    if ((await Promise.race([written(socket, framed ? frame(megabyte) : megabyte), isOver])) === "answered") break;
  }
  const answer = await answered.promise;
  socket.destroy();
  return { text: answer, sent };
}

function frame(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

function written(socket: TLSSocket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

const forbidden = /^HTTP\/1.1 403 Forbidden\r\n[^]*connection: close\r\n[^]*User \\"system:anonymous\\" cannot create resource/;
const tooLarge = /^HTTP\/1.1 413 [^]*connection: close\r\n[^]*"message":"Request entity too large: limit is 3145728"/;

const lengths: Readonly<Record<string, { head: string; framed: boolean }>> = {
  "of a stated length": { head: "Content-Length: 1000000000\r\n\r\n", framed: false },
  "in chunks without an end": { head: "Transfer-Encoding: chunked\r\n\r\n", framed: true },
};

for (const [how, { head, framed }] of Object.entries(lengths)) {
  test(`a body ${how} is not read for a stranger, and for nobody past the limit`, async () => {
    const before = process.memoryUsage().rss;
    const stranger = await answerTo(`POST ${path} HTTP/1.1\r\n${json}${head}`, anonymous, { megabytes: 1000, framed });
    assert.match(stranger.text, forbidden);
    const known = await answerTo(`POST ${path} HTTP/1.1\r\n${json}${head}`, admin, { megabytes: 1000, framed });
    assert.match(known.text, tooLarge);
    // What is on its way in sockets' buffers is beyond the server's limit.
    assert.ok(known.sent < 40 && stranger.sent < 40, `sent ${known.sent} and ${stranger.sent} MB`);
    assert.ok(process.memoryUsage().rss - before < 200 << 20);
  });
}

test("nobody is told to send a body that is not wanted", async () => {
  const head = `POST ${path} HTTP/1.1\r\n${json}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`;
  assert.match((await answerTo(head, anonymous)).text, forbidden);
  const unknown = `POST ${path} HTTP/1.1\r\n${json}Expect: tea\r\nContent-Length: 2\r\n\r\n`;
  assert.match((await answerTo(unknown, admin)).text, /^HTTP\/1.1 417 Expectation Failed\r\n/);
  const { text } = await answerTo(`${head}{}`, admin);
  assert.match(text, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 422 /);
});

test("a body that does not come ends its request, and only that", async () => {
  const slow = answerTo(`POST ${path} HTTP/1.1\r\n${json}Content-Length: 20\r\n\r\n{"kind":`, admin);
  const own = answerTo(`POST ${path}?timeout=5s HTTP/1.1\r\n${json}Content-Length: 20\r\n\r\n{"kind":`, admin);
  const other = await answerTo(`GET ${path}/x HTTP/1.1\r\nHost: x\r\n\r\n`, admin);
  assert.match(other.text, /^HTTP\/1.1 404 /);
  const late = /^HTTP\/1.1 504 [^]*"message":"Timeout: request did not complete within the allotted timeout"/;
  assert.match(await stepping(1000, own), late);
  assert.match(await stepping(10_000, slow), late);
});

/** Steps time until the server, which has to see the request first, answers. */
async function stepping(step: number, answer: Promise<{ readonly text: string }>): Promise<string> {
  const seen = answer.then(({ text }) => text);
  for (let steps = 0; steps < 10_000; steps++) {
    await clock.advance(step);
    const text = await Promise.race([seen, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))]);
    if (text !== undefined) return text;
  }
  return seen;
}

test("over HTTP/2 a refused body leaves the connection to other requests", async () => {
  const session = connectHttp2(url, { ca });
  try {
    for (let times = 0; times < 5; times++) assert.equal(await statusOf(session, "POST", path, megabyte), 403);
    assert.equal(await statusOf(session, "GET", "/version"), 200);
  } finally {
    session.destroy();
  }
});

function statusOf(session: ClientHttp2Session, method: string, target: string, body?: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":method": method, ":path": target, "content-type": "application/json" });
    let answered = 0;
    stream.on("response", ({ ":status": status = 0 }) => (answered = status)).on("error", reject);
    // The server ends the stream, which the client has not done.
    stream.on("close", () => resolve(answered)).resume();
    if (body === undefined) stream.end();
    else stream.write(body);
  });
}
