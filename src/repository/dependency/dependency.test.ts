import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { serveHttp } from "../../../test/support/loopback.ts";
import { loadArchive, loadChart, type Chart } from "../../chart/index.ts";
import { RealClock } from "../../core/clock/index.ts";
import {
  addRepository,
  buildDependencies,
  listDependencies,
  openRepositoryEnvironment,
  packageChart,
  updateDependencies,
  type RepositoryEnvironment,
  type DependencyContext,
} from "../index.ts";
import { sha256 } from "../digest.ts";
import { pathTypeOf } from "../store/file.ts";

const top = mkdtempSync(join(tmpdir(), "sluice-dependency-"));
after(() => rmSync(top, { recursive: true, force: true }));
const never = new AbortController().signal;

function environmentIn(folder: string): RepositoryEnvironment {
  const env = { HELM_CONFIG_HOME: join(folder, "config"), HELM_CACHE_HOME: join(folder, "cache") };
  return openRepositoryEnvironment({ env, home: folder, clock: new RealClock(), warn: () => undefined, signal: never, timeoutMs: 5000 });
}

const chartText = (name: string, version: string, more = "") => `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more}`;
const made = (name: string, version: string) => loadChart([{ name: "Chart.yaml", data: Buffer.from(chartText(name, version)) }]);

/** Loads a chart's folder as far as these tests need it. The real loader is in release/load. */
function load(path: string): Chart {
  if (pathTypeOf(path) === "file") return loadArchive(readFileSync(path));
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return loadChart(
    names.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { name: file.slice(path.length + 1), data: readFileSync(file) };
    }),
  );
}

/** A repository with charts of these names and versions; `broken` are served as garbage. */
async function repository(t: TestContext, charts: readonly (readonly [string, string])[], broken: readonly string[] = []): Promise<string> {
  const { url } = await serveHttp(t, (request, response) => {
    const found = charts.find(([name, version]) => request.url === `/${name}-${version}.tgz`);
    if (request.url === "/index.yaml") {
      const entries: Record<string, unknown[]> = {};
      for (const [name, version] of charts) (entries[name] ??= []).push({ name, version, urls: [`${name}-${version}.tgz`] });
      response.end(JSON.stringify({ apiVersion: "v1", entries }));
    } else if (found === undefined) response.writeHead(404).end();
    else response.end(broken.includes(found[0]) ? "garbage" : packageChart(made(...found)));
  });
  return url;
}

type Case = { readonly context: DependencyContext; readonly folder: string; readonly home: string; readonly reported: string[] };

function chartWith(dependencies: string, apiVersion = "v2"): Case {
  const home = mkdtempSync(join(top, "home-"));
  const folder = join(home, "app");
  mkdirSync(folder);
  writeFileSync(join(folder, "Chart.yaml"), chartText("app", "1.0.0", `dependencies:\n${dependencies}`).replace("v2", apiVersion));
  const reported: string[] = [];
  return {
    context: { folder, access: {}, load, report: (line) => reported.push(line), environment: environmentIn(home) },
    folder,
    home,
    reported,
  };
}

const lockOf = (folder: string) => readFileSync(join(folder, "Chart.lock"), "utf8");
const chartsOf = (folder: string) => readdirSync(join(folder, "charts")).toSorted();

test("an update gathers charts from everywhere, and a build gathers the same again", async (t) => {
  const url = await repository(t, [
    ["web", "1.0.0"],
    ["web", "1.2.0"],
    ["web", "2.0.0"],
    ["db", "0.3.0"],
  ]);
  const { context, folder, home } = chartWith(`- {name: web, version: ^1, repository: "@shop"}
- {name: db, version: ">0.1", repository: "alias:shop"}
- {name: near, version: "*", repository: "file://../near"}
- {name: own, version: ~1.0, repository: ""}
`);
  await addRepository({ name: "shop", url }, {}, context.environment);
  mkdirSync(join(home, "near"));
  writeFileSync(join(home, "near", "Chart.yaml"), chartText("near", "3.1.4"));
  mkdirSync(join(folder, "charts", "own"), { recursive: true });
  writeFileSync(join(folder, "charts", "own", "Chart.yaml"), chartText("own", "1.0.7"));
  writeFileSync(join(folder, "charts", "web-0.9.0.tgz"), packageChart(made("web", "0.9.0")));
  writeFileSync(join(folder, "charts", "_note.txt"), "mine");

  await updateDependencies(context);
  const gathered = ["_note.txt", "db-0.3.0.tgz", "near-3.1.4.tgz", "own", "web-1.2.0.tgz"];
  assert.deepEqual(chartsOf(folder), gathered);
  const lock = lockOf(folder);
  for (const [name, version, repositoryUrl] of [
    ["web", "1.2.0", url],
    ["db", "0.3.0", url],
    ["near", "3.1.4", "file://../near"],
    ["own", "~1.0", '""'],
  ])
    assert.match(lock, new RegExp(`- name: ${name}\\n  repository: ${repositoryUrl}\\n  version: ${version}\\n`));
  assert.deepEqual(readdirSync(folder).toSorted(), ["Chart.lock", "Chart.yaml", "charts"]);

  for (const name of gathered.filter((each) => each.endsWith(".tgz"))) rmSync(join(folder, "charts", name));
  await buildDependencies(context);
  assert.deepEqual(chartsOf(folder), gathered);
  await updateDependencies(context);
  assert.equal(lockOf(folder), lock);
  assert.deepEqual(
    listDependencies(folder, load).dependencies.map(({ name, status }) => `${name} ${status}`),
    ["web ok", "db ok", "near ok", "own unpacked"],
  );
});

test("a lock keeps its versions when there are newer ones", async (t) => {
  const versions: [string, string][] = [["web", "1.0.0"]];
  const url = await repository(t, versions);
  const { context, folder } = chartWith(`- {name: web, version: ^1, repository: "${url}"}\n`);
  await addRepository({ name: "shop", url }, {}, context.environment);
  await updateDependencies(context);
  versions.push(["web", "1.5.0"]);
  await buildDependencies(context);
  assert.deepEqual(chartsOf(folder), ["web-1.0.0.tgz"]);
  await updateDependencies(context);
  assert.deepEqual(chartsOf(folder), ["web-1.5.0.tgz"]);
});

test("a lock that belongs to another wish is refused", async (t) => {
  const url = await repository(t, [
    ["web", "1.0.0"],
    ["web", "2.0.0"],
  ]);
  const { context, folder } = chartWith(`- {name: web, version: ^1, repository: "${url}"}\n`);
  await addRepository({ name: "shop", url }, {}, context.environment);
  await updateDependencies(context);
  writeFileSync(join(folder, "Chart.yaml"), readFileSync(join(folder, "Chart.yaml"), "utf8").replace("^1", "^2"));
  await assert.rejects(buildDependencies(context), {
    message: /^the lock file \(Chart\.lock\) is out of sync with the dependencies file \(Chart\.yaml\)\. Please update the dependencies/,
  });
  assert.deepEqual(chartsOf(folder), ["web-1.0.0.tgz"]);
});

test("a repository without a name is asked by an update, and not by a build", async (t) => {
  const url = await repository(t, [["web", "1.0.0"]]);
  const { context, folder } = chartWith(`- {name: web, version: 1.0.0, repository: "${url}"}\n`);
  await updateDependencies(context);
  assert.deepEqual(chartsOf(folder), ["web-1.0.0.tgz"]);
  await assert.rejects(buildDependencies(context), {
    message: `no repository definition for ${url}. Please add the missing repos via 'sluice repo add'`,
  });
});

type Bad = readonly [what: string, dependencies: (url: string) => string, message: RegExp];

const bad: readonly Bad[] = [
  ["a chart that is not there", (url) => `- {name: none, version: "*", repository: "${url}"}`, /^none chart not found in repo http/],
  [
    "a version that is not there",
    (url) => `- {name: web, version: ^9, repository: "${url}"}`,
    /^can't get a valid version for 1 subchart\(s\): "web" \(repository "http.*", version "\^9"\)\. Make sure/,
  ],
  [
    "a constraint that is none",
    (url) => `- {name: web, version: new!, repository: "${url}"}`,
    /^dependency "web" has an invalid version\/constraint format: improper constraint/,
  ],
  [
    "a chart that is garbage",
    (url) => `- {name: web, version: 1.0.0, repository: "${url}"}\n- {name: bad, version: 1.0.0, repository: "${url}"}`,
    /^could not download bad from repo .*gzipped archive/,
  ],
  [
    "a name that nobody gave",
    () => `- {name: web, version: "*", repository: "@nobody"}`,
    /^no repository definition for @nobody\. Please add them via 'sluice repo add'$/,
  ],
  [
    "a repository that is a name",
    () => `- {name: web, version: "*", repository: stable}`,
    /Note that repositories must be URLs or aliases/,
  ],
  ["a folder that is not there", () => `- {name: near, version: "*", repository: "file://../none"}`, /^directory .*none not found$/],
  ["an own chart that is not there", () => `- {name: own, version: "*"}`, /^directory .*charts\/own not found$/],
  [
    "a repository that nobody answers for",
    () => `- {name: web, version: "*", repository: "http://127.0.0.1:1"}`,
    /^no cached repository for helm-manager-/,
  ],
];

for (const [what, dependencies, message] of bad) {
  test(`${what}: nothing is changed`, async (t) => {
    const url = await repository(
      t,
      [
        ["web", "1.0.0"],
        ["bad", "1.0.0"],
      ],
      ["bad"],
    );
    const { context, folder } = chartWith(`${dependencies(url)}\n`);
    await assert.rejects(updateDependencies(context), { name: "Fault", message });
    assert.deepEqual(readdirSync(folder), ["Chart.yaml"]);
  });
}

test("a chart of the first version has its lists in files of their own", async (t) => {
  const url = await repository(t, [["web", "1.0.0"]]);
  const { context, folder } = chartWith("", "v1");
  writeFileSync(join(folder, "Chart.yaml"), "apiVersion: v1\nname: app\nversion: 1.0.0\n");
  writeFileSync(join(folder, "requirements.yaml"), `dependencies:\n- {name: web, version: 1.0.0, repository: "${url}"}\n`);
  await addRepository({ name: "shop", url }, {}, context.environment);
  await updateDependencies(context);
  assert.ok(existsSync(join(folder, "requirements.lock")));
  await buildDependencies(context);
  writeFileSync(join(folder, "requirements.yaml"), `dependencies:\n- {name: web, version: ^1, repository: "${url}"}\n`);
  await assert.rejects(buildDependencies(context), { message: /^the lock file \(requirements\.lock\) is out of sync/ });
});

test("a lock that is a link is not written through", async (t) => {
  const url = await repository(t, [["web", "1.0.0"]]);
  const { context, folder, home } = chartWith(`- {name: web, version: 1.0.0, repository: "${url}"}\n`);
  symlinkSync(join(home, "elsewhere"), join(folder, "Chart.lock"));
  await assert.rejects(updateDependencies({ ...context, load: (path) => withoutLock(path) }), {
    message: /^the Chart\.lock file is a symlink to ".*elsewhere"$/,
  });
  assert.ok(!existsSync(join(home, "elsewhere")));
});

function withoutLock(path: string): Chart {
  return loadChart([{ name: "Chart.yaml", data: readFileSync(join(path, "Chart.yaml")) }]);
}

test("how dependencies are doing", () => {
  const { folder } = chartWith(`- {name: a, version: ^1}
- {name: b, version: ^1}
- {name: c, version: ^1}
- {name: d, version: ^1}
- {name: e, version: new!}
- {name: f, version: ^1}
`);
  const charts = join(folder, "charts");
  mkdirSync(charts);
  for (const [file, chart] of [
    ["a-1.0.0.tgz", made("a", "1.0.0")],
    ["b-2.0.0.tgz", made("b", "2.0.0")],
    ["c-1.0.0.tgz", made("x", "1.0.0")],
    ["e-1.0.0.tgz", made("e", "1.0.0")],
    ["f-1.0.0.tgz", made("f", "1.0.0")],
    ["f-1.1.0.tgz", made("f", "1.1.0")],
  ] as const)
    writeFileSync(join(charts, file), packageChart(chart));
  const { dependencies, warnings } = listDependencies(folder, (path) => (path === folder ? withoutLock(path) : load(path)));
  assert.deepEqual(
    dependencies.map(({ name, status }) => `${name} ${status}`),
    ["a ok", "b wrong version", "c misnamed", "d missing", "e invalid version", "f too many matches"],
  );
  assert.deepEqual(warnings, [`"${join(charts, "c-1.0.0.tgz")}" is not in Chart.yaml.`]);
});

// A chart that Helm 4.2.4 has signed, and the public key.
const recorded = (name: string) => new URL(`../recorded/${name}`, import.meta.url);

test("dependencies are verified when asked for: always by an update, if possible by a build", async (t) => {
  const digest = sha256(readFileSync(recorded("demo-0.1.0.tgz")));
  const entry = `{apiVersion: v2, name: demo, version: 0.1.0, digest: ${digest}, urls: [demo-0.1.0.tgz]}`;
  let isSigned = true;
  const { url } = await serveHttp(t, ({ url: path = "" }, response) => {
    if (path === "/index.yaml") response.end(`apiVersion: v1\nentries: {demo: [${entry}]}\n`);
    else if (path.endsWith(".prov") && !isSigned) response.writeHead(404).end();
    else response.end(readFileSync(recorded(path.slice(1))));
  });
  const { context, folder } = chartWith(`- {name: demo, version: 0.1.0, repository: "${url}"}\n`);
  await addRepository({ name: "shop", url }, {}, context.environment);
  const keyring = recorded("pubring.gpg").pathname;
  await updateDependencies({ ...context, verify: "always", keyring });
  assert.deepEqual(chartsOf(folder), ["demo-0.1.0.tgz"]);
  const empty = join(folder, "..", "none.gpg");
  writeFileSync(empty, "");
  const warnings: string[] = [];
  const building = {
    ...context,
    verify: "if possible",
    keyring,
    environment: { ...context.environment, warn: (line: string) => void warnings.push(line) },
  } as const;
  await assert.rejects(buildDependencies({ ...building, keyring: empty }), /verify the provenance of demo-0\.1\.0\.tgz/);
  isSigned = false;
  await assert.rejects(updateDependencies({ ...context, verify: "always", keyring }), /failed to fetch provenance/);
  assert.deepEqual(warnings, []);
  rmSync(join(folder, "charts"), { recursive: true });
  await buildDependencies(building);
  assert.deepEqual(chartsOf(folder), ["demo-0.1.0.tgz"]);
  assert.match(warnings.join(), /^demo-0\.1\.0\.tgz is not verified: failed to fetch provenance/);
});
