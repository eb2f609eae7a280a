import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { authority, serveHttp, serveHttps } from "../../../test/support/loopback.ts";
import { loadChart } from "../../chart/index.ts";
import { RealClock, VirtualClock } from "../../core/clock/index.ts";
import type { RepositoryAccess } from "../repository-access.ts";
import { sha256 } from "../digest.ts";
import { fetchChart, openRepositoryEnvironment, packageChart } from "../index.ts";
import { mediaTypes } from "./oci-manifest.ts";
import { Registry } from "./registry.ts";

// test/cluster/oci.e2e.ts tests with a real registry. These are responses that a real one does not give.

const top = mkdtempSync(join(tmpdir(), "sluice-registry-"));
after(() => rmSync(top, { recursive: true, force: true }));
const caFile = join(top, "ca.pem");
writeFileSync(caFile, authority.certificate);

const chart = packageChart(loadChart([{ name: "Chart.yaml", data: Buffer.from("apiVersion: v2\nname: web\nversion: 1.0.0\n") }]));
const config = Buffer.from("{}");
const descriptor = (mediaType: string, bytes: Uint8Array) => ({ mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length });
const manifestOf = (layer: object, configType: string = mediaTypes.config) =>
  JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.manifest, config: descriptor(configType, config), layers: [layer] });
const manifest = manifestOf(descriptor(mediaTypes.chart, chart));

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string | Uint8Array };
type Paths = Readonly<Record<string, Answer | string | Uint8Array>>;

const blob = `/v2/web/blobs/sha256:${sha256(chart)}`;
const whole: Paths = { "/v2/web/manifests/1.0.0": manifest, [blob]: chart, "/v2/web/tags/list": JSON.stringify({ tags: ["1.0.0"] }) };

function answering(paths: Paths): RequestListener {
  return ({ url = "" }, response) => {
    const found = paths[url];
    if (found === undefined)
      return void response.writeHead(404, { "content-type": "application/json" }).end('{"errors":[{"code":"X","message":"unknown"}]}');
    const { status = 200, headers = {}, body } = typeof found === "string" || found instanceof Uint8Array ? { body: found } : found;
    response.writeHead(status, headers).end(body);
  };
}

function pull(url: string, reference: string, access: RepositoryAccess = {}, env: Record<string, string> = {}) {
  const home = mkdtempSync(join(top, "home-"));
  const signal = new AbortController().signal;
  const environment = openRepositoryEnvironment({
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...env },
    home,
    clock: new RealClock(),
    warn: () => undefined,
    signal,
    timeoutMs: 5000,
  });
  return fetchChart(
    `oci://${url.replace(/^https?:\/\//, "")}/${reference}`,
    { caFile, plainHttp: url.startsWith("http:"), ...access },
    environment,
  );
}

test("a chart comes by its tag, its digest and the best version", async (t) => {
  const digest = `sha256:${sha256(manifest)}`;
  const { url } = await serveHttps(t, answering({ ...whole, [`/v2/web/manifests/${digest}`]: manifest }));
  for (const [reference, version, name] of [
    ["web:1.0.0", "", "web-1.0.0.tgz"],
    ["web", "1.0.0", "web-1.0.0.tgz"],
    ["web", "^1", "web-1.0.0.tgz"],
    ["web", "", "web-1.0.0.tgz"],
    [`web@${digest}`, "", `web@${digest.replace(":", "-")}.tgz`],
    [`web:1.0.0@${digest}`, "1.0.0", `web@${digest.replace(":", "-")}.tgz`],
  ] as const) {
    const found = await pull(url, reference, { version } as RepositoryAccess);
    assert.equal(found.name, name);
    assert.deepEqual(Buffer.from(found.bytes), Buffer.from(chart));
  }
});

test("tags come page by page", async (t) => {
  const { url } = await serveHttp(
    t,
    answering({
      ...whole,
      "/v2/web/tags/list": { headers: { link: '</v2/web/tags/list?last=0.9.0&n=1>; rel="next"' }, body: '{"tags":["0.9.0"]}' },
      "/v2/web/tags/list?last=0.9.0&n=1": '{"tags":["1.0.0","latest"]}',
    }),
  );
  assert.equal((await pull(url, "web")).name, "web-1.0.0.tgz");
});

for (const [what, minutes, message] of [
  ["many", 0, /^list the tags of r\.example\/web: there is no end of pages, after 1000 of them and 0 s: say which version$/],
  ["slow", 1, /no end of pages, after 6 of them and 360 s/],
] as const) {
  test(`${what} pages of tags come to an end`, async () => {
    const clock = new VirtualClock();
    let page = 0;
    const http = async () => {
      await clock.advance(minutes * 60_000);
      const headers = { link: `</v2/web/tags/list?last=${++page}>; rel="next"` };
      return { status: 200, statusText: "OK", headers, body: Buffer.from('{"tags":["1.0.0"]}') };
    };
    const registry = new Registry(http, { registry: "r.example", isPlain: false, clock, warn: () => undefined });
    await assert.rejects(registry.tags({ registry: "r.example", repository: "web", tag: "", digest: "" }), { message });
  });
}

test("an index leads to the chart among its manifests", async (t) => {
  const index = JSON.stringify({
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [descriptor(mediaTypes.manifest, Buffer.from(manifest))],
  });
  const { url } = await serveHttp(
    t,
    answering({ ...whole, "/v2/web/manifests/1.0.0": index, [`/v2/web/manifests/sha256:${sha256(manifest)}`]: manifest }),
  );
  assert.deepEqual(Buffer.from((await pull(url, "web:1.0.0")).bytes), Buffer.from(chart));
});

const zeros = `sha256:${"0".repeat(64)}`;
const page = "<!DOCTYPE html><html></html>";

const bad: Readonly<Record<string, readonly [Paths, string, RegExp]>> = {
  "a tag that is not there": [{}, "web:1.0.0", /\/web:1\.0\.0: not found$/],
  "a repository that is not there": [{}, "web", /^list the tags of .*: 404 Not Found: unknown$/],
  "no tag that is a version": [
    { "/v2/web/tags/list": '{"tags":["latest"]}' },
    "web",
    /^unable to locate any tags in provided repository: oci:/,
  ],
  "tags that are a web page": [{ "/v2/web/tags/list": page }, "web", /the answer is no JSON/],
  "a manifest that is a web page": [{ "/v2/web/manifests/1.0.0": page }, "web:1.0.0", /no manifest: check the address/],
  "a manifest of something else": [
    { "/v2/web/manifests/1.0.0": manifestOf(descriptor("application/x", chart), "application/y") },
    "web:1.0.0",
    /^manifest does not contain minimum number of descriptors \(2\), descriptors found: 0 \(the artifact holds application\/y, application\/x/,
  ],
  "a manifest that is another one": [
    { "/v2/web/manifests/1.0.0": { headers: { "docker-content-digest": zeros }, body: manifest } },
    "web:1.0.0",
    /not what was promised: expected sha256:0000/,
  ],
  "a digest that is another one": [{ [`/v2/web/manifests/${zeros}`]: manifest }, `web@${zeros}`, /not what was promised/],
  "a chart that is another one": [{ ...whole, [blob]: Buffer.alloc(chart.length) }, "web:1.0.0", /not what was promised/],
  "a chart that is too short": [{ ...whole, [blob]: chart.subarray(1) }, "web:1.0.0", /bytes instead of the promised/],
  "a chart that is too long": [{ ...whole, [blob]: Buffer.alloc(70_000) }, "web:1.0.0", /is longer than 64 KiB/],
  "a chart that is said to be enormous": [
    { "/v2/web/manifests/1.0.0": manifestOf({ ...descriptor(mediaTypes.chart, chart), size: 2 ** 40 }) },
    "web:1.0.0",
    /larger than the maximum size/,
  ],
  "a chart that is not there": [{ "/v2/web/manifests/1.0.0": manifest }, "web:1.0.0", /blob sha256:.*: 404 Not Found: unknown$/],
  "no chart in the layer": [
    {
      "/v2/web/manifests/1.0.0": manifestOf(descriptor(mediaTypes.chart, Buffer.from(page))),
      [`/v2/web/blobs/sha256:${sha256(page)}`]: page,
    },
    "web:1.0.0",
    /does not appear to be a gzipped archive; got a web page/,
  ],
  "an internal error": [{ "/v2/web/manifests/1.0.0": { status: 500, body: "oops" } }, "web:1.0.0", /^read .*: 500 Internal Server Error$/],
};

for (const [what, [paths, reference, message]] of Object.entries(bad)) {
  test(`a registry with ${what}`, async (t) => {
    const { url } = await serveHttp(t, answering(paths));
    await assert.rejects(pull(url, reference), { name: "Fault", message });
  });
}

test("a version and a tag that disagree are refused", async (t) => {
  const { url } = await serveHttp(t, answering(whole));
  await assert.rejects(pull(url, "web:1.0.0", { version: "2.0.0" } as RepositoryAccess), {
    message: "chart reference and version mismatch: 2.0.0 is not 1.0.0",
  });
  await assert.rejects(pull(url, `web:1.0.0@${zeros}`), {
    message: `chart reference digest mismatch: sha256:${sha256(manifest)} is not ${zeros}`,
  });
});

/** A registry that accepts the authorization in `pass`, and challenges other requests. */
function guarded(pass: string, challenge: string): RequestListener {
  const open = answering(whole);
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.authorization === pass) open(request, response);
    else response.writeHead(401, { "www-authenticate": challenge }).end();
  };
}

const basic = (user: string) => `Basic ${Buffer.from(user).toString("base64")}`;
const guardedBasic = (t: TestContext) => serveHttps(t, guarded(basic("me:pw"), 'Basic realm="r"'));

function configured(file: "registry" | "docker", value: unknown): Record<string, string> {
  const folder = mkdtempSync(join(top, "config-"));
  mkdirSync(join(folder, "registry"));
  writeFileSync(join(folder, file === "registry" ? "registry/config.json" : "config.json"), JSON.stringify(value));
  return file === "registry" ? { HELM_CONFIG_HOME: folder } : { DOCKER_CONFIG: folder };
}

test("credentials come from flags, from Helm's file, from docker's file and from a helper", async (t) => {
  const { url } = await guardedBasic(t);
  const host = url.replace("https://", "");
  const auths = { auths: { [host]: { auth: Buffer.from("me:pw").toString("base64") } } };
  await pull(url, "web:1.0.0", { username: "me", password: "pw" });
  await pull(url, "web:1.0.0", {}, configured("registry", auths));
  await pull(url, "web:1.0.0", {}, configured("docker", auths));
  await pull(
    url,
    "web:1.0.0",
    {},
    {
      ...configured("docker", { credHelpers: { [host]: "sluicetest" } }),
      ...helper(`read server; test "$server" = "${host}" && echo '{"Username":"me","Secret":"pw"}'`),
    },
  );
  await assert.rejects(pull(url, "web:1.0.0"), { message: /asks who you are, and there are no credentials for it/ });
  await assert.rejects(pull(url, "web:1.0.0", { username: "me", password: "no" }), {
    message: /: 401 Unauthorized: check your credentials/,
  });
});

/** A credential helper in the path, as a script. */
function helper(script: string): Record<string, string> {
  const folder = mkdtempSync(join(top, "bin-"));
  const file = join(folder, "docker-credential-sluicetest");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: `${folder}:${process.env["PATH"]}` };
}

test("a helper that has nothing, fails, talks nonsense or is not there", async (t) => {
  const { url } = await guardedBasic(t);
  const pullWith = (credsStore: string, env: Record<string, string>) =>
    pull(url, "web:1.0.0", {}, { ...configured("docker", { credsStore }), ...env });
  await assert.rejects(pullWith("sluicetest", helper("echo credentials not found in native keychain; exit 1")), {
    message: /there are no credentials for it/,
  });
  await assert.rejects(pullWith("sluicetest", helper("echo locked; exit 3")), {
    message: "get credentials from docker-credential-sluicetest: it failed with exit code 3: locked",
  });
  await assert.rejects(pullWith("sluicetest", helper("echo hello")), { message: /what it printed is no JSON/ });
  await assert.rejects(pullWith("sluice-none", {}), { message: /there is no such program/ });
  await assert.rejects(pullWith("../evil", {}), { message: /that is no name of a program/ });
});

test("a refresh token is posted for another, and a registry token is shown as it is", async (t) => {
  const posted: string[] = [];
  const tokens = await serveHttps(t, (request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      posted.push(`${request.method} ${body}`);
      response.end('{"access_token":"good"}');
    });
  });
  const { url } = await serveHttps(t, guarded("Bearer good", `Bearer realm="${tokens.url}/t",service="s",scope="repository:web:pull"`));
  const host = url.replace("https://", "");
  await pull(url, "web:1.0.0", {}, configured("docker", { auths: { [host]: { identitytoken: "again" } } }));
  assert.deepEqual(posted, ["POST grant_type=refresh_token&client_id=sluice&refresh_token=again&service=s&scope=repository%3Aweb%3Apull"]);
  await pull(url, "web:1.0.0", {}, configured("docker", { auths: { [host]: { registrytoken: "good" } } }));
  assert.equal(posted.length, 1);
});

test("credentials do not leave TLS on request of a registry", async (t) => {
  const seen: (string | undefined)[] = [];
  const tokens = await serveHttp(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.end('{"token":"good"}');
  });
  const { url } = await serveHttps(t, guarded("Bearer good", `Bearer realm="${tokens.url}/t",service="s"`));
  await assert.rejects(pull(url, "web:1.0.0", { username: "me", password: "pw" }), {
    message: /asks for credentials to be sent to .* not protected by TLS: they are not/,
  });
  assert.deepEqual(seen, []);
  await pull(url, "web:1.0.0");
  assert.deepEqual(seen, [undefined]);
});

test("a token server that answers with garbage is named", async (t) => {
  const tokens = await serveHttps(t, (_, response) => response.end(page));
  const { url } = await serveHttps(t, guarded("Bearer good", `Bearer realm="${tokens.url}/t"`));
  await assert.rejects(pull(url, "web:1.0.0"), { message: /^get a token from .*\/t: there is none in the answer$/ });
});

test("a blob that lies elsewhere is fetched without credentials", async (t) => {
  const seen: (string | undefined)[] = [];
  const store = await serveHttps(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.end(chart);
  });
  const { url } = await serveHttps(t, (request, response) => {
    if (request.headers.authorization === undefined) response.writeHead(401, { "www-authenticate": "Basic" }).end();
    else if (request.url === blob) response.writeHead(307, { location: `${store.url}/blob` }).end();
    else answering(whole)(request, response);
  });
  await pull(url, "web:1.0.0", { username: "me", password: "pw" });
  assert.deepEqual(seen, [undefined]);
});

for (const challenge of ["Basic", 'Bearer realm="EVIL/token",service="s"']) {
  test(`a host that a registry redirects to gets no credentials, though it asks with ${challenge.split(" ", 1)[0]}`, async (t) => {
    const seen: (string | undefined)[] = [];
    const store = await serveHttps(t, (request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`);
      response.writeHead(401, { "www-authenticate": challenge.replace("EVIL", store.url) }).end('{"token":"x"}');
    });
    const { url } = await serveHttps(t, (request, response) => {
      if (request.url === blob) response.writeHead(307, { location: `${store.url}/blob` }).end();
      else answering(whole)(request, response);
    });
    await assert.rejects(pull(url, "web:1.0.0", { username: "me", password: "pw" }), { message: /blob sha256:.*: 401 Unauthorized/ });
    assert.deepEqual(seen, ["/blob undefined"]);
  });
}

test("a digest is checked before it is part of an address", async (t) => {
  const asked: string[] = [];
  const digest = "sha256:../../../admin?delete=all#";
  for (const listed of [
    manifestOf({ ...descriptor(mediaTypes.chart, chart), digest }),
    JSON.stringify({ mediaType: mediaTypes.index, manifests: [{ mediaType: mediaTypes.manifest, digest, size: 1 }] }),
  ]) {
    const { url } = await serveHttp(t, (request, response) => {
      asked.push(request.url ?? "");
      answering({ "/v2/web/manifests/1.0.0": listed })(request, response);
    });
    await assert.rejects(pull(url, "web:1.0.0"), { message: /"sha256:\.\..*" is no digest that can be checked$/ });
  }
  assert.deepEqual(asked, ["/v2/web/manifests/1.0.0", "/v2/web/manifests/1.0.0"]);
});
