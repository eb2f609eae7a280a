import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { loadArchive, loadChart, unpackArchive } from "../chart/index.ts";
import { packageChart, packageFileName } from "./package-chart.ts";
import { metadataText, showChart } from "./show-chart.ts";

const file = (name: string, text: string) => ({ name, data: Buffer.from(text) });
const long = `templates/${"deep/".repeat(30)}ü.yaml`;
const chart = loadChart([
  file("values.yaml", "a: 1\n"),
  file("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\n# why\nannotations: {empty: ''}\n"),
  file("README.md", "# Web\n"),
  file("crds/a.yaml", "kind: CustomResourceDefinition\n"),
  file(long, "x\n"),
]);

test("a packed chart is the same chart, with Chart.yaml first", () => {
  const packed = packageChart(chart);
  assert.equal(packageFileName(chart), "web-1.2.3.tgz");
  assert.deepEqual(
    unpackArchive(packed).map(({ name }) => name),
    ["Chart.yaml", "values.yaml", "README.md", "crds/a.yaml", long],
  );
  assert.deepEqual(loadArchive(packed).metadata, chart.metadata);
  assert.deepEqual(packageChart(chart), packed);
});

test("every file comes back as it was, whatever its name and size", () => {
  const name = fc.stringMatching(/^[a-zé/]{1,150}$/).filter((path) => !/^\/|\/\/|\/$|charts|Chart/.test(path));
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ name, data: fc.uint8Array({ maxLength: 1500 }) }), { selector: (each) => each.name }),
      (files) => {
        const raw = [
          chart.raw.find((each) => each.name === "Chart.yaml")!,
          ...files.map((each) => ({ ...each, data: Buffer.concat([Buffer.from("."), each.data]) })),
        ];
        const back = unpackArchive(packageChart({ ...chart, raw }));
        assert.deepEqual(
          back.map((each) => [each.name, Buffer.from(each.data).toString("hex")]),
          raw.map((each) => [each.name, Buffer.from(each.data).toString("hex")]),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test("a chart is shown as Helm shows it", () => {
  const own = 'annotations:\n  empty: ""\napiVersion: v2\nname: web\nversion: 1.2.3\n';
  assert.equal(metadataText(chart.metadata), own);
  assert.equal(showChart(chart, "chart"), `${own}\n`);
  assert.equal(showChart(chart, "values"), "a: 1\n\n");
  assert.equal(showChart(chart, "readme"), "# Web\n\n");
  assert.equal(showChart(chart, "crds"), "---\nkind: CustomResourceDefinition\n\n");
  assert.equal(showChart(chart, "all"), `${own}\n---\na: 1\n\n---\n# Web\n\n---\nkind: CustomResourceDefinition\n\n`);
});
