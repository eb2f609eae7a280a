import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { runSluice } from "../../../test/support/command-line.ts";
import { serveHttp } from "../../../test/support/loopback.ts";
import { loadChart } from "../../chart/index.ts";
import { packageChart } from "../../repository/index.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-repo-"));
after(() => rmSync(folder, { recursive: true, force: true }));
process.env["HELM_CONFIG_HOME"] = join(folder, "config");
process.env["HELM_CACHE_HOME"] = join(folder, "cache");

const chart = packageChart(
  loadChart([
    { name: "Chart.yaml", data: Buffer.from("apiVersion: v2\nname: web\nversion: 1.0.0\n") },
    { name: "values.yaml", data: Buffer.from("replicas: 1\n") },
  ]),
);

async function repository(t: TestContext): Promise<string> {
  const index = JSON.stringify({ apiVersion: "v1", entries: { web: [{ name: "web", version: "1.0.0", urls: ["web-1.0.0.tgz"] }] } });
  const { url } = await serveHttp(t, (request, response) => {
    if (request.url === "/index.yaml") response.end(index);
    else if (request.url === "/web-1.0.0.tgz") response.end(chart);
    else response.writeHead(404).end();
  });
  return url;
}

test("a repository is named, its chart pulled and shown, and both are forgotten", async (t) => {
  const url = await repository(t);
  assert.equal((await runSluice("repo", "add", "shop", url)).out, '"shop" has been added to your repositories');
  assert.equal((await runSluice("repo", "list")).out, `NAME  URL\nshop  ${url}`);
  assert.deepEqual(JSON.parse((await runSluice("repo", "ls", "-o", "json")).out), [{ name: "shop", url }]);
  assert.match((await runSluice("repo", "update")).out, /Successfully got an update from the "shop"/);
  const saved = join(folder, "web-1.0.0.tgz");
  assert.equal((await runSluice("pull", "shop/web", "-d", folder)).out, saved);
  assert.deepEqual(readFileSync(saved), Buffer.from(chart));
  assert.equal((await runSluice("pull", "web", "--repo", url, "--version", "1.0.0", "--untar", "-d", folder)).out, join(folder, "web"));
  assert.equal((await runSluice("show", "values", saved)).out, "replicas: 1\n");
  assert.equal((await runSluice("show", "chart", "shop/web", "--version", "^1")).out, "apiVersion: v2\nname: web\nversion: 1.0.0\n");
  assert.equal((await runSluice("repo", "rm", "shop")).out, '"shop" has been removed from your repositories');
  assert.equal((await runSluice("repo", "list")).err, "no repositories to show");
});

test("dependencies are gathered, listed and built again", async (t) => {
  const url = await repository(t);
  await runSluice("repo", "add", "shop", url);
  const app = join(folder, "app");
  mkdirSync(app);
  writeFileSync(
    join(app, "Chart.yaml"),
    'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{name: web, version: ^1, repository: "@shop"}]\n',
  );
  assert.match((await runSluice("dependency", "list", app)).out, /^web {3}\^1 {7}@shop {7}missing$/m);
  const update = await runSluice("dependency", "update", app);
  assert.equal(update.code, 0, update.err);
  assert.deepEqual(readdirSync(join(app, "charts")), ["web-1.0.0.tgz"]);
  rmSync(join(app, "charts"), { recursive: true });
  assert.equal((await runSluice("dep", "build", app)).code, 0);
  assert.match((await runSluice("dep", "ls", app)).out, /ok$/m);
});

test("a repository that fails makes the update fail", async (t) => {
  const url = await repository(t);
  await runSluice("repo", "add", "gone", url, "--force-update");
  await runSluice("repo", "add", "shop", url, "--force-update");
  const file = join(folder, "config", "repositories.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(url, `${url}/none`));
  const { code, out, err } = await runSluice("repo", "update");
  assert.equal(code, 1);
  assert.match(out, /Unable to get an update from the "(gone|shop)"/);
  assert.equal(err, `error: failed to update the following repositories: [${url}/none]`);
});

test("what cannot be done is said without a stack", async () => {
  for (const [args, message] of [
    [["pull", "nobody/web"], /^error: repo nobody not found$/],
    [["show", "chart", "./nowhere"], /^error: path "\.\/nowhere" not found$/],
    [["repo", "remove", "nobody"], /^error: no repo named "nobody" found$/],
    [["dependency", "build", join(folder, "nowhere")], /^error: could not find .*nowhere: no such file or directory$/],
  ] as const) {
    const { code, err } = await runSluice(...args);
    assert.equal(code, 1, args.join(" "));
    assert.match(err, message);
  }
});

const wrongUsage: readonly (readonly string[])[] = [
  ["repo"],
  ["repo", "add", "x"],
  ["repo", "add", "x", "http://127.0.0.1:1", "--password", "p"],
  ["repo", "add", "x", "http://127.0.0.1:1", "--username", "me"],
  ["pull"],
  ["pull", "a/b", "--cert-file", "x"],
  ["show", "nonsense", "x"],
  ["dependency"],
];

for (const args of wrongUsage) {
  test(`wrong usage: sluice ${args.join(" ")}`, async () => {
    const { code, err, out } = await runSluice(...args);
    assert.equal(code, 2);
    assert.notEqual(err + out, "");
  });
}

test("nothing is kept of what was refused", () => {
  assert.ok(!existsSync(join(folder, "config", "x")));
  assert.ok(!readFileSync(join(folder, "config", "repositories.yaml"), "utf8").includes("name: x"));
});
