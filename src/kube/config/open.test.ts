import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { authority, reply, serveHttp2, serveHttps } from "../../../test/support/loopback.ts";
import { openCluster, thisMachine, type Machine, type OpenOptions } from "../index.ts";

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-kubeconfig-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const machineIn = (folder: string, env: Record<string, string> = {}): Machine => ({
  ...thisMachine(),
  env,
  home: folder,
  folder,
  hasTerminal: false,
});

/** A server that answers /version with the headers of the caller. */
function mirror(t: TestContext, refuse: (authorization: string) => boolean = () => false) {
  return serveHttp2(t, (stream, headers) => {
    const authorization = String(headers.authorization);
    if (refuse(authorization))
      return reply(stream, 401, { apiVersion: "v1", kind: "Status", code: 401, reason: "Unauthorized", message: "Unauthorized" });
    const acting = [headers["impersonate-user"], headers["impersonate-group"], headers["impersonate-extra-scopes"]]
      .filter(Boolean)
      .join(" ");
    return reply(stream, 200, { gitVersion: `${authorization}${acting === "" ? "" : ` as ${acting}`}` });
  });
}

const config = (server: string, user: string, more = "") => `
kind: Config
current-context: here
clusters: [{ name: loop, cluster: { server: "${server}", certificate-authority-data: ${Buffer.from(authority.certificate).toString("base64")}${more} } }]
users: [{ name: me, user: ${user} }]
contexts: [{ name: here, context: { cluster: loop, user: me, namespace: web } }]
`;

async function caller(t: TestContext, options: OpenOptions): Promise<{ who: () => Promise<string>; namespace: string }> {
  const opened = await openCluster({ attempts: 1, ...options });
  t.after(() => opened.close());
  return { who: async () => (await opened.cluster.version()).gitVersion, namespace: opened.cluster.namespace };
}

test("tokens, basic auth and impersonation", async (t) => {
  const server = await mirror(t);
  const folder = folderFor(t);
  writeFileSync(join(folder, "token"), "from-file\n");
  const cases: [string, string][] = [
    ["{ token: abc }", "Bearer abc"],
    ["{ tokenFile: token, token: abc }", "Bearer from-file"],
    ["{ username: u, password: p }", "Basic dTpw"],
    ['{ token: abc, as: jane, as-groups: [a, b], as-user-extra: { scopes: ["x"] } }', "Bearer abc as jane a, b x"],
  ];
  for (const [user, expected] of cases) {
    writeFileSync(join(folder, "config"), config(server.url, user));
    const { who, namespace } = await caller(t, { kubeconfig: "config", machine: machineIn(folder) });
    assert.equal(await who(), expected);
    assert.equal(namespace, "web");
  }
});

test("an exec plugin gets the cluster, runs once for all requests, and again after a 401", async (t) => {
  const folder = folderFor(t);
  writeFileSync(
    join(folder, "plugin.mjs"),
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync("${folder}/runs", "x");
     const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
     const token = [process.env.SAYS, process.argv[2], info.spec.cluster.config.audience, info.spec.interactive, readFileSync("${folder}/runs").length].join("-");
     console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: "ExecCredential", status: { token } }));`,
  );
  const server = await mirror(t, (authorization) => authorization.endsWith("-1"));
  const exec = `{ exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable, provideClusterInfo: true, command: "${process.execPath}", args: ["${folder}/plugin.mjs", arg], env: [{ name: SAYS, value: hello }] } }`;
  const extension = ", extensions: [{ name: client.authentication.k8s.io/exec, extension: { audience: us } }]";
  writeFileSync(join(folder, "config"), config(server.url, exec, extension));
  const { who } = await caller(t, { machine: machineIn(folder, { KUBECONFIG: `${folder}/nowhere:${folder}/config` }) });
  assert.deepEqual(await Promise.all([who(), who(), who()]), Array(3).fill("Bearer hello-arg-us-false-2"));
  assert.equal(await who(), "Bearer hello-arg-us-false-2");
});

const jwt = (exp: number, name: string) => `h.${Buffer.from(JSON.stringify({ exp, name })).toString("base64url")}.s`;

test("an OpenID Connect token is refreshed and written back", async (t) => {
  const fresh = jwt(9_999_999_999, "fresh");
  const issuer = await serveHttps(t, (request, response) => {
    if (request.url?.endsWith("openid-configuration"))
      return void response.end(JSON.stringify({ token_endpoint: `https://${request.headers.host}/token` }));
    let form = "";
    request.on("data", (chunk) => (form += chunk));
    request.on("end", () => {
      const asked = new URLSearchParams(form);
      const ok =
        asked.get("grant_type") === "refresh_token" &&
        asked.get("refresh_token") === "r1" &&
        request.headers.authorization === "Basic aWQ6c2VjcmV0";
      response.statusCode = ok ? 200 : 400;
      response.end(JSON.stringify(ok ? { id_token: fresh, refresh_token: "r2" } : { error: "invalid_grant" }));
    });
  });
  const server = await mirror(t);
  const folder = folderFor(t);
  const ca = Buffer.from(authority.certificate).toString("base64");
  const provider = `{ auth-provider: { name: oidc, config: { idp-issuer-url: "${issuer.url}", idp-certificate-authority-data: ${ca}, client-id: id, client-secret: secret, refresh-token: r1, id-token: ${jwt(1, "old")} } } }`;
  const file = join(folder, "config");
  writeFileSync(file, config(server.url, provider));
  const { who } = await caller(t, { kubeconfig: file, machine: machineIn(folder) });
  assert.deepEqual(await Promise.all([who(), who()]), [`Bearer ${fresh}`, `Bearer ${fresh}`]);
  const kept = readFileSync(file, "utf8");
  assert.ok(kept.includes(fresh) && kept.includes("r2") && kept.includes("current-context: here"));
});

test("of several files the first value wins, and paths are relative to their own file", async (t) => {
  const server = await mirror(t);
  const [one, two] = [folderFor(t), folderFor(t)];
  writeFileSync(join(one, "a"), "users: [{ name: me, user: { tokenFile: t } }]\ncurrent-context: here\n");
  writeFileSync(join(one, "t"), "first");
  writeFileSync(join(two, "b"), config(server.url, "{ token: second }").replace("current-context: here", "current-context: other"));
  const { who } = await caller(t, { machine: machineIn(one, { KUBECONFIG: `${one}/a:${two}/b` }) });
  assert.equal(await who(), "Bearer first");
});

test("an error in a kubeconfig is a sentence that names the file", async (t) => {
  const folder = folderFor(t);
  const file = join(folder, "config");
  const good = config("https://127.0.0.1:1", "{ token: abc }");
  const exec = (more: string) => config("https://127.0.0.1:1", `{ exec: { apiVersion: client.authentication.k8s.io/v1, ${more} } }`);
  const cases: [string, string | undefined, OpenOptions, RegExp][] = [
    ["a path to nothing", undefined, { kubeconfig: "nope" }, /^there is no kubeconfig \S+\/nope: check the path given with --kubeconfig$/],
    ["a path to nothing, of another flag", undefined, { kubeconfig: "nope", kubeconfigFlag: "--other" }, /given with --other$/],
    [
      "nothing at all, and another flag",
      undefined,
      { kubeconfigFlag: "--management-kubeconfig" },
      /name a file with --management-kubeconfig$/,
    ],
    ["nothing at all", undefined, {}, /^no cluster is configured: there is no \S+\/\.kube\/config, and KUBECONFIG is not set/],
    [
      "broken YAML",
      "clusters: [",
      { kubeconfig: file },
      /^the kubeconfig is broken: \S+\/config:\d+: .*; correct it, or choose another one/,
    ],
    ["no kubeconfig", "kind: Pod", { kubeconfig: file }, /config is no kubeconfig: it should say "kind: Config"/],
    [
      "an unknown context",
      good,
      { kubeconfig: file, context: "x" },
      /^there is no context "x" in \S+\/config: the contexts there are here$/,
    ],
    [
      "no current context",
      good.replace("current-context: here", ""),
      { kubeconfig: file },
      /^no context is current in \S+\/config: choose one with --context/,
    ],
    [
      "a cluster that is not there",
      good.replace("cluster: loop", "cluster: gone"),
      { kubeconfig: file },
      /names the cluster "gone", which is not there: the clusters there are loop/,
    ],
    [
      "a number for a token",
      good.replace("token: abc", "token: 123"),
      { kubeconfig: file },
      /users in \S+\/config: token should be text, but is 123: quote it/,
    ],
    [
      "a certificate that is not there",
      good.replace("token: abc", "client-certificate: c.pem, client-key: k.pem"),
      { kubeconfig: file },
      /^the client-certificate of user "me" in \S+ cannot be read: check the path \S+\/c\.pem/,
    ],
    [
      "a server that is no address",
      good.replace("https://127.0.0.1:1", "127.0.0.1:1"),
      { kubeconfig: file },
      /has the server "127\.0\.0\.1:1", which is no address: write https:\/\/HOST:PORT/,
    ],
    [
      "a plugin that is not installed",
      exec("interactiveMode: Never, command: no-such-plugin, installHint: get it at example.com"),
      { kubeconfig: file },
      /get credentials from no-such-plugin: there is no such program: get it at example\.com/,
    ],
    [
      "a plugin that fails",
      exec(`interactiveMode: Never, command: "${process.execPath}", args: ["-e", "process.exit(3)"]`),
      { kubeconfig: file },
      /it failed with exit code 3/,
    ],
    [
      "a plugin without interactiveMode",
      exec("command: x"),
      { kubeconfig: file },
      /set its interactiveMode to Never, IfAvailable or Always/,
    ],
    ["a plugin that has to ask", exec("command: x, interactiveMode: Always"), { kubeconfig: file }, /there is no terminal here/],
    [
      "a removed auth-provider",
      config("https://127.0.0.1:1", "{ auth-provider: { name: gcp } }"),
      { kubeconfig: file },
      /auth-provider "gcp", which is not supported: use an exec plugin/,
    ],
  ];
  for (const [what, text, options, message] of cases) {
    if (text !== undefined) writeFileSync(file, text);
    await assert.rejects(async () => (await caller(t, { machine: machineIn(folder), ...options })).who(), { message }, what);
  }
});

test("in a pod", async () => {
  const files: Record<string, string> = { token: "pod-token", "ca.crt": authority.certificate, namespace: "prod\n" };
  const read = async (path: string) => {
    const text = files[path.split("/").at(-1) ?? ""];
    if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: "ENOENT" });
    return text;
  };
  const machine = { ...machineIn("/nowhere", { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" }), read };
  const opened = await openCluster({ machine });
  assert.deepEqual([opened.server, opened.context, opened.cluster.namespace], ["https://[fd00::1]:443", "in-cluster", "prod"]);
  opened.close();
});
