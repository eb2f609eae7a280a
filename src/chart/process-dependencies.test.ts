import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { GoMap } from "../lang/template/index.ts";
import { coalesceValues, loadChart, missingDependencies, readValues, processDependencies, type Chart } from "./index.ts";
import { chartFiles, casesIn, typedJson } from "../../test/support/chart/recorded-cases.ts";

const recorded = readFileSync(new URL("recorded/dependency.jsonl", import.meta.url), "utf8");

type Tree = { readonly name: string; readonly charts: readonly Tree[]; readonly wanted: readonly string[] };
type Recorded = {
  readonly files: Readonly<Record<string, string>>;
  readonly user: string;
  readonly err?: string;
  readonly tree?: Tree;
  readonly values?: unknown;
  readonly warnings?: readonly string[];
};

for (const [index, { files, user, err, tree, values, warnings }] of casesIn<Recorded>(recorded).entries()) {
  test(`charts ${index} are settled as Helm settles them`, () => {
    const chart = loadChart(chartFiles(files));
    const given = readValues(user);
    const warned = new Set<string>();
    const warn = (warning: string) => void warned.add(warning);
    const settle = () => {
      const settled = processDependencies(chart, given, { warn });
      return { settled, coalesced: coalesceValues(settled, given, { warn }) };
    };
    if (err !== undefined) return assert.throws(settle, { message: err });
    const before = typedJson(given);
    const { settled, coalesced } = settle();
    assert.deepEqual(treeOf(settled), tree);
    assert.deepEqual(typedJson(coalesced), values);
    assert.deepEqual([...warned].toSorted(), warnings);
    // Nothing was mutated: a second run gives the same result, and the input is unchanged.
    assert.deepEqual(typedJson(settle().coalesced), values);
    assert.deepEqual(typedJson(given), before);
  });
}

function treeOf({ metadata, dependencies }: Chart): Tree {
  return { name: metadata.name, charts: dependencies.map(treeOf), wanted: (metadata.dependencies ?? []).map(({ name }) => name) };
}

const twice = {
  "Chart.yaml": `
apiVersion: v2
name: top
version: 1.0.0
dependencies:
  - { name: db, version: 1.x, alias: one, condition: one.enabled }
  - { name: db, version: 1.x, alias: two, condition: two.enabled }
  - { name: cache, version: 1.x }`,
  "charts/db/Chart.yaml": "name: db\nversion: 1.2.3",
  "charts/db/values.yaml": "size: 1",
};

test("a chart can be there twice under other names, and each can be switched off", () => {
  const chart = loadChart(chartFiles(twice));
  const named = (values: string) => processDependencies(chart, readValues(values)).dependencies.map(({ metadata }) => metadata.name);
  assert.deepEqual(named(""), ["one", "two"]);
  assert.deepEqual(named("one: {enabled: false}"), ["two"]);
  assert.deepEqual(named("one: {enabled: false}\ntwo: {enabled: false}"), []);
});

test("what is decided for the same chart once more is the same chart", () => {
  const chart = loadChart(chartFiles(twice));
  const settle = (values: string) => processDependencies(chart, readValues(values));
  assert.equal(settle("a: 1"), settle("a: 2"));
  assert.notEqual(settle("a: 1"), settle("one: {enabled: false}"));
});

test("charts that are asked for and not there are named", () => {
  assert.deepEqual(missingDependencies(loadChart(chartFiles(twice))), ["cache"]);
});

test("values of thousands of levels are imported, twice into one table too", () => {
  const deep = `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`;
  const imports = "import-values: [{ child: data, parent: got }]";
  const chart = loadChart(
    chartFiles({
      "Chart.yaml": `name: top\nversion: 1.0.0\ndependencies:\n  - { name: one, version: 1.x, ${imports} }\n  - { name: two, version: 1.x, ${imports} }`,
      "charts/one/Chart.yaml": "name: one\nversion: 1.0.0",
      "charts/one/values.yaml": `data: { x: ${deep} }`,
      "charts/two/Chart.yaml": "name: two\nversion: 1.0.0",
      "charts/two/values.yaml": `data: { x: ${deep} }`,
    }),
  );
  let table = processDependencies(chart, new GoMap()).values.get("got");
  let levels = 0;
  for (; table instanceof GoMap; table = [...table.values()][0]) levels++;
  assert.deepEqual([levels, table], [3001, 1]);
});

test("an import that puts a table inside itself is refused", () => {
  const files = {
    "Chart.yaml": `
apiVersion: v2
name: top
version: 1.0.0
dependencies:
  - name: sub
    version: 1.x
    import-values: [{ child: k, parent: a }, { child: k, parent: a.b }, { child: k.b, parent: a.b.b }]`,
    "charts/sub/Chart.yaml": "name: sub\nversion: 1.0.0",
    "charts/sub/values.yaml": "k: {b: {}}",
  };
  const chart = loadChart(chartFiles(files));
  assert.throws(() => processDependencies(chart, new GoMap()), { message: 'import-values of chart "top" put a table inside itself' });
});
