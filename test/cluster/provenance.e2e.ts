/** Charts that the real Helm signs, in a registry and a repository: what Helm verifies Sluice verifies, and nothing else. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { debianProgram } from "./debian-program.ts";
import { makeTlsTrust, passwordAuth, registryUser, startRegistry } from "./registry.ts";
import { projectRoot, runHelmProcess, runProgram } from "./run-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { buildHelm } from "./toolchain.ts";

/** A key for these tests and for nothing else, as gpg --export-secret-keys writes it; its public part is beside src/repository/provenance.test.ts. */
const secretKey = [
  "lFgEavszSBYJKwYBBAHaRw8BAQdAstzV+7VO0bk8NVh4nkJiYvmexhtL32oB8gpsrxrGwjIAAQDDPazJFqLdrUhMmo3yWYtjU7uW",
  "lVgd5yc7UjgerGbiDg9NtB1lZDI1NTE5IDxlZDI1NTE5QGV4YW1wbGUuY29tPoiQBBMWCAA4FiEE/ZTyKLx2Ls3/lGAtscaWIg0Z",
  "LMIFAmr7M0gCGwMFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQscaWIg0ZLMILZAD/QbAAelZAppHWJ3ZT3xgCmGsjzi6psnXb",
  "QQ+CBhbNvqkA/jKtwSCVGEh/0pWIq5LTA/jOCPzhLlf5lOFO1HC/SVEH",
].join("");

const limits = { timeout: 300_000 };
const folder = makeTemporaryFolder();
const packed = join(folder, "packed");
const keyring = join(projectRoot, "src", "repository", "recorded", "pubring.gpg");
const trust = makeTlsTrust(folder);
const helmProgram = await buildHelm(() => {});
const registryProgram = await debianProgram("docker-registry", "usr/bin/docker-registry", () => {});
const registry = await startRegistry(registryProgram, "signed", passwordAuth(folder), folder, trust);
const server = createServer(({ url = "" }, response) => {
  try {
    response.end(readFileSync(join(packed, basename(url))));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const repository = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(async () => {
  await registry.stop();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const homes = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, HOME: folder };
const programs = {
  helm: (args: readonly string[]) => runHelmProcess(helmProgram, folder, args),
  sluice: (args: readonly string[]) =>
    runProgram(process.execPath, [join(projectRoot, "src", "cli", "main.ts"), ...args], { cwd: folder, env: homes }),
};

async function helm(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await programs.helm(args);
  assert.equal(code, 0, `helm ${args.join(" ")}: ${err}`);
  return out;
}

async function packaged(version: string, ...flags: readonly string[]): Promise<string> {
  const source = join(folder, "web");
  mkdirSync(join(source, "templates"), { recursive: true });
  writeFileSync(join(source, "Chart.yaml"), `apiVersion: v2\nname: web\nversion: ${version}\n`);
  writeFileSync(join(source, "templates", "map.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n");
  await helm("package", source, "-d", packed, ...flags);
  return join(packed, `web-${version}.tgz`);
}

/** The exit code of a pull, the lines about the signature, and the files that are there then. */
async function pulled(by: "helm" | "sluice", args: readonly string[]) {
  const destination = mkdtempSync(join(folder, "pulled-"));
  const { code, out, err } = await programs[by](["pull", ...args, "-d", destination, "--verify", "--keyring", keyring]);
  const lines = `${out}${err}`.split("\n").filter((line) => /^(Signed by|Using Key|Chart Hash)/.test(line));
  return code === 0 ? { code, lines, files: readdirSync(destination).toSorted() } : { code: 1, lines: [], files: [] };
}

/** The exit code of a command that gathers a dependency of this version, and what is in `charts/` then. */
async function gatheredBy(by: "helm" | "sluice", version: string, command: "update" | "build") {
  const chart = mkdtempSync(join(folder, "app-"));
  writeFileSync(
    join(chart, "Chart.yaml"),
    `apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{name: web, version: ${version}, repository: "${repository}"}]\n`,
  );
  // A build follows the lock of an update.
  if (command === "build") await helm("dependency", "update", chart);
  rmSync(join(chart, "charts"), { recursive: true, force: true });
  const { code } = await programs[by](["dependency", command, chart, "--verify", "--keyring", keyring]);
  const charts = join(chart, "charts");
  return { code: code === 0 ? 0 : 1, files: existsSync(charts) ? readdirSync(charts).toSorted() : [] };
}

test("what the real Helm has signed is verified from registries, repositories and files, and other charts are not", limits, async () => {
  writeFileSync(join(folder, "secring.gpg"), Buffer.from(secretKey, "base64"));
  const signed = await packaged("1.0.0", "--sign", "--key", "ed25519", "--keyring", join(folder, "secring.gpg"));
  const unsigned = await packaged("1.1.0");
  await helm("repo", "index", packed);
  await helm("repo", "add", "signed", repository);
  const trusted = ["--ca-file", trust.caFile];
  await helm("registry", "login", registry.host, "--username", registryUser.name, "--password", registryUser.password, ...trusted);
  for (const archive of [signed, unsigned]) await helm("push", archive, `oci://${registry.host}/charts`, ...trusted);

  for (const [version, isSigned] of [
    ["1.0.0", true],
    ["1.1.0", false],
  ] as const)
    for (const place of [
      [`oci://${registry.host}/charts/web`, ...trusted],
      ["web", "--repo", repository],
    ]) {
      const args = [...place, "--version", version];
      const [own, helms] = [await pulled("sluice", args), await pulled("helm", args)];
      assert.deepEqual(own, helms, args.join(" "));
      assert.equal(own.code === 0, isSigned, args.join(" "));
      if (isSigned) assert.deepEqual(own.files, ["web-1.0.0.tgz", "web-1.0.0.tgz.prov"]);
    }

  for (const [archive, isSigned] of [
    [signed, true],
    [unsigned, false],
  ] as const) {
    const [own, helms] = await Promise.all(
      (["sluice", "helm"] as const).map((by) => programs[by](["verify", archive, "--keyring", keyring])),
    );
    assert.deepEqual([own!.code, own!.out], [helms!.code, helms!.out], archive);
    assert.equal(own!.code === 0, isSigned);
  }

  for (const [version, command, isTaken] of [
    ["1.0.0", "update", true],
    ["1.0.0", "build", true],
    ["1.1.0", "update", false],
    ["1.1.0", "build", true],
  ] as const) {
    const gathered = { sluice: await gatheredBy("sluice", version, command), helm: await gatheredBy("helm", version, command) };
    assert.deepEqual(gathered.sluice, gathered.helm, `dependency ${command} of web ${version}`);
    assert.equal(gathered.sluice.code === 0, isTaken, `dependency ${command} of web ${version}`);
  }

  const rendered = (archive: string) => programs.sluice(["template", "web", archive, "--verify", "--keyring", keyring]);
  assert.match((await rendered(signed)).out, /kind: ConfigMap/);
  assert.match((await rendered(unsigned)).err, /could not load provenance file/);
  writeFileSync(signed, readFileSync(unsigned));
  assert.match((await rendered(signed)).err, /sha256 sum does not match for web-1\.0\.0\.tgz/);
  assert.notEqual((await programs.helm(["template", "web", signed, "--verify", "--keyring", keyring])).code, 0);
});
