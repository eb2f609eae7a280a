import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { RealClock } from "../../clock/index.ts";
import { authority, reply, serveHttp2, serveTcp } from "../../../test/loopback.ts";
import { readText } from "../body.ts";
import { proxyFor } from "./proxy-choice.ts";
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
    assert.equal(proxyFor(server, { HTTPS_PROXY: proxy, NO_PROXY: exempt }), through ? proxy : undefined);
  });
}

test("an HTTP proxy is asked to connect, with its password; TLS is with the server itself", async (t) => {
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
