import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { channelTasks } from "../../../../test/support/deploy/channel-tasks.ts";
import { summaryScope } from "../../../../test/support/deploy/release-text.ts";
import { serveHttp } from "../../../../test/support/loopback.ts";
import type { HelmChartRef } from "../../api/index.ts";
import { RealClock } from "../../../core/clock/index.ts";
import { openRepositoryEnvironment, packageChart } from "../../../repository/index.ts";
import { OwnedTasks } from "../owned-tasks.ts";
import { chartSourceFrom, loadedChart } from "./chart-source.ts";

const signal = new AbortController().signal;

function chartRef(repositoryURL: string, chartName: string, chartVersion: string): HelmChartRef {
  return {
    repositoryURL,
    repositoryName: "mine",
    chartName,
    chartVersion,
    releaseName: "web",
    releaseNamespace: "default",
    helmChartAction: "Install",
    values: "",
    valuesFrom: [],
  };
}

test("schemas come from the chart's repository and the hosts that are allowed", async (t) => {
  const home = mkdtempSync(`${tmpdir()}/sluice-charts-`);
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const entries = { web: [{ name: "web", version: "0.1.0", urls: ["web-0.1.0.tgz"] }] };
  const repository = await serveHttp(t, (request, response) => {
    if (request.url === "/index.yaml") response.end(JSON.stringify({ apiVersion: "v1", entries }));
    else if (request.url === "/web-0.1.0.tgz") response.end(packageChart(chartOf({})));
    else response.end("true");
  });
  const [allowed, other] = [await serveHttp(t, (_, response) => response.end("true")), await serveHttp(t, (_, response) => response.end())];
  const environment = openRepositoryEnvironment({ env: {}, home, clock: new RealClock(), warn: () => undefined, signal });
  const charts = chartSourceFrom(environment, { schemaHosts: [new URL(allowed.url).host] });
  const { loadSchema } = await charts(chartRef(repository.url, "web", "0.1.0"), { signal });
  for (const { url } of [repository, allowed]) assert.ok("text" in (await loadSchema!(`${url}/a.json`)));
  const refused = await loadSchema!(`${other.url}/a.json`);
  assert.match(
    "problem" in refused ? refused.problem : "",
    /--schema-hosts; to do without it, skip the validation with options\.skipSchemaValidation/,
  );
  assert.equal(other.connections(), 0);
});

test("charts are loaded from the repository of a profile", async (t) => {
  const home = mkdtempSync(`${tmpdir()}/sluice-charts-`);
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const entries = { web: ["0.1.0"].map((version) => ({ name: "web", version, urls: [`web-${version}.tgz`] })) };
  const { url } = await serveHttp(t, (request, response) => {
    if (request.url === "/index.yaml") response.end(JSON.stringify({ apiVersion: "v1", entries }));
    else if (request.url === "/web-0.1.0.tgz") response.end(packageChart(chartOf({})));
    else response.writeHead(404).end();
  });
  const charts = chartSourceFrom(
    openRepositoryEnvironment({ env: {}, home, clock: new RealClock(), warn: () => undefined, signal, timeoutMs: 5000 }),
  );
  const ref = (chartName: string, chartVersion: string) => chartRef(url, chartName, chartVersion);
  assert.equal(loadedChart(await charts(ref("mine/web", "0.1.0"), { signal })).metadata.version, "0.1.0");
  assert.equal(loadedChart(await charts(ref("web", "0.1.0"), { signal })).metadata.name, "web");
  await assert.rejects(charts(ref("mine/web", "0.2.0"), { signal }), /load chart web 0\.2\.0 of http:.*not found/);
});

const entry = (version: string) => ({ name: "web", version, urls: [`web-${version}.tgz`] });

test("a worker searches a large index, and a small one is searched here", async (t) => {
  const home = mkdtempSync(`${tmpdir()}/sluice-charts-`);
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const indexes: Readonly<Record<string, string>> = {
    small: JSON.stringify({ apiVersion: "v1", entries: { web: [entry("0.1.0")] } }),
    large: JSON.stringify({ apiVersion: "v1", entries: { web: Array.from({ length: 2000 }, (_, at) => entry(`0.1.${at}`)) } }),
    invalid: JSON.stringify({ apiVersion: "v1", entries: { web: [entry("0.1.0"), ...Array.from({ length: 5000 }, () => entry(""))] } }),
    broken: `apiVersion: v1\nentries: {${"web: [],".repeat(10_000)}}\n`,
  };
  const { url } = await serveHttp(t, (request, response) => {
    const [, repository = "", file] = (request.url ?? "").split("/");
    response.end(file === "index.yaml" ? indexes[repository] : packageChart(chartOf({})));
  });
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  const charts = chartSourceFrom(openRepositoryEnvironment({ env: {}, home, clock: new RealClock(), warn, signal }));
  const pool = channelTasks({ now: () => 0, randomBytes: (count) => new Uint8Array(count) });
  const handlers: string[] = [];
  const tasks = new OwnedTasks({ run: (task, options) => (handlers.push(task.handler), pool.run(task, options)) }, summaryScope, signal);
  const load = async (repository: string, version: string) =>
    loadedChart(await charts(chartRef(`${url}/${repository}`, "web", version), { signal, tasks })).metadata.name;
  assert.equal(await load("small", "0.1.0"), "web");
  assert.deepEqual(handlers, []);
  assert.equal(await load("large", "0.1.1999"), "web");
  await assert.rejects(load("large", "0.1.2000"), /chart "web" version "0\.1\.2000" not found in http/);
  assert.deepEqual(warnings, []);
  assert.equal(await load("invalid", "0.1.0"), "web");
  assert.equal(warnings.length, 101);
  assert.match(warnings[100] ?? "", /^4900 more invalid entries are in http/);
  await assert.rejects(load("broken", "0.1.0"), /is not a valid chart repository or cannot be reached: .*key "web" already set in map/s);
  assert.deepEqual(handlers, ["index", "index", "index", "index"]);
});

// A chart that Helm 4.2.4 has signed, and the public key.
const recorded = (name: string) => readFileSync(new URL(`../../../repository/recorded/${name}`, import.meta.url));

test("a chart of a profile with a keyring must be signed by a key of it, here and in a worker", async (t) => {
  const home = mkdtempSync(`${tmpdir()}/sluice-charts-`);
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const keyring = recorded("pubring.gpg");
  const archive = recorded("demo-0.1.0.tgz");
  const index = JSON.stringify({ apiVersion: "v1", entries: { demo: [{ name: "demo", version: "0.1.0", urls: ["demo-0.1.0.tgz"] }] } });
  const { url } = await serveHttp(t, (request, response) => {
    const [, repository, file] = (request.url ?? "").split("/");
    if (file === "index.yaml") response.end(index);
    else if (file === "demo-0.1.0.tgz") response.end(repository === "changed" ? packageChart(chartOf({})) : archive);
    else if (repository === "unsigned") response.writeHead(404).end();
    else response.end(recorded("demo-0.1.0.tgz.prov"));
  });
  const charts = chartSourceFrom(openRepositoryEnvironment({ env: {}, home, clock: new RealClock(), warn: () => undefined, signal }));
  const pool = channelTasks({ now: () => Date.parse("2026-11-17T00:00:00Z"), randomBytes: (count) => new Uint8Array(count) });
  for (const tasks of [undefined, new OwnedTasks(pool, summaryScope, signal)]) {
    const load = async (repository: string, keys: Uint8Array) =>
      loadedChart(await charts(chartRef(`${url}/${repository}`, "demo", "0.1.0"), { signal, tasks, keyring: keys })).metadata.name;
    assert.equal(await load("signed", keyring), "demo");
    await assert.rejects(load("unsigned", keyring), /load chart demo 0\.1\.0 of .*failed to fetch provenance/);
    await assert.rejects(load("changed", keyring), /sha256 sum does not match for demo-0\.1\.0\.tgz/);
    await assert.rejects(load("signed", new Uint8Array()), /verify the provenance of demo-0\.1\.0\.tgz/);
  }
});

test("a chart that cannot be fetched may be there the next time", async (t) => {
  const home = mkdtempSync(`${tmpdir()}/sluice-charts-`);
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const charts = chartSourceFrom(openRepositoryEnvironment({ env: {}, home, clock: new RealClock(), warn: () => undefined, signal }));
  const server = await serveHttp(t, (_, response) => response.writeHead(404).end());
  await assert.rejects(charts(chartRef(server.url, "web", "0.1.0"), { signal }), { final: false, message: /404/ });
  await server.close();
  await assert.rejects(charts(chartRef(server.url, "web", "0.1.0"), { signal }), { final: false, message: /cannot be reached/ });
});
