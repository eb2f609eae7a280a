import assert from "node:assert/strict";
import test from "node:test";
import { toPlain } from "../lang/template/index.ts";
import { loadChart, readValues, userValues, valuesForUpgrade, type Reuse, type ValueSources } from "./index.ts";
import { chartFiles } from "../../test/support/chart/recorded-cases.ts";

const file = (text: string, name = "v.yaml") => ({ name, text });

const merged: readonly (readonly [string, ValueSources, unknown])[] = [
  ["nothing", {}, {}],
  [
    "later files win, tables are merged, nulls stay",
    { files: [file("a: {b: 1, c: 2}"), file("a: {b: 3, d: null}")] },
    { a: { b: 3, c: 2, d: null } },
  ],
  ["--set wins over files", { files: [file("a: 1")], typed: ["a=2,b.c=x"] }, { a: 2, b: { c: "x" } }],
  ["--set wins over --set-json", { json: ['a={"b":1}', '{"c":[2]}'], typed: ["a.b=3"] }, { a: { b: 3 }, c: [2] }],
  ["--set-string wins over --set", { typed: ["a=1"], texts: ["a=2"] }, { a: "2" }],
  ["--set-file reads", { texts: ["a=1"], fileLines: ["a=x.txt"], readFile: (path) => `in ${path}` }, { a: "in x.txt" }],
  ["--set-literal comes last and takes all", { texts: ["a=1"], literals: ["a={x,y}\\,"] }, { a: "{x,y}\\," }],
];

for (const [what, sources, expected] of merged) test(`values: ${what}`, () => assert.deepEqual(toPlain(userValues(sources)), expected));

// In the words of helm pkg/cli/values.
const refused: readonly (readonly [ValueSources, RegExp])[] = [
  [
    { files: [file("- a", "my.yaml")] },
    /^failed to parse my.yaml: cannot unmarshal yaml document: .*cannot unmarshal array into Go value of type map\[string\]interface \{\}$/,
  ],
  [{ json: ["{a"] }, /^failed parsing --set-json data JSON: \{a$/],
  [{ json: ["a=[1"] }, /^failed parsing --set-json data a=\[1$/],
  [{ typed: ["a"] }, /^failed parsing --set data: key "a" has no value$/],
  [{ texts: ["a={b"] }, /^failed parsing --set-string data: list must terminate with '}'$/],
  [{ fileLines: ["a=none"] }, /^failed parsing --set-file data: open none: no such file or directory$/],
  [{ literals: ["a[x]=1"] }, /^failed parsing --set-literal data: error parsing index: strconv.Atoi: parsing "x": invalid syntax$/],
];

for (const [sources, message] of refused) test(`refused: ${String(message)}`, () => assert.throws(() => userValues(sources), { message }));

// What a user gives, what becomes of it and of the chart's defaults. From helm pkg/action/upgrade.go.
const upgrades: readonly (readonly [Reuse, string, unknown, unknown])[] = [
  ["when none are given", "", { a: 1, b: 2 }, { d: "new" }],
  ["when none are given", "c: 3", { c: 3 }, { d: "new" }],
  ["reset", "c: 3", { c: 3 }, { d: "new" }],
  ["reset", "", {}, { d: "new" }],
  ["reset, then reuse", "a: 5", { a: 5, b: 2 }, { d: "new" }],
  ["reuse", "a: null\nc: 3", { b: 2, c: 3 }, { a: 1, b: 2, d: "old" }],
];

for (const [reuse, given, values, defaults] of upgrades) {
  test(`an upgrade (${reuse}) given ${JSON.stringify(given)}`, () => {
    const previous = { chart: chartOf("d: old"), config: readValues("a: 1\nb: 2") };
    const upgraded = valuesForUpgrade(chartOf("d: new"), readValues(given), previous, reuse);
    assert.deepEqual([toPlain(upgraded.values), toPlain(upgraded.chart.values)], [values, defaults]);
  });
}

function chartOf(values: string) {
  return loadChart(chartFiles({ "Chart.yaml": "name: top\nversion: 1.0.0", "values.yaml": values }));
}
