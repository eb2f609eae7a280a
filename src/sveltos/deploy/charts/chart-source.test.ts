import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { serveHttp } from "../../../../test/support/loopback.ts";
import type { HelmChartRef } from "../../api/index.ts";
import { RealClock } from "../../../core/clock/index.ts";
import { openRepositoryEnvironment, packageChart } from "../../../repository/index.ts";
import { chartSourceFrom } from "./chart-source.ts";

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
  assert.equal((await charts(ref("mine/web", "0.1.0"), { signal })).chart.metadata.version, "0.1.0");
  assert.equal((await charts(ref("web", "0.1.0"), { signal })).chart.metadata.name, "web");
  await assert.rejects(charts(ref("mine/web", "0.2.0"), { signal }), /load chart web 0\.2\.0 of http:.*not found/);
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
