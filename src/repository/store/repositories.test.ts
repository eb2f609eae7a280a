import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { authority, serveHttp, serveHttps, type Loopback } from "../../../test/support/loopback.ts";
import { loadArchive, loadChart } from "../../chart/index.ts";
import { RealClock } from "../../core/clock/index.ts";
import { sha256 } from "../digest.ts";
import {
  addRepository,
  fetchChart,
  listRepositories,
  locateChart,
  openRepositoryEnvironment,
  packageChart,
  removeRepositories,
  updateRepositories,
  type RepositoryEnvironment,
} from "../index.ts";
import { saveArchive, saveUnpacked } from "./save-chart.ts";

const top = mkdtempSync(join(tmpdir(), "sluice-repository-"));
after(() => rmSync(top, { recursive: true, force: true }));
const caFile = join(top, "ca.pem");
writeFileSync(caFile, authority.certificate);
const never = new AbortController().signal;

/** A new home folder, and the warnings. */
function home(): { readonly environment: RepositoryEnvironment; readonly folder: string; readonly warnings: string[] } {
  const folder = mkdtempSync(join(top, "home-"));
  const warnings: string[] = [];
  const env = { HELM_CONFIG_HOME: join(folder, "config"), HELM_CACHE_HOME: join(folder, "cache") };
  const environment = openRepositoryEnvironment({
    env,
    home: folder,
    clock: new RealClock(),
    warn: (line) => warnings.push(line),
    signal: never,
    timeoutMs: 5000,
  });
  return { environment, folder, warnings };
}

function packed(name: string, version: string): Uint8Array {
  return packageChart(loadChart([{ name: "Chart.yaml", data: Buffer.from(`apiVersion: v2\nname: ${name}\nversion: ${version}\n`) }]));
}

type Offer = { readonly version: string; readonly url?: string; readonly digest?: string };

const archives = new Map(["1.0.0", "1.1.0", "2.0.0-rc.1"].map((version) => [`/charts/web-${version}.tgz`, packed("web", version)]));
const offers: readonly Offer[] = ["1.0.0", "1.1.0", "2.0.0-rc.1"].map((version) => ({ version }));

function indexText(all: readonly Offer[] = offers): string {
  const entries = all.map(({ version, url = `web-${version}.tgz`, digest = sha256(archives.get(`/charts/web-${version}.tgz`)!) }) => ({
    apiVersion: "v2",
    name: "web",
    version,
    urls: [url],
    digest,
  }));
  return JSON.stringify({ apiVersion: "v1", entries: { web: entries } });
}

/** A repository at /charts, and the requests it received. */
function repository(index: () => string = indexText): { readonly answer: RequestListener; readonly asked: string[] } {
  const asked: string[] = [];
  const answer: RequestListener = ({ url = "", headers }, response) => {
    asked.push(
      `${url} ${headers.authorization === undefined ? "nobody" : Buffer.from(headers.authorization.slice(6), "base64").toString()}`,
    );
    const archive = archives.get(url);
    if (url === "/charts/index.yaml") response.end(index());
    else if (archive !== undefined) response.end(archive);
    else response.writeHead(404).end();
  };
  return { answer, asked };
}

async function served(t: TestContext, index?: () => string): Promise<Loopback & { readonly asked: string[]; readonly address: string }> {
  const { answer, asked } = repository(index);
  const server = await serveHttp(t, answer);
  return { ...server, asked, address: `${server.url}/charts` };
}

test("a repository gets a name, is listed, updated and forgotten", async (t) => {
  const { environment, folder } = home();
  const server = await served(t);
  const http = { name: "web", url: server.address };
  assert.equal(await addRepository(http, {}, environment), "added");
  assert.equal(await addRepository(http, {}, environment), "unchanged");
  assert.deepEqual(
    listRepositories(environment).map(({ name, url }) => ({ name, url })),
    [http],
  );
  const file = join(folder, "config", "repositories.yaml");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(join(folder, "cache", "repository", "web-index.yaml"), "utf8"), indexText());
  assert.equal(readFileSync(join(folder, "cache", "repository", "web-charts.txt"), "utf8"), "web\n");
  const updates = await updateRepositories([], () => undefined, environment);
  assert.deepEqual(
    updates.map(({ error }) => error),
    [undefined],
  );
  await removeRepositories(["web"], environment);
  assert.deepEqual(listRepositories(environment), []);
  assert.deepEqual(readdirSync(join(folder, "cache", "repository")), []);
  assert.deepEqual(readdirSync(join(folder, "config")), ["repositories.yaml"]);
});

test("a name that is taken is kept, unless it is to be replaced", async (t) => {
  const { environment } = home();
  const server = await served(t);
  await addRepository({ name: "web", url: server.address }, {}, environment);
  const other = { name: "web", url: `${server.address}/` };
  await assert.rejects(addRepository(other, {}, environment), {
    message: "repository name (web) already exists, please specify a different name",
  });
  assert.equal(await addRepository(other, { forceUpdate: true }, environment), "added");
  assert.equal(listRepositories(environment)[0]?.url, other.url);
  await assert.rejects(addRepository({ name: "a/b", url: server.address }, {}, environment), { message: /contains '\/'/ });
  await assert.rejects(addRepository({ name: "oci", url: "oci://a.example/x" }, {}, environment), { message: /is a registry/ });
});

const notRepositories: Readonly<Record<string, readonly [RequestListener, RegExp]>> = {
  "a web page": [(_, response) => response.end("<!DOCTYPE html><html></html>"), /web page instead of an index/],
  garbage: [(_, response) => response.end(Buffer.from([0, 1, 2, 255])), /error converting YAML to JSON|cannot unmarshal/],
  nothing: [(_, response) => response.end(), /empty index\.yaml file/],
  "an error": [(_, response) => response.writeHead(503).end(), /failed to fetch http.*\/index\.yaml : 503 Service Unavailable/],
};

for (const [what, [answer, message]] of Object.entries(notRepositories)) {
  test(`an address that answers with ${what} is no repository`, async (t) => {
    const { environment, folder } = home();
    const { url } = await serveHttp(t, answer);
    await assert.rejects(addRepository({ name: "x", url }, {}, environment), (error: Error) => {
      assert.ok(error.message.startsWith(`looks like "${url}" is not a valid chart repository or cannot be reached: `), error.message);
      assert.match(error.message, message);
      return true;
    });
    assert.ok(!existsSync(join(folder, "config", "repositories.yaml")));
  });
}

test("one repository that fails does not keep the others from being updated", async (t) => {
  const { environment } = home();
  const [good, gone] = [await served(t), await served(t)];
  await addRepository({ name: "good", url: good.address }, {}, environment);
  await addRepository({ name: "gone", url: gone.address }, {}, environment);
  await gone.close();
  const updates = await updateRepositories([], () => undefined, environment);
  assert.deepEqual(
    updates.map(({ repository: { name }, error }) => [name, error !== undefined]),
    [
      ["good", false],
      ["gone", true],
    ],
  );
  await assert.rejects(
    updateRepositories(["other"], () => undefined, environment),
    { message: "no repositories found matching 'other'.  Nothing will be updated" },
  );
  await assert.rejects(removeRepositories(["good", "other"], environment), { message: 'no repo named "other" found' });
  assert.equal(listRepositories(environment).length, 2);
});

test("nothing is lost when many names are given at once", async (t) => {
  const { environment, folder } = home();
  const { address } = await served(t);
  const names = Array.from({ length: 12 }, (_, at) => `shop-${at}`);
  const file = join(folder, "config", "repositories.yaml");
  // Left by a killed process long ago.
  mkdirSync(join(folder, "config"));
  writeFileSync(`${file}.held`, "");
  utimesSync(`${file}.held`, new Date("2020-01-01"), new Date("2020-01-01"));
  await Promise.all(names.map((name) => addRepository({ name, url: address }, {}, environment)));
  assert.deepEqual(
    listRepositories(environment)
      .map(({ name }) => name)
      .toSorted(),
    names.toSorted(),
  );
  assert.deepEqual(readdirSync(join(folder, "config")), ["repositories.yaml"]);
});

test("a chart is chosen by its version, and kept for next time", async (t) => {
  const { environment } = home();
  const server = await served(t);
  await addRepository({ name: "shop", url: server.address }, {}, environment);
  const versionOf = async (choice: { version?: string; devel?: boolean }) => {
    const { bytes } = await fetchChart("shop/web", choice, environment);
    return loadArchive(bytes).metadata.version;
  };
  assert.equal(await versionOf({}), "1.1.0");
  assert.equal(await versionOf({ version: "1.0.0" }), "1.0.0");
  assert.equal(await versionOf({ version: "<1.1" }), "1.0.0");
  assert.equal(await versionOf({ devel: true }), "2.0.0-rc.1");
  assert.equal(server.asked.filter((line) => line.startsWith("/charts/web-1.0.0.tgz")).length, 1);
});

test("a chart is found wherever it is", async (t) => {
  const { environment, folder } = home();
  const server = await served(t);
  await addRepository({ name: "shop", url: server.address }, {}, environment);
  const here = join(folder, "web-1.0.0.tgz");
  writeFileSync(here, archives.get("/charts/web-1.0.0.tgz")!);
  mkdirSync(join(folder, "web"));
  assert.deepEqual(await locateChart(here, {}, environment), { where: "file", path: here });
  assert.deepEqual(await locateChart(join(folder, "web"), {}, environment), { where: "folder", path: join(folder, "web") });
  for (const [reference, choice] of [
    ["shop/web", { version: "1.0.0" }],
    ["web", { repo: server.address, version: "1.0.0" }],
    [`${server.address}/web-1.0.0.tgz`, {}],
  ] as const) {
    const found = await locateChart(reference, choice, environment);
    assert.ok(found.where === "fetched" && found.name === "web-1.0.0.tgz", reference);
    assert.deepEqual(Buffer.from(found.bytes), Buffer.from(archives.get("/charts/web-1.0.0.tgz")!));
  }
});

test("a missing chart is reported in Helm's words", async (t) => {
  const { environment } = home();
  const server = await served(t);
  await addRepository({ name: "shop", url: server.address }, {}, environment);
  const refused = async (reference: string, choice: object, message: RegExp | string) =>
    assert.rejects(locateChart(reference, choice, environment), { name: "Fault", message });
  await refused("./x", {}, 'path "./x" not found');
  await refused("/no/x", {}, 'path "/no/x" not found');
  await refused("x", {}, "non-absolute URLs should be in form of repo_name/path_to_chart, got: x");
  await refused("x/y", {}, "repo x not found");
  await refused("shop/db", {}, /^chart "db" matching {2}not found in shop index\. \(try 'sluice repo update'\): no chart name found$/);
  await refused(
    "shop/web",
    { version: "^3" },
    /^chart "web" matching \^3 not found in shop index\..*: no chart version found for web-\^3$/,
  );
  await refused("web", { repo: server.address, version: "9" }, `chart "web" version "9" not found in ${server.address} repository`);
  await refused("db", { repo: server.address }, `chart "db" not found in ${server.address} repository`);
  await refused(`${server.address}/none.tgz`, {}, `failed to fetch ${server.address}/none.tgz : 404 Not Found`);
  await refused(`${server.address}/index.yaml`, {}, /does not appear to be a gzipped archive/);
});

test("a chart that does not match its digest is refused, and not cached", async (t) => {
  const { environment, folder } = home();
  const server = await served(t, () => indexText([{ version: "1.0.0", digest: "0".repeat(64) }]));
  await assert.rejects(fetchChart("web", { repo: server.address }, environment), { message: /not what was promised: expected sha256:000/ });
  assert.ok(!existsSync(join(folder, "cache", "content")));
});

test("credentials go to the repository's own host alone, unless they are to be passed on", async (t) => {
  const elsewhere = await served(t);
  const server = await served(t, () => indexText([{ version: "1.0.0", url: `${elsewhere.address}/web-1.0.0.tgz`, digest: "" }]));
  const user = { repo: server.address, username: "me", password: "pw" };
  await fetchChart("web", user, home().environment);
  await fetchChart("web", { ...user, passCredentials: true }, home().environment);
  assert.deepEqual(server.asked, ["/charts/index.yaml me:pw", "/charts/index.yaml me:pw"]);
  assert.deepEqual(elsewhere.asked, ["/charts/web-1.0.0.tgz nobody", "/charts/web-1.0.0.tgz me:pw"]);
});

test("a registry in an index does not get the repository's password", async (t) => {
  const seen: (string | undefined)[] = [];
  const registry = await serveHttps(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401, { "www-authenticate": "Basic" }).end();
  });
  const url = `oci://${registry.url.replace("https://", "")}/web:1.0.0`;
  const server = await served(t, () => indexText([{ version: "1.0.0", url }]));
  const user = { repo: server.address, username: "me", password: "pw", caFile };
  await assert.rejects(fetchChart("web", user, home().environment), { message: /there are no credentials for it/ });
  await assert.rejects(fetchChart("web", { ...user, passCredentials: true }, home().environment), { message: /401 Unauthorized/ });
  assert.deepEqual(seen, [undefined, undefined, "Basic bWU6cHc="]);
});

test("a repository behind TLS and a password, by its name and by the address of its charts", async (t) => {
  const { answer, asked } = repository(() => indexText([{ version: "1.0.0", url: `${address}/web-1.0.0.tgz` }]));
  const server = await serveHttps(t, (request, response) => {
    if (request.headers.authorization === undefined) response.writeHead(401).end();
    else answer(request, response);
  });
  const address = `${server.url}/charts`;
  const { environment } = home();
  await assert.rejects(addRepository({ name: "shop", url: address }, {}, environment), { message: /signed by nobody who is trusted/ });
  await assert.rejects(addRepository({ name: "shop", url: address, caFile }, {}, environment), { message: /401 Unauthorized/ });
  await assert.rejects(addRepository({ name: "shop", url: address, caFile: "/none.pem" }, {}, environment), {
    message: /can't read CA file: "\/none\.pem"/,
  });
  await addRepository({ name: "shop", url: address, caFile, username: "me", password: "pw" }, {}, environment);
  await fetchChart("shop/web", {}, environment);
  await fetchChart(`${address}/web-1.0.0.tgz`, {}, environment);
  assert.ok(
    asked.every((line) => line.endsWith(" me:pw")),
    asked.join("\n"),
  );
});

test("a chart is saved as it is, or unpacked as a whole", async () => {
  const folder = mkdtempSync(join(top, "saved-"));
  const bytes = packed("web", "1.0.0");
  assert.equal(saveArchive(folder, "web-1.0.0.tgz", bytes), join(folder, "web-1.0.0.tgz"));
  assert.equal(saveUnpacked(folder, bytes), join(folder, "web"));
  assert.match(readFileSync(join(folder, "web", "Chart.yaml"), "utf8"), /name: web/);
  assert.throws(() => saveUnpacked(folder, bytes), {
    message: `failed to untar: a file or directory with the name ${join(folder, "web")} already exists`,
  });
  assert.throws(() => saveArchive(folder, "..", bytes), { message: /is no name for a file/ });
  assert.throws(() => saveArchive(join(folder, "none"), "x.tgz", bytes), { message: /there is no folder/ });
  assert.throws(() => saveUnpacked(folder, Buffer.from("garbage")), { name: "Fault" });
  assert.deepEqual(readdirSync(folder).toSorted(), ["web", "web-1.0.0.tgz"]);
});
