import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { RealClock } from "../../core/clock/index.ts";
import { createServer as createTlsServer } from "node:tls";
import { issueCertificate, createCertificateAuthority } from "../../lang/x509/index.ts";
import { authority, serverCertificate, listen, reply, serveHttp2, serveTcp } from "../../../test/support/loopback.ts";
import { readText } from "../body.ts";
import type { Endpoint } from "./endpoint.ts";
import { proxyFromEnvironment } from "./proxy-from-environment.ts";
import { openTransport } from "./transport.ts";

const proxy = "http://proxy:3128";
// server, NO_PROXY, whether it goes through the proxy. After golang.org/x/net/http/httpproxy
const choices: [string, string, boolean][] = [
  ["https://api.example.com", "", true],
  ["http://api.example.com", "", false],
  ["https://localhost:6443", "", false],
  ["https://127.0.0.9", "", false],
  ["https://[::1]:6443", "", false],
  ["https://api.example.com", "example.com", false],
  ["https://example.com", "example.com", false],
  ["https://badexample.com", "example.com", true],
  ["https://example.com", ".example.com", true],
  ["https://api.example.com", "*.example.com", false],
  ["https://api.example.com:6443", "api.example.com:6443", false],
  ["https://api.example.com:6443", "api.example.com:443", true],
  ["https://10.1.2.3", "10.0.0.0/8", false],
  ["https://11.1.2.3", "10.0.0.0/8, 192.168.0.1", true],
  ["https://192.168.0.1", "10.0.0.0/8, 192.168.0.1", false],
  ["https://api.example.com", "*", false],
];

for (const [server, exempt, through] of choices) {
  test(`${server} with NO_PROXY=${exempt} goes ${through ? "through the proxy" : "direct"}`, () => {
    assert.equal(proxyFromEnvironment(server, { HTTPS_PROXY: proxy, NO_PROXY: exempt }), through ? proxy : undefined);
  });
}

test("an HTTP proxy gets a CONNECT with its password, and TLS is with the server", async (t) => {
  const server = await serveHttp2(t, (stream) => reply(stream, 200, "through"));
  const heads: string[] = [];
  const relay = await serveTcp(t, (near) => {
    near.once("data", (head) => {
      heads.push(head.toString());
      if (!head.toString().includes("Proxy-Authorization")) return near.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      const far = connect(server.port, "127.0.0.1", () => near.write("HTTP/1.1 200 OK\r\n\r\n"));
      far.on("error", () => near.destroy());
      near.on("error", () => far.destroy());
      return near.pipe(far).pipe(near);
    });
  });
  const ask = async (proxy: string) => {
    const transport = openTransport({ server: server.url, authority: authority.certificate, proxy }, new RealClock());
    t.after(() => transport.close());
    const { body } = await transport.exchange({ method: "GET", path: "/", headers: {}, signal: new AbortController().signal });
    return readText(body);
  };
  assert.equal(await ask(`http://me:p%40ss@127.0.0.1:${relay.port}`), "through");
  assert.match(
    heads[0] ?? "",
    new RegExp(`^CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\nHost: .*\r\nProxy-Authorization: Basic bWU6cEBzcw==\r\n\r\n$`),
  );
  await assert.rejects(
    ask(`http://127.0.0.1:${relay.port}`),
    /does not connect to 127\.0\.0\.1:\d+ \(407 Proxy Authentication Required\): check proxy-url/,
  );
});

test("a SOCKS 5 proxy connects by host name", async (t) => {
  const server = await serveHttp2(t, (stream) => reply(stream, 200, "through"));
  const asked: string[] = [];
  const relay = await serveTcp(t, (near) => {
    near.once("data", () => {
      near.write(Buffer.from([5, 0]));
      near.once("data", (request) => {
        asked.push(request.subarray(5, 5 + request[4]!).toString());
        const far = connect(server.port, "127.0.0.1", () => near.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
        far.on("error", () => near.destroy());
        near.on("error", () => far.destroy());
        near.pipe(far).pipe(near);
      });
    });
  });
  const transport = openTransport(
    { server: `https://localhost:${server.port}`, authority: authority.certificate, proxy: `socks5://127.0.0.1:${relay.port}` },
    new RealClock(),
  );
  t.after(() => transport.close());
  const { body } = await transport.exchange({ method: "GET", path: "/", headers: {}, signal: new AbortController().signal });
  assert.equal(await readText(body), "through");
  assert.deepEqual(asked, ["localhost"]);
});

/** Answers CONNECT on a socket and forwards the rest. */
function relay(near: Socket, port: number): void {
  near.on("error", () => undefined); // the other side sees the close
  near.once("data", () => {
    const far = connect(port, "127.0.0.1", () => near.write("HTTP/1.1 200 OK\r\n\r\n"));
    far.on("error", () => near.destroy());
    near.on("close", () => far.destroy());
    near.pipe(far).pipe(near);
  });
}

async function ask(t: TestContext, endpoint: Endpoint): Promise<string> {
  const transport = openTransport(endpoint, new RealClock());
  t.after(() => transport.close());
  const { body } = await transport.exchange({ method: "GET", path: "/", headers: {}, signal: new AbortController().signal });
  return readText(body);
}

test("an HTTPS proxy is reached by TLS, and TLS with the server goes inside of that", async (t) => {
  const server = await serveHttp2(t, (stream) => reply(stream, 200, "through"));
  const known = createTlsServer({ cert: serverCertificate.certificate, key: serverCertificate.key }, (socket) =>
    relay(socket, server.port),
  );
  const { port } = await listen(t, known, "https");
  const endpoint = { server: server.url, authority: authority.certificate };
  assert.equal(await ask(t, { ...endpoint, proxy: `https://localhost:${port}` }), "through");

  const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };
  const stranger = issueCertificate(
    createCertificateAuthority("stranger", validity),
    { commonName: "p", hosts: ["127.0.0.1"], usages: ["server"] },
    validity,
  );
  const unknown = createTlsServer({ cert: stranger.certificate, key: stranger.key }, (socket) => relay(socket, server.port));
  const proxy = (await listen(t, unknown, "https")).url;
  await assert.rejects(ask(t, { ...endpoint, proxy }), {
    name: "ConnectionFault",
    transient: false,
    message: new RegExp(`^the proxy ${proxy} cannot be reached \\(\\w+\\): check proxy-url, HTTPS_PROXY and NO_PROXY$`),
  });
  assert.equal(await ask(t, { ...endpoint, proxy, insecure: true }), "through");
});

test("a proxy that is not there, or is no proxy, is named, and not the server", async (t) => {
  const gone = await serveTcp(t, (socket) => socket.end());
  await gone.close();
  const server = "https://api.example.com";
  const cases: [string, RegExp][] = [
    [`http://u:secret@127.0.0.1:${gone.port}`, /^the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\): check proxy-url/],
    [`socks5://127.0.0.1:${gone.port}`, /^the proxy socks5:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/],
    ["ftp://127.0.0.1", /^the proxy ftp:\/\/127\.0\.0\.1 is neither http, https nor socks5: change proxy-url$/],
  ];
  for (const [proxy, message] of cases) await assert.rejects(ask(t, { server, proxy }), { message, transient: false, unsent: true });
});

test("a SOCKS 5 proxy gets user and password, and its errors are reported", async (t) => {
  const server = await serveHttp2(t, (stream) => reply(stream, 200, "through"));
  const logins: string[] = [];
  const serveSocks = (accept: number, answer: number) =>
    serveTcp(t, (near) => {
      near.on("error", () => undefined); // the other side sees the close
      near.once("data", (greeting) => {
        near.write(Buffer.from([5, greeting[2] === 2 ? 2 : 0xff]));
        near.once("data", (login) => {
          logins.push(login.subarray(2, 2 + login[1]!).toString());
          near.write(Buffer.from([1, accept]));
          near.once("data", () => {
            const far = connect(server.port, "127.0.0.1", () => near.write(Buffer.from([5, answer, 0, 1, 0, 0, 0, 0, 0, 0])));
            far.on("error", () => near.destroy());
            near.on("close", () => far.destroy());
            near.pipe(far).pipe(near);
          });
        });
      });
    });
  const endpoint = { server: server.url, authority: authority.certificate };
  const [good, strict, lost] = [await serveSocks(0, 0), await serveSocks(1, 0), await serveSocks(0, 4)];
  assert.equal(await ask(t, { ...endpoint, proxy: `socks5h://me%40here:pass@127.0.0.1:${good.port}` }), "through");
  assert.deepEqual(logins, ["me@here"]);
  await assert.rejects(ask(t, { ...endpoint, proxy: `socks5://127.0.0.1:${good.port}` }), /it does not take our way to log in$/);
  await assert.rejects(ask(t, { ...endpoint, proxy: `socks5://a:b@127.0.0.1:${strict.port}` }), /it refuses the user name and password$/);
  await assert.rejects(
    ask(t, { ...endpoint, proxy: `socks5://a:b@127.0.0.1:${lost.port}` }),
    /does not connect to 127\.0\.0\.1:\d+: it answered 4$/,
  );
});
