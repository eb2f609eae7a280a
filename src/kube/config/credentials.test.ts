import assert from "node:assert/strict";
import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { Http2Session } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { TLSSocket } from "node:tls";
import { authority, reply, serveHttp2, serveHttps } from "../../../test/support/loopback.ts";
import { RealClock, type Clock } from "../../core/clock/index.ts";
import { issueCertificate } from "../../lang/x509/index.ts";
import { openCluster, thisMachine, type Machine, type OpenOptions } from "../index.ts";

const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };
const encoded = (text: string) => Buffer.from(text).toString("base64");

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-credentials-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The machine's time, which can be advanced. */
class ShiftedClock extends RealClock implements Clock {
  ahead = 0;

  override now(): number {
    return super.now() + this.ahead;
  }
}

/** A server that answers /version with the identity of the caller: the certificate's name, then the authorization. */
async function mirror(t: TestContext, refuse: (authorization: string) => boolean = () => false) {
  const sessions = new Set<Http2Session>();
  const server = await serveHttp2(
    t,
    (stream, headers) => {
      const subject = (stream.session!.socket as TLSSocket).getPeerCertificate().subject;
      const authorization = String(headers.authorization ?? "");
      const who = `${subject?.CN ?? "nobody"} ${authorization}`.trim();
      sessions.add(stream.session!);
      if (refuse(authorization)) return reply(stream, 401, { apiVersion: "v1", kind: "Status", code: 401, reason: "Unauthorized" });
      return reply(stream, 200, { gitVersion: who });
    },
    { requestCert: true },
  );
  const drop = () => {
    for (const session of sessions) session.destroy();
  };
  return { ...server, /** Ends every connection. */ drop };
}

function config(server: string, user: object, name = "me"): string {
  return JSON.stringify({
    kind: "Config",
    "current-context": "here",
    clusters: [{ name: "loop", cluster: { server, "certificate-authority-data": encoded(authority.certificate) } }],
    users: [{ name, user }],
    contexts: [{ name: "here", context: { cluster: "loop", user: name } }],
  });
}

async function caller(t: TestContext, options: OpenOptions): Promise<() => Promise<string>> {
  const opened = await openCluster({ attempts: 1, ...options });
  t.after(() => opened.close());
  return async () => (await opened.cluster.version()).gitVersion;
}

/** A machine with scripted programs: `run` returns the scripted result and records its input. */
function machineWith(folder: string, issue: (run: number, interactive: boolean) => object, hasTerminal = false) {
  const runs: { interactive: boolean; info: { spec: { interactive: boolean; cluster?: object } } }[] = [];
  const machine: Machine = {
    ...thisMachine(),
    env: {},
    home: folder,
    folder,
    hasTerminal,
    async run({ env, interactive }) {
      const info = JSON.parse(env["KUBERNETES_EXEC_INFO"] ?? "{}");
      runs.push({ interactive, info });
      const answer = { apiVersion: info.apiVersion, kind: "ExecCredential", status: issue(runs.length, interactive) };
      return { code: 0, stdout: JSON.stringify(answer), stderr: "" };
    },
  };
  return { machine, runs };
}

const exec = (interactiveMode?: string, version = "v1") => ({
  exec: { apiVersion: `client.authentication.k8s.io/${version}`, command: "plugin", ...(interactiveMode && { interactiveMode }) },
});

test("certificates that a plugin issues are shown until they expire, then newer ones on new connections", async (t) => {
  const server = await mirror(t);
  const folder = folderFor(t);
  const clock = new ShiftedClock();
  writeFileSync(join(folder, "config"), config(server.url, exec("Never")));
  const { machine, runs } = machineWith(folder, (run) => {
    const { certificate, key } = issueCertificate(authority, { commonName: `jane-${run}`, usages: ["client"] }, validity);
    const expirationTimestamp = new Date(clock.now() + 600_000).toISOString();
    return { clientCertificateData: certificate, clientKeyData: key, expirationTimestamp };
  });
  const who = await caller(t, { kubeconfig: "config", machine, clock });
  assert.deepEqual(await Promise.all([who(), who()]), ["jane-1", "jane-1"]);
  clock.ahead = 599_000;
  assert.equal(await who(), "jane-1");
  assert.deepEqual([runs.length, server.connections()], [1, 1]);
  clock.ahead = 601_000;
  assert.equal(await who(), "jane-2");
  assert.deepEqual([runs.length, server.connections()], [2, 2]);
});

test("a token that a plugin issues is kept until it expires; one that is refused is renewed once for all", async (t) => {
  let revoked = "none";
  const server = await mirror(t, (authorization) => authorization === `Bearer ${revoked}`);
  const folder = folderFor(t);
  const clock = new ShiftedClock();
  writeFileSync(join(folder, "config"), config(server.url, exec("Never")));
  const { machine, runs } = machineWith(folder, (run) => ({
    token: `t${run}`,
    expirationTimestamp: new Date(clock.now() + 60_000).toISOString(),
  }));
  const who = await caller(t, { kubeconfig: "config", machine, clock });
  assert.deepEqual([await who(), await who()], ["nobody Bearer t1", "nobody Bearer t1"]);
  clock.ahead = 61_000;
  assert.equal(await who(), "nobody Bearer t2");
  revoked = "t2";
  assert.deepEqual(await Promise.all(Array.from({ length: 5 }, who)), Array(5).fill("nobody Bearer t3"));
  assert.equal(runs.length, 3);
});

// mode, version, terminal: whether the plugin is interactive, or the error
const modes: [string | undefined, string, boolean, boolean | RegExp][] = [
  ["Never", "v1", true, false],
  ["IfAvailable", "v1", true, true],
  ["IfAvailable", "v1", false, false],
  ["Always", "v1", true, true],
  ["Always", "v1", false, /it has to ask you \(interactiveMode Always\), but there is no terminal here/],
  [undefined, "v1beta1", true, true],
  [undefined, "v1", true, /set its interactiveMode to Never, IfAvailable or Always/],
  ["Sometimes", "v1", true, /set its interactiveMode .* \(it is "Sometimes"\)/],
  ["Never", "v1alpha1", true, /its apiVersion "client\.authentication\.k8s\.io\/v1alpha1" is not known/],
];

for (const [mode, version, hasTerminal, expected] of modes) {
  test(`interactiveMode ${mode} of ${version} ${hasTerminal ? "with" : "without"} a terminal`, async (t) => {
    const server = await mirror(t);
    const folder = folderFor(t);
    writeFileSync(join(folder, "config"), config(server.url, exec(mode, version)));
    const { machine, runs } = machineWith(folder, () => ({ token: "t" }), hasTerminal);
    const who = await caller(t, { kubeconfig: "config", machine });
    if (expected instanceof RegExp) return assert.rejects(who(), expected);
    await who();
    assert.deepEqual([runs[0]?.interactive, runs[0]?.info.spec.interactive, runs[0]?.info.spec.cluster], [expected, expected, undefined]);
  });
}

test("a token file is read again after a minute, and at once when its token is refused", async (t) => {
  let revoked = "none";
  const server = await mirror(t, (authorization) => authorization === `Bearer ${revoked}`);
  const folder = folderFor(t);
  const clock = new ShiftedClock();
  const machine = { ...thisMachine(), env: {}, home: folder, folder };
  const keep = (token: string) => writeFileSync(join(folder, "token"), `${token}\n`);
  writeFileSync(join(folder, "config"), config(server.url, { tokenFile: "token" }));
  keep("t1");
  const who = await caller(t, { kubeconfig: "config", machine, clock });
  assert.equal(await who(), "nobody Bearer t1");
  keep("t2");
  clock.ahead = 59_000;
  assert.equal(await who(), "nobody Bearer t1");
  clock.ahead = 61_000;
  assert.equal(await who(), "nobody Bearer t2");
  rmSync(join(folder, "token"));
  clock.ahead = 130_000;
  assert.equal(await who(), "nobody Bearer t2", "while the file is being replaced, the old token may still do");
  keep("t3");
  revoked = "t2";
  assert.equal(await who(), "nobody Bearer t3");
  revoked = "t3";
  await assert.rejects(who(), { code: 401 }, "there is nothing newer");
});

test("a client certificate in files is read again for every connection, and one that has expired is named", async (t) => {
  let refuse = false;
  const server = await mirror(t, () => refuse);
  const folder = folderFor(t);
  const keep = (commonName: string, until = validity.notAfter) => {
    const { certificate, key } = issueCertificate(authority, { commonName, usages: ["client"] }, { ...validity, notAfter: until });
    writeFileSync(join(folder, "me.crt"), certificate);
    writeFileSync(join(folder, "me.key"), key);
  };
  writeFileSync(join(folder, "config"), config(server.url, { "client-certificate": "me.crt", "client-key": "me.key" }));
  const machine = { ...thisMachine(), env: {}, home: folder, folder };
  keep("jane");
  const who = await caller(t, { kubeconfig: "config", machine });
  assert.equal(await who(), "jane");
  keep("joe");
  assert.equal(await who(), "jane", "a connection stays what it is");
  server.drop();
  while ((await who().catch(() => "broken")) !== "joe") assert.ok(server.connections() < 5);
  keep("old", new Date("2025-06-07T08:09:00Z"));
  refuse = true;
  const late = await caller(t, { kubeconfig: "config", machine });
  await assert.rejects(
    late(),
    /the server does not know us: the client-certificate of user "me" in \S+ expired on 2025-06-07 08:09 UTC: get/,
  );
});

const jwt = (exp: number, name: string) => `h.${Buffer.from(JSON.stringify({ exp, name })).toString("base64url")}.s`;

/** An OpenID provider that issues a new token and refresh token for each refresh token. */
async function provider(t: TestContext, lifetime: () => number, inForm = false) {
  const forms: string[] = [];
  let issued = 0;
  const server = await serveHttps(t, (request, response) => {
    if (request.url === "/.well-known/openid-configuration")
      return void response.end(JSON.stringify({ token_endpoint: `https://${request.headers.host}/token?x=1` }));
    let form = "";
    request.on("data", (chunk) => (form += chunk));
    request.on("end", () => {
      const asked = new URLSearchParams(form);
      const known = inForm ? asked.get("client_secret") === "s&" : request.headers.authorization === `Basic ${encoded("id:s%26")}`;
      const ok = known && asked.get("refresh_token") === `r${issued}` && request.url === "/token?x=1";
      response.statusCode = ok ? 200 : 401;
      if (!ok) return response.end(JSON.stringify({ error: "invalid_client", error_description: "who are you" }));
      forms.push(form);
      issued++;
      return response.end(JSON.stringify({ id_token: jwt(lifetime(), `n${issued}`), refresh_token: `r${issued}` }));
    });
  });
  return { ...server, forms };
}

for (const inForm of [false, true]) {
  test(`OpenID Connect: tokens are refreshed as they expire and kept, with the secret in the ${inForm ? "form" : "header"}`, async (t) => {
    const server = await mirror(t);
    const folder = folderFor(t);
    const clock = new ShiftedClock();
    const issuer = await provider(t, () => Math.floor(clock.now() / 1000) + 3600, inForm);
    const settings = {
      "idp-issuer-url": `${issuer.url}/`,
      "idp-certificate-authority-data": encoded(authority.certificate),
      "client-id": "id",
      "client-secret": "s&",
      "refresh-token": "r0",
    };
    // kubectl's own files are often links, and contain fields that Sluice does not read.
    const file = join(folder, "real-config");
    const text = config(server.url, { "auth-provider": { name: "oidc", config: settings } });
    writeFileSync(file, JSON.stringify({ ...JSON.parse(text), preferences: { colors: true } }));
    symlinkSync(file, join(folder, "config"));
    const machine = { ...thisMachine(), env: {}, home: folder, folder };
    const who = await caller(t, { kubeconfig: "config", machine, clock });
    const first = await who();
    assert.equal(await who(), first);
    assert.equal(issuer.forms.length, 1);
    clock.ahead = 3_595_000;
    const second = await who();
    assert.notEqual(second, first);
    const kept = readFileSync(file, "utf8");
    assert.ok(kept.includes(second.replace("nobody Bearer ", "")) && kept.includes("r2") && kept.includes("colors: true"), kept);
    assert.deepEqual([lstatSync(join(folder, "config")).isSymbolicLink(), statSync(file).mode & 0o777], [true, 0o600]);
    const again = await caller(t, { kubeconfig: "config", machine, clock });
    assert.equal(await again(), second, "whoever comes next needs no refresh");
    assert.equal(issuer.forms.length, 2);
  });
}

test("OpenID Connect: a failed refresh or write is reported", async (t) => {
  const server = await mirror(t);
  const folder = folderFor(t);
  const machine = { ...thisMachine(), env: {}, home: folder, folder };
  const issuer = await provider(t, () => 9_999_999_999);
  const open = (settings: object) => {
    const base = { "idp-issuer-url": issuer.url, "idp-certificate-authority-data": encoded(authority.certificate), "client-id": "id" };
    writeFileSync(join(folder, "config"), config(server.url, { "auth-provider": { name: "oidc", config: { ...base, ...settings } } }));
    return caller(t, { kubeconfig: "config", machine });
  };
  await assert.rejects((await open({}))(), /the id-token has expired and there is no refresh-token: log in again/);
  await assert.rejects(
    (await open({ "refresh-token": "r0" }))(),
    /refresh the OpenID Connect token at https:\/\/\S+: https:\/\/\S+ answered 401 \(who are you\): log in again/,
  );
  const readOnly = { ...machine, write: () => Promise.reject(new Error("it is read-only")) };
  await open({ "client-secret": "s&", "refresh-token": "r0" });
  const unkept = await caller(t, { kubeconfig: "config", machine: readOnly });
  await assert.rejects(unkept(), /keep the new tokens of user "me" in \S+config: it is read-only/);
  assert.match(await unkept(), /^nobody Bearer h\./, "the new token is good all the same");
});

test("files of KUBECONFIG: a missing one is skipped, the first value wins, an unreadable one is named", async (t) => {
  const server = await mirror(t);
  const folder = folderFor(t);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const whole = JSON.parse(config(server.url, { token: "late" }));
  const one = file("one", JSON.stringify({ contexts: [{ name: "here", context: { cluster: "loop", user: "me", namespace: "first" } }] }));
  const two = file("two", JSON.stringify({ users: [{ name: "me", user: { token: "early" } }], "current-context": "here" }));
  const three = file("three", JSON.stringify({ ...whole, "current-context": "elsewhere" }));
  const machine = (files: string[]) => ({ ...thisMachine(), env: { KUBECONFIG: files.join(":") }, home: folder, folder });
  const opened = await openCluster({ machine: machine([one, join(folder, "missing"), "", two, three, one]), attempts: 1 });
  t.after(() => opened.close());
  assert.deepEqual([opened.cluster.namespace, opened.context], ["first", "here"]);
  assert.equal((await opened.cluster.version()).gitVersion, "nobody Bearer early");
  await assert.rejects(
    openCluster({ machine: machine([join(folder, "missing")]) }),
    /^Fault: KUBECONFIG names \S+missing, but no such file/,
  );
  const broken = file("broken", "users: [");
  await assert.rejects(openCluster({ machine: machine([one, broken]) }), /the kubeconfig is broken: \S+broken:\d+/);
  if (process.getuid?.() !== 0) {
    chmodSync(two, 0o000);
    await assert.rejects(openCluster({ machine: machine([one, two]) }), /the kubeconfig \S+two cannot be read/);
  }
});
