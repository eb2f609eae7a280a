import assert from "node:assert/strict";
import { createServer } from "node:https";
import { test, type TestContext } from "node:test";
import { authority, expiredCertificate, serverCertificate, listen, serveHttp, serveHttps, serveTcp } from "../../test/support/loopback.ts";
import { RealClock } from "../core/clock/index.ts";
import { issueCertificate } from "../lang/x509/index.ts";
import { withRedirects } from "./with-redirects.ts";
import { openHttpClient } from "./open-http-client.ts";
import type { HttpClient, HttpClientResponse, HttpClientRequest } from "./http-client.ts";

const never = new AbortController().signal;
const open = (options: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  openHttpClient({ clock: new RealClock(), signal: never, ...options });
const tls = { authority: authority.certificate };
const maxBytes = 1000;
const textOf = ({ body }: HttpClientResponse) => Buffer.from(body).toString("utf8");

test("an answer comes whole, with its status and headers", async (t) => {
  const server = await serveHttp(t, (request, response) => {
    response
      .writeHead(418, { "x-path": request.url })
      .end(`${request.method} ${request.headers["x-a"]} ${request.headers["accept-encoding"]}`);
  });
  const answer = await open()({ url: `${server.url}/a?b=c`, headers: { "x-a": "1" }, maxBytes });
  assert.equal(answer.statusText, "418 I'm a Teapot");
  assert.equal(answer.headers["x-path"], "/a?b=c");
  assert.equal(textOf(answer), "GET 1 identity");
});

test("a user in the URL is sent as basic authentication", async (t) => {
  const server = await serveHttp(t, (request, response) => response.end(request.headers.authorization));
  const url = server.url.replace("http://", "http://me:a%20b@");
  assert.equal(textOf(await open()({ url, maxBytes })), `Basic ${Buffer.from("me:a b").toString("base64")}`);
});

test("a server is trusted by its authority, or with insecure", async (t) => {
  const server = await serveHttps(t, (_, response) => response.end("in"));
  const http = open();
  assert.equal(textOf(await http({ url: server.url, tls, maxBytes })), "in");
  assert.equal(textOf(await http({ url: server.url, tls: { insecure: true }, maxBytes })), "in");
  await assert.rejects(http({ url: server.url, maxBytes }), {
    name: "Fault",
    message: /signed by nobody who is trusted.*--ca-file/,
  });
});

test("a certificate that has expired, or is for another host, is named", async (t) => {
  const old = await listen(t, createServer({ cert: expiredCertificate.certificate, key: expiredCertificate.key }), "https");
  await assert.rejects(open()({ url: old.url, tls, maxBytes }), { message: /has expired/ });
  const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };
  const other = issueCertificate(authority, { commonName: "x", hosts: ["x.example"], usages: ["server"] }, validity);
  const strange = await listen(t, createServer({ cert: other.certificate, key: other.key }), "https");
  await assert.rejects(open()({ url: strange.url, tls, maxBytes }), { message: /is for another host/ });
});

test("a client shows its certificate where it is asked to", async (t) => {
  const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };
  const client = issueCertificate(authority, { commonName: "me", usages: ["client"] }, validity);
  const options = {
    cert: serverCertificate.certificate,
    key: serverCertificate.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  };
  const server = await listen(
    t,
    createServer(options, (_, response) => response.end("in")),
    "https",
  );
  assert.equal(
    textOf(await open()({ url: server.url, tls: { ...tls, certificate: client.certificate, key: client.key }, maxBytes })),
    "in",
  );
  await assert.rejects(open()({ url: server.url, tls, maxBytes }), {
    name: "Fault",
    message: /refuses the client certificate|broke/,
  });
});

test("a proxy is used for other hosts", async (t) => {
  const asked: string[] = [];
  const proxy = await serveHttp(t, (request, response) => {
    asked.push(request.url ?? "");
    response.end("by proxy");
  });
  const near = await serveHttp(t, (_, response) => response.end("direct"));
  const http = openHttpClient({ clock: new RealClock(), signal: never, env: { HTTP_PROXY: proxy.url, NO_PROXY: "other.example" } });
  assert.equal(textOf(await http({ url: "http://charts.example/index.yaml", maxBytes })), "by proxy");
  assert.equal(textOf(await http({ url: near.url, maxBytes })), "direct");
  assert.deepEqual(asked, ["http://charts.example/index.yaml"]);
});

type Bad = readonly [what: string, server: (t: TestContext) => Promise<{ readonly url: string }>, message: RegExp];

const bad: readonly Bad[] = [
  [
    "says that it is too long",
    (t) => serveHttp(t, (_, response) => void response.writeHead(200, { "content-length": 5000 }).write("x")),
    /is longer than 1 KiB/,
  ],
  [
    "never ends",
    (t) =>
      serveHttp(
        t,
        (_, response) =>
          void setImmediate(function more() {
            if (response.write("x".repeat(100))) setImmediate(more);
            else response.once("drain", more);
          }),
      ),
    /is longer than 1 KiB/,
  ],
  [
    "breaks off",
    (t) =>
      serveHttp(t, (_, response) => {
        response.writeHead(200, { "content-length": 500 });
        response.write("x", () => response.destroy());
      }),
    /broke/,
  ],
  ["is no HTTP", (t) => serveTcp(t, (socket) => void socket.end("hello\r\n\r\n"), "http"), /does not speak HTTP/],
  [
    "is no TLS",
    async (t) => ({ url: (await serveHttp(t, (_, response) => response.end())).url.replace("http:", "https:") }),
    /does not speak TLS/,
  ],
  ["is cut off", (t) => serveTcp(t, (socket) => void socket.destroy(), "http"), /broke/],
  ["does not come", (t) => serveTcp(t, () => undefined, "http"), /has not answered in full within 0\.2 s/],
  ["comes too slowly", (t) => serveHttp(t, (_, response) => void response.write("x")), /has not answered in full within 0\.2 s/],
];

for (const [what, serve, message] of bad) {
  test(`an answer that ${what}`, async (t) => {
    const { url } = await serve(t);
    await assert.rejects(open({ timeoutMs: 200 })({ url: `${url}/x`, tls, maxBytes }), { name: "Fault", message });
  });
}

test("an unreachable host, an unknown protocol and an invalid URL are errors", async (t) => {
  const server = await serveHttp(t, () => undefined);
  await server.close();
  await assert.rejects(open()({ url: server.url, maxBytes }), { message: /nothing answers at .* \(connection refused\)/ });
  await assert.rejects(open()({ url: "ftp://x/y", maxBytes }), { message: "could not find protocol handler for: ftp" });
  await assert.rejects(open()({ url: "nonsense", maxBytes }), { message: "invalid URL: nonsense" });
});

test("an aborted signal ends a request", async (t) => {
  const leaving = new AbortController();
  const server = await serveHttp(t, () => leaving.abort(new Error("gone")));
  await assert.rejects(open({ signal: leaving.signal })({ url: server.url, maxBytes }), { message: "gone" });
  await assert.rejects(open()({ url: server.url, maxBytes, signal: leaving.signal }), { message: "gone" });
});

test("the signal of a request ends it", async (t) => {
  const leaving = new AbortController();
  const server = await serveHttp(t, () => leaving.abort(new Error("gone")));
  await assert.rejects(open()({ url: server.url, maxBytes, signal: leaving.signal }), { message: "gone" });
});

/** An HTTP client whose URLs redirect, or answer with the credentials they received. */
function webOf(redirects: Readonly<Record<string, string>>): { readonly web: HttpClient; readonly asked: HttpClientRequest[] } {
  const asked: HttpClientRequest[] = [];
  const http: HttpClient = async (request) => {
    asked.push(request);
    const location = redirects[request.url];
    const shown = request.headers?.["authorization"] ?? "nobody";
    return location === undefined
      ? { status: 200, statusText: "200 OK", headers: {}, body: Buffer.from(shown) }
      : { status: 302, statusText: "302 Found", headers: { location }, body: new Uint8Array() };
  };
  return { web: http, asked };
}

// The redirects, and whether credentials arrive at the end.
const followed: readonly (readonly [Readonly<Record<string, string>>, "me" | "nobody"])[] = [
  [{ "https://a.example/x": "/y" }, "me"],
  [{ "https://a.example/x": "https://a.example:443/y" }, "me"],
  [{ "https://a.example/x": "https://b.example/y" }, "nobody"],
  [{ "https://a.example/x": "https://a.example:8443/y" }, "nobody"],
  [{ "https://a.example/x": "https://b.example/y", "https://b.example/y": "https://a.example/z" }, "nobody"],
  [{ "http://a.example/x": "https://a.example/y" }, "me"],
  [{ "http://a.example:8080/x": "https://a.example/y" }, "nobody"],
];

for (const [redirects, expected] of followed) {
  test(`redirects ${JSON.stringify(redirects)}: ${expected}`, async () => {
    const { web: http } = webOf(redirects);
    const [url] = Object.keys(redirects);
    assert.equal(textOf(await withRedirects(http)({ url: url!, headers: { authorization: "me" }, maxBytes })), expected);
  });
}

test("a client certificate stays with the one whom it was meant for", async () => {
  const { web: http, asked } = webOf({ "https://a.example/x": "https://b.example/y" });
  await withRedirects(http)({ url: "https://a.example/x", tls: { ...tls, certificate: "c", key: "k" }, maxBytes });
  assert.deepEqual(
    asked.map(({ tls: shown }) => shown?.key),
    ["k", undefined],
  );
  assert.equal(asked[1]?.tls?.authority, authority.certificate);
});

function through(redirects: Readonly<Record<string, string>>, insecure = false): Promise<HttpClientResponse> {
  return withRedirects(webOf(redirects).web)({ url: "https://a.example/x", tls: { insecure }, maxBytes });
}

function onlyToA(url: string): void {
  if (!url.startsWith("https://a.example/")) throw new Error(`not ${url}`);
}

test("each redirect is checked before it is followed", async () => {
  const { web: http, asked } = webOf({ "https://a.example/x": "/y", "https://a.example/y": "https://b.example/z" });
  await assert.rejects(withRedirects(http)({ url: "https://a.example/x", maxBytes, checkRedirect: onlyToA }), {
    message: "not https://b.example/z",
  });
  assert.deepEqual(
    asked.map(({ url }) => url),
    ["https://a.example/x", "https://a.example/y"],
  );
});

test("what is posted is not sent elsewhere", async () => {
  const { web: http, asked } = webOf({ "https://a.example/t": "https://b.example/t" });
  const request = { url: "https://a.example/t", method: "POST", body: "refresh_token=x", maxBytes } as const;
  await assert.rejects(withRedirects(http)(request), { message: /it is not sent there$/ });
  assert.equal(asked.length, 1);
});

test("a redirect that goes round, out of TLS or nowhere is refused", async () => {
  await assert.rejects(through({ "https://a.example/x": "/x" }), { message: "https://a.example/x: stopped after 10 redirects" });
  await assert.rejects(through({ "https://a.example/x": "http://a.example/x" }), { message: /not protected by TLS/ });
  await assert.rejects(through({ "https://a.example/x": "http://" }), { message: /which is no address/ });
  assert.equal((await through({ "https://a.example/x": "http://a.example/x" }, true)).status, 200);
});
