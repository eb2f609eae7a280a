import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { issueCertificate } from "../lang/x509/index.ts";
import { testFolder } from "../../test/support/command-line.ts";
import { authority, listen, type Loopback } from "../../test/support/loopback.ts";

const folder = testFolder("proxy");
const caFile = folder.file("ca.pem", authority.certificate);
const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: remote}\n";

const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };
const certificate = issueCertificate(authority, { commonName: "remote", hosts: ["remote.example"], usages: ["server"] }, validity);

/** A proxy that answers plain requests itself, and connects every tunnel to `port`. `asked` lists the targets. */
async function serveProxy(t: TestContext, answer: RequestListener, port = 0): Promise<Loopback & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const proxy = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  proxy.on("connect", (request, near: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    const far = connect(port, "127.0.0.1", () => {
      near.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      far.pipe(near).pipe(far);
    });
    for (const socket of [near, far]) socket.on("error", () => near.destroy());
    near.on("close", () => far.destroy());
  });
  return { ...(await listen(t, proxy, "http")), asked };
}

/** Runs the program in a process of its own, since proxies and authorities are those of its environment. */
function sluice(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(process.execPath, ["src/cli/main.ts", ...args], { env: { PATH, HOME, ...env } });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out: Buffer.concat(out).toString("utf8"), err: Buffer.concat(err).toString("utf8") }));
  });
}

test("manifests are fetched through the HTTP proxy of the environment", async (t) => {
  const proxy = await serveProxy(t, (_, response) => response.end(configMap));
  const { code, err } = await sluice(["lint", "http://remote.example/app.yaml"], { HTTP_PROXY: proxy.url });
  assert.equal(code, 0, err);
  assert.deepEqual(proxy.asked, ["GET http://remote.example/app.yaml"]);
});

test("values are fetched through an HTTPS proxy, from a server with the system's authority", async (t) => {
  const server = await listen(
    t,
    createHttpsServer({ cert: certificate.certificate, key: certificate.key }, (request, response) =>
      response.end(request.url === "/values.yaml" ? "color: green\n" : ""),
    ),
    "https",
  );
  const proxy = await serveProxy(t, (_, response) => response.end(), server.port);
  folder.file("chart/Chart.yaml", "apiVersion: v2\nname: chart\nversion: 1.0.0\n");
  folder.file("chart/templates/a.yaml", `${configMap}data: {color: "{{ .Values.color }}"}\n`);
  const args = ["render", `${folder.path}/chart`, "-f", "https://remote.example/values.yaml"];
  const { code, out, err } = await sluice(args, { HTTPS_PROXY: proxy.url, SSL_CERT_FILE: caFile });
  assert.equal(code, 0, err);
  assert.match(out, /color: "?green/);
  assert.deepEqual(proxy.asked, ["CONNECT remote.example:443"]);
  const untrusting = await sluice(args, { HTTPS_PROXY: proxy.url });
  assert.equal(untrusting.code, 1);
  assert.match(
    untrusting.err,
    /the certificate of https:\/\/remote\.example\/values\.yaml is signed by nobody who is trusted .*SSL_CERT_FILE/,
  );
});

test("what is refused is named by its URL, without a password in it", async (t) => {
  const proxy = await serveProxy(t, (_, response) => response.writeHead(404).end());
  const { code, err } = await sluice(["lint", "http://me:secret@remote.example/app.yaml"], { HTTP_PROXY: proxy.url });
  assert.equal(code, 1);
  assert.match(err, /read http:\/\/me:xxxxx@remote\.example\/app\.yaml: the server answered 404 Not Found: check the address/);
  assert.doesNotMatch(err, /secret/);
});
