import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { GoMap, toPlain } from "../lang/template/index.ts";
import { coalesceValues, loadArchive, loadChart, processDependencies, type Chart, type ChartFile } from "./index.ts";
import { packagedChart } from "../../test/support/chart/packaged-chart.ts";
import { chartFiles, casesIn } from "../../test/support/chart/recorded-cases.ts";

const recorded = readFileSync(new URL("recorded/load.jsonl", import.meta.url), "utf8");

type Recorded = {
  readonly files: Readonly<Record<string, string>>;
  readonly err?: string;
  readonly name?: string;
  readonly appVersion?: string;
  readonly templates?: readonly string[];
  readonly others?: readonly string[];
  readonly charts?: readonly string[];
  readonly values?: unknown;
};

// The results of Helm 4.2.4's LoadFiles.
for (const [index, { files, err, values, ...facts }] of casesIn<Recorded>(recorded).entries()) {
  test(`files ${index} load as Helm loads them`, () => {
    if (err !== undefined) return assert.throws(() => loadChart(chartFiles(files)), { message: err });
    const chart = loadChart(chartFiles(files));
    assert.deepEqual(factsOf(chart), facts);
    const settled = processDependencies(chart, new GoMap());
    assert.deepEqual(toPlain(coalesceValues(settled, new GoMap())), values);
  });
}

test("charts in charts/ come in the order of their folders, packed ones among them", () => {
  const chart = loadChart([
    ...chartFiles({ "Chart.yaml": "name: a\nversion: 1.0.0", "charts/z/Chart.yaml": "name: z\nversion: 1.0.0" }),
    { name: "charts/b-1.tgz", data: packagedChart({ "b/Chart.yaml": "name: b\nversion: 1.0.0", "b/templates/x.yaml": "x" }) },
  ]);
  assert.deepEqual(
    chart.dependencies.map(({ metadata }) => metadata.name),
    ["b", "z"],
  );
  assert.deepEqual(
    chart.dependencies[0]?.templates.map(({ name }) => name),
    ["templates/x.yaml"],
  );
});

test("a broken archive inside a chart is named", () => {
  const broken = { name: "charts/b.tgz", data: gzipSync("no tar at all, but long enough for a header".padEnd(600, ".")) };
  assert.throws(() => loadChart([...chartFiles({ "Chart.yaml": "name: a\nversion: 1.0.0" }), broken]), {
    message: "error unpacking subchart b.tgz in a: archive/tar: invalid tar header",
  });
});

test("a packed chart is the same chart", () => {
  const files = { "Chart.yaml": "name: a\nversion: 1.0.0", "values.yaml": "x: 1\n", "templates/t.yaml": "t" };
  const archive = packagedChart(Object.fromEntries(Object.entries(files).map(([name, text]) => [`anything/${name}`, text])));
  assert.deepEqual(factsOf(loadArchive(archive)), factsOf(loadChart(chartFiles(files))));
});

test("a chart of a later version gets a warning about requirements.yaml", () => {
  const warnings: string[] = [];
  const files = { "Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0", "requirements.yaml": "dependencies: [{name: b}]" };
  const chart = loadChart(chartFiles(files), (warning) => warnings.push(warning));
  assert.match(warnings.join(), /Dependencies are handled in Chart.yaml since apiVersion "v2"/);
  assert.deepEqual([chart.metadata.dependencies?.map(({ name }) => name), chart.files], [["b"], []]);
});

function names(files: readonly ChartFile[]): readonly string[] {
  return files.map(({ name }) => name);
}

function factsOf(chart: Chart) {
  return {
    name: chart.metadata.name,
    appVersion: chart.metadata.appVersion,
    templates: names(chart.templates),
    others: names(chart.files),
    charts: chart.dependencies.map(({ metadata }) => metadata.name).toSorted(),
  };
}
