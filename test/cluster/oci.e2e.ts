import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { debianProgram } from "./debian-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runHelmProcess, runProgram, projectRoot } from "./run-program.ts";
import {
  makeTlsTrust,
  passwordAuth,
  startRegistry,
  startTokenServer,
  registryUser,
  type RunningServer,
  type TokenServer,
} from "./registry.ts";
import { buildHelm } from "./toolchain.ts";

// Sluice and the real Helm use the same registries, the same repository and the same home.

const folder = makeTemporaryFolder();
const trust = makeTlsTrust(folder);
const helmProgram = await buildHelm(() => {});
const registryProgram = await debianProgram("docker-registry", "usr/bin/docker-registry", () => {});
const homes = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, HOME: folder };
const byPassword = ["--username", registryUser.name, "--password", registryUser.password];
const trusted = ["--ca-file", trust.caFile];

let basic: RunningServer;
let guarded: RunningServer;
let tokens: TokenServer;
let repository: RunningServer;

before(async () => {
  tokens = await startTokenServer(folder, trust);
  basic = await startRegistry(registryProgram, "basic", passwordAuth(folder), folder, trust);
  guarded = await startRegistry(registryProgram, "guarded", tokens.auth, folder, trust);
  for (const { host } of [basic, guarded]) await helm("registry", "login", host, ...byPassword, ...trusted);
  for (const version of ["1.0.0", "1.2.0", "1.3.0+build.5", "2.0.0-rc.1"]) {
    const archive = await packaged("web", version);
    for (const place of [`${basic.host}/charts`, `${guarded.host}/private`, `${guarded.host}/public`])
      await helm("push", archive, `oci://${place}`, ...trusted);
  }
  repository = await serveRepository();
});

after(async () => {
  for (const running of [basic, guarded, tokens, repository]) await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function helm(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await runHelmProcess(helmProgram, folder, args);
  assert.equal(code, 0, `helm ${args.join(" ")}: ${err}`);
  return out;
}

const attempt = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(process.execPath, [join(projectRoot, "src", "cli", "main.ts"), ...args], { cwd: folder, env: { ...homes, ...env } });

async function sluice(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await attempt(args);
  assert.equal(code, 0, `sluice ${args.join(" ")}: ${err}`);
  return out;
}

async function packaged(name: string, version: string): Promise<string> {
  const source = join(folder, "source", name);
  mkdirSync(join(source, "templates"), { recursive: true });
  writeFileSync(join(source, "Chart.yaml"), `apiVersion: v2\nname: ${name}\nversion: ${version}\nannotations: {of: test}\n`);
  writeFileSync(join(source, "values.yaml"), `version: "${version}" # of the chart\n`);
  writeFileSync(join(source, "README.md"), `# ${name}\n`);
  writeFileSync(
    join(source, "templates", "map.yaml"),
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {version: {{ .Values.version | quote }}}\n",
  );
  await helm("package", source, "-d", join(folder, "packed"));
  return join(folder, "packed", `${name}-${version}.tgz`);
}

/** An HTTP repository with TLS and a password; Helm writes its index. */
async function serveRepository(): Promise<RunningServer> {
  for (const version of ["0.1.0", "0.2.0"]) await packaged("db", version);
  await helm("repo", "index", join(folder, "packed"));
  const pass = `Basic ${Buffer.from(`${registryUser.name}:${registryUser.password}`).toString("base64")}`;
  const server: Server = createServer({ cert: trust.identity.certificate, key: trust.identity.key }, (request, response) => {
    if (request.headers.authorization !== pass) return void response.writeHead(401).end();
    try {
      response.end(readFileSync(join(folder, "packed", basename(decodeURIComponent(request.url ?? "")))));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** The name and the content of the file that one of the programs pulls. */
async function pulled(by: "helm" | "sluice", args: readonly string[]): Promise<readonly [string, string]> {
  const destination = mkdtempSync(join(folder, "pulled-"));
  await (by === "helm" ? helm : sluice)("pull", ...args, "-d", destination);
  const [name = ""] = readdirSync(destination);
  return [name, readFileSync(join(destination, name)).toString("base64")];
}

async function refused(args: readonly string[], message: RegExp): Promise<void> {
  const { code, err } = await attempt(["pull", ...args]);
  assert.equal(code, 1);
  assert.match(err, message);
}

/** A lock file without its time, which is all that may differ. */
function lockIn(chart: string): string {
  return readFileSync(join(chart, "Chart.lock"), "utf8").replace(/generated: .*/, "generated:");
}

function chartsIn(chart: string): readonly string[] {
  return readdirSync(join(chart, "charts")).toSorted();
}

describe("charts of registries", () => {
  const places: Readonly<Record<string, () => string>> = {
    "with a password": () => `oci://${basic.host}/charts/web`,
    "with tokens": () => `oci://${guarded.host}/private/web`,
  };
  const versions: readonly (readonly string[])[] = [
    [],
    ["--version", "1.0.0"],
    ["--version", "~1.2"],
    ["--version", "1.3.0+build.5"],
    ["--version", ">1.0.0-0"],
    ["--devel"],
  ];
  for (const [what, place] of Object.entries(places)) {
    for (const version of versions) {
      test(`a registry ${what} gives both the same for ${version.join(" ") || "the latest"}`, async () => {
        const args = [place(), ...version, ...trusted];
        assert.deepEqual(await pulled("sluice", args), await pulled("helm", args));
      });
    }
  }

  test("a digest gives both the same, and a tag beside it must agree", async () => {
    const { err } = await runHelmProcess(helmProgram, folder, ["pull", `oci://${basic.host}/charts/web`, "--version", "1.0.0", ...trusted]);
    const said = await helm("show", "chart", `oci://${basic.host}/charts/web`, "--version", "1.0.0", ...trusted);
    const [digest = ""] = /sha256:[0-9a-f]{64}/.exec(`${err}${said}`) ?? [];
    assert.notEqual(digest, "");
    const args = [`oci://${basic.host}/charts/web@${digest}`, ...trusted];
    assert.deepEqual(await pulled("sluice", args), await pulled("helm", args));
    const { code, err: refusal } = await attempt(["pull", `oci://${basic.host}/charts/web:1.2.0@${digest}`, ...trusted]);
    assert.equal(code, 1);
    assert.match(refusal, /chart reference digest mismatch: sha256:[0-9a-f]{64} is not sha256:/);
  });

  test("a token is asked for with the scope that is needed, as the user", async () => {
    tokens.asked.length = 0;
    await sluice("pull", `oci://${guarded.host}/private/web`, "--version", "1.0.0", ...trusted);
    assert.deepEqual(tokens.asked, [`${registryUser.name} repository:private/web:pull`]);
  });

  test("without credentials public charts can be pulled, and the others are refused", async () => {
    const withoutLogin = { HELM_CONFIG_HOME: mkdtempSync(join(folder, "nobody-")) };
    const pull = (path: string) => attempt(["pull", `oci://${path}`, "--version", "1.0.0", ...trusted], withoutLogin);
    assert.equal((await pull(`${guarded.host}/public/web`)).code, 0);
    const rest = await pull(`${guarded.host}/private/web`);
    assert.equal(rest.code, 1);
    assert.match(rest.err, /401 Unauthorized: authentication required: check your credentials/);
    assert.match((await pull(`${basic.host}/charts/web`)).err, /asks who you are, and there are no credentials for it/);
    const named = await attempt(["pull", `oci://${basic.host}/charts/web`, ...byPassword, ...trusted], withoutLogin);
    assert.equal(named.code, 0, named.err);
  });

  test("what is not there, and who is not trusted", async () => {
    await refused([`oci://${basic.host}/charts/none`, ...trusted], /404 Not Found: repository name not known to registry/);
    await refused([`oci://${basic.host}/charts/web:9.9.9`, ...trusted], /charts\/web:9\.9\.9: not found/);
    await refused(
      [`oci://${basic.host}/charts/web`, "--version", "^9", ...trusted],
      /could not locate a version matching provided version string \^9/,
    );
    await refused([`oci://${basic.host}/charts/web`], /signed by nobody who is trusted/);
    await refused([`oci://${basic.host}/charts/web`, "--plain-http"], /400 Bad Request|no JSON/);
  });

  test("both show the same of a chart", async () => {
    for (const what of ["all", "chart", "values", "readme", "crds"]) {
      const args = ["show", what, `oci://${basic.host}/charts/web`, "--version", "1.2.0", ...trusted];
      // Helm prints what it pulled to the same stream.
      assert.equal(await sluice(...args), (await helm(...args)).replace(/^Pulled: .*\nDigest: .*\n/, ""));
    }
  });
});

test("both render the same, straight from a registry", async () => {
  const chart = [`oci://${guarded.host}/private/web`, "--version", "^1", ...trusted];
  const theirs = await helm("template", "shop", ...chart);
  // Helm first prints what it pulled to the same stream.
  assert.equal(await sluice("render", ...chart, "--release", "shop"), theirs.slice(theirs.indexOf("---\n")));
});

describe("repositories and dependencies", () => {
  test("a repository that one of them adds, the other one knows", async () => {
    const url = `https://${repository.host}`;
    await sluice("repo", "add", "shop", url, ...byPassword, ...trusted);
    assert.match(await helm("repo", "list"), new RegExp(`shop\\s+${url}`));
    assert.deepEqual(await pulled("helm", ["shop/db"]), await pulled("sluice", ["shop/db"]));
    const written = readFileSync(join(folder, "repositories.yaml"), "utf8");
    await helm("repo", "add", "shop", url, ...byPassword, ...trusted, "--force-update");
    assert.equal(readFileSync(join(folder, "repositories.yaml"), "utf8"), written);
    await helm("repo", "add", "again", `${url}/`, ...byPassword, ...trusted);
    assert.match(await sluice("repo", "list"), /^again +https/m);
    assert.match(await sluice("repo", "update"), /Successfully got an update from the "again" chart repository/);
    await sluice("repo", "remove", "again");
    assert.doesNotMatch(await helm("repo", "list"), /again/);
    const args = ["db", "--repo", url, "--version", "<0.2", ...byPassword, ...trusted];
    assert.deepEqual(await pulled("sluice", args), await pulled("helm", args));
  });

  test("both write the same lock and gather the same charts, and each builds from the other's lock", async () => {
    const near = join(folder, "near");
    mkdirSync(near);
    writeFileSync(join(near, "Chart.yaml"), "apiVersion: v2\nname: near\nversion: 3.1.4\n");
    const [ours, theirs] = [join(folder, "ours"), join(folder, "theirs")];
    mkdirSync(ours);
    writeFileSync(
      join(ours, "Chart.yaml"),
      `apiVersion: v2
name: app
version: 1.0.0
dependencies:
- {name: web, version: ">=1.2 <1.3", repository: "oci://${basic.host}/charts", alias: front, tags: [a, "<b>"], condition: front.on}
- {name: web, version: 1.0.0, repository: "oci://${guarded.host}/private", import-values: [{parent: p, child: c}, data]}
- {name: db, version: ~0.1, repository: "@shop"}
- {name: near, version: "*", repository: "file://../near"}
`,
    );
    cpSync(ours, theirs, { recursive: true });
    await sluice("dependency", "update", ours, ...trusted);
    await helm("dependency", "update", theirs, ...trusted);
    assert.equal(lockIn(ours), lockIn(theirs));
    assert.deepEqual(chartsIn(ours), chartsIn(theirs));
    for (const name of chartsIn(ours).filter((each) => !each.startsWith("near")))
      assert.deepEqual(readFileSync(join(ours, "charts", name)), readFileSync(join(theirs, "charts", name)), name);
    assert.match(await helm("dependency", "list", ours), /near\s+\*\s+file:\/\/\.\.\/near\s+ok/);

    const locks = [ours, theirs].map((chart) => readFileSync(join(chart, "Chart.lock")));
    const gathered = chartsIn(ours);
    for (const [at, chart] of [ours, theirs].entries()) {
      rmSync(join(chart, "charts"), { recursive: true });
      writeFileSync(join(chart, "Chart.lock"), locks[1 - at]!);
    }
    await sluice("dependency", "build", ours, ...trusted);
    await helm("dependency", "build", theirs, ...trusted);
    assert.deepEqual(chartsIn(ours), gathered);
    assert.deepEqual(chartsIn(theirs), gathered);
  });
});
