import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { get as getHttps } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { TLSSocket } from "node:tls";
import { RealClock } from "../core/clock/index.ts";
import type { Handler } from "../core/exchange/index.ts";
import { createCertificateAuthority, issueCertificate } from "../lang/x509/index.ts";
import { CertificateFiles, serveHandler } from "./index.ts";

const echo: Handler = async ({ method, path, headers, peer, body }) => {
  const read = typeof body === "object" && "read" in body ? Buffer.from((await body.read(100, 1000)) ?? []).toString() : "";
  return {
    status: 200,
    headers: { "content-type": "text/plain" },
    body: [`${method} ${path} ${headers["host"]} ${peer?.scheme} ${peer?.address === undefined ? "" : "from somewhere"} ${read}`],
  };
};

test("a request reaches the handler with its host, its body and where it comes from", async () => {
  const served = await serveHandler(echo);
  try {
    const answer = await fetch(`${served.url}/a?b`, { method: "POST", body: "x".repeat(150) });
    assert.equal(await answer.text(), `POST /a?b 127.0.0.1:${served.port} http from somewhere ${"x".repeat(100)}`);
    await assert.rejects(serveHandler(echo, { listen: { host: "127.0.0.1", port: served.port } }), /port \d+ is in use/);
  } finally {
    await served.close();
  }
});

test("what fails is not told to whoever asked", async () => {
  const served = await serveHandler(() => Promise.reject(new Error("the password is 1234")));
  try {
    const answer = await fetch(served.url);
    assert.equal(answer.status, 500);
    assert.equal(await answer.text(), "the server failed to answer\n");
  } finally {
    await served.close();
  }
});

test("a client that takes nothing is left, and no more is made for it than fits on the way", async () => {
  let made = 0;
  const ended = Promise.withResolvers<void>();
  const endless: Handler = async () => ({ status: 200, headers: {}, body: pieces() });
  async function* pieces() {
    try {
      for (;;) {
        made++;
        yield "x".repeat(64 * 1024);
      }
    } finally {
      ended.resolve();
    }
  }
  const served = await serveHandler(endless, { stalledMs: 300 });
  const socket = connect(served.port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await ended.promise;
  // The buffers of two sockets on loopback hold some MiB.
  assert.ok(made < 400, `${made} pieces`);
  socket.destroy();
  await served.close();
});

test("a request that is too long or nonsense is refused", async () => {
  const served = await serveHandler(echo);
  try {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(served.url, { headers: { "x-long": "a".repeat(20_000) } }, (answer) => resolve(answer.resume().statusCode));
      sent.on("error", reject).end();
    });
    assert.equal(status, 431);
    const socket = connect(served.port, "127.0.0.1");
    socket.write("nonsense\r\n\r\n");
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
  } finally {
    await served.close();
  }
});

const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };

test("TLS is served with HTTP/2 too, and certificates are replaced while it runs, if they are good", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-tls-"));
  const [cert, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  const authority = createCertificateAuthority("test-ca", validity);
  const write = (commonName: string) => {
    const pair = issueCertificate(authority, { commonName, hosts: ["127.0.0.1"], usages: ["server"] }, validity);
    writeFileSync(cert, pair.certificate);
    writeFileSync(key, pair.key);
  };
  write("first");
  const problem = Promise.withResolvers<string>();
  const certificate = await CertificateFiles.open({ cert, key, clock: new RealClock(), onProblem: problem.resolve });
  const served = await serveHandler(echo, { certificate });
  const nameOf = () =>
    new Promise<string>((resolve, reject) => {
      getHttps(served.url, { ca: authority.certificate, agent: false }, (answer) => {
        const { subject } = (answer.socket as TLSSocket).getPeerCertificate();
        answer.resume();
        resolve(String(subject.CN));
      }).on("error", reject);
    });
  try {
    assert.equal(await nameOf(), "first");
    writeFileSync(key, "nonsense");
    assert.match(await problem.promise, /the certificate before it stays in use$/);
    assert.equal(await nameOf(), "first");
    write("second");
    let name = "";
    for (let waits = 0; name !== "second" && waits < 100; waits++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      name = await nameOf();
    }
    assert.equal(name, "second");
    const session = connectHttp2(served.url, { ca: authority.certificate });
    const stream = session.request({ ":path": "/x", ":authority": "dash.example" });
    assert.equal(await text(stream), "GET /x dash.example https from somewhere ");
    session.close();
  } finally {
    certificate.close();
    await served.close();
    rmSync(folder, { recursive: true });
  }
});

test("a certificate without its key is refused at the start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-tls-"));
  const missing = { cert: join(folder, "a"), key: join(folder, "b"), clock: new RealClock(), onProblem: () => undefined };
  await assert.rejects(CertificateFiles.open(missing), /read the certificate .*ENOENT/);
  rmSync(folder, { recursive: true });
});
