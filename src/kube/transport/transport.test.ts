import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { VirtualClock } from "../../core/clock/index.ts";
import { issueCertificate, createCertificateAuthority } from "../../lang/x509/index.ts";
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
import { openTestTransport as open } from "../../../test/support/test-transport.ts";
import { readText } from "../body.ts";
import { ConnectionFault } from "../connection-fault.ts";
import type { Endpoint } from "./endpoint.ts";

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

const endless = (more: (chunk: string) => boolean, onDrain: (next: () => void) => void): void => {
  const next = () => void (more("x".repeat(1000)) ? setImmediate(next) : onDrain(next));
  next();
};

const greedy: readonly (readonly [what: string, serve: (t: TestContext) => Promise<Loopback>])[] = [
  ["compressed", (t) => serveHttp(t, (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync("x".repeat(1e7))))],
  [
    "endless by HTTP/1.1",
    (t) =>
      serveHttp(t, (_, response) =>
        endless(
          (chunk) => !response.destroyed && response.write(chunk),
          (next) => response.once("drain", next),
        ),
      ),
  ],
  [
    "endless by HTTP/2",
    (t) =>
      serveHttp2(t, (stream) => {
        stream.respond({ ":status": 200 });
        stream.on("error", () => {});
        endless(
          (chunk) => !stream.destroyed && stream.write(chunk),
          (next) => stream.once("drain", next),
        );
      }),
  ],
];

for (const [what, serve] of greedy) {
  test(`an answer that is ${what} is read up to a limit, and the fault names both`, async (t) => {
    const server = await serve(t);
    const { read } = open(t, { server: server.url, maxAnswerBytes: 2 ** 20 });
    const message = `${server.url} sends more than 1 MiB in one answer, which is the most that is read: check what answers at this address`;
    await assert.rejects(read("/api"), { name: "AnswerTooLargeFault", message, final: true });
  });
}

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
