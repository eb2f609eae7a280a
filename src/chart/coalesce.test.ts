import assert from "node:assert/strict";
import test from "node:test";
import { GoMap, toPlain } from "../lang/template/index.ts";
import { coalesceTables, coalesceValues, loadChart, mergeValues, readValues, type Chart } from "./index.ts";
import { chartFiles } from "../../test/support/chart/recorded-cases.ts";

type Case = {
  readonly what: string;
  readonly chart?: string;
  /** Defaults of a chart `sub` in it. */
  readonly sub?: string;
  readonly user?: string;
  readonly gives: unknown;
  readonly helm3?: unknown;
  readonly warns?: string;
};

// Results of Helm 4.2.4. Those of Helm 3 follow pkg/chartutil/coalesce.go of 3.21.4.
const cases: readonly Case[] = [
  {
    what: "a null takes a default away, and stays where there is none",
    chart: "keep: {a: 1, b: 2}",
    user: "keep: {a: null, new: null}",
    gives: { keep: { b: 2, new: null } },
  },
  {
    what: "nulls among defaults are dropped",
    chart: "a: null\nm: {x: null, z: 1}",
    gives: { m: { z: 1 } },
    helm3: { a: null, m: { x: null, z: 1 } },
  },
  { what: "nulls in lists stay", chart: "l: [{a: null}]", gives: { l: [{ a: null }] } },
  { what: "lists are replaced", chart: "l: [1, 2]", user: "l: [3]", gives: { l: [3] } },
  {
    what: "a null of a global reaches the charts further down",
    chart: "global: {g: 1}",
    sub: "x: 1",
    user: "global: {g: null}",
    gives: { global: {}, sub: { global: {}, x: 1 } },
  },
  {
    what: "globals go down, and the parent's win",
    chart: "global: {t: {u: 1}}",
    sub: "global: {t: {v: 2}, w: 3}",
    gives: { global: { t: { u: 1 } }, sub: { global: { t: { u: 1, v: 2 }, w: 3 } } },
  },
  {
    what: "a child's globals two levels down come up",
    chart: "global: {t: {d: {x: 1}}}",
    sub: "global: {t: {d: {z: 2}}}",
    gives: { global: { t: { d: { x: 1, z: 2 } } }, sub: { global: { t: { d: { x: 1, z: 2 } } } } },
  },
  {
    what: "a null for a child takes its default away",
    chart: "sub: {a: 1}",
    sub: "a: 2\nb: 3",
    user: "sub: {a: null}",
    gives: { sub: { b: 3, global: {} } },
  },
  {
    what: "a null of the parent's defaults gives way to the child's",
    chart: "sub: {a: null}",
    sub: "a: 2\nb: 3",
    gives: { sub: { a: 2, b: 3, global: {} } },
    helm3: { sub: { b: 3, global: {} } },
  },
  { what: "a scalar wins over a table", chart: "t: {a: 1}", user: "t: 5", gives: { t: 5 } },
  {
    what: "a table wins over a scalar, with a warning",
    chart: "t: 5",
    user: "t: {a: 1}",
    gives: { t: { a: 1 } },
    warns: "warning: skipped value for top.t: Not a table.",
  },
  {
    what: "globals that are no table",
    chart: "global: 5",
    sub: "x: 1",
    gives: { global: 5, sub: { x: 1 } },
    warns: "warning: skipping globals because source global is not a table.",
  },
];

for (const { what, chart = "", sub, user = "", gives, helm3 = gives, warns } of cases) {
  test(what, () => {
    const warnings: string[] = [];
    const warn = (warning: string) => void warnings.push(warning);
    assert.deepEqual(toPlain(coalesceValues(chartOf(chart, sub), readValues(user), { warn })), gives);
    assert.deepEqual(warnings, warns === undefined ? [] : [warns]);
    assert.deepEqual(toPlain(coalesceValues(chartOf(chart, sub), readValues(user), { helm: 3 })), helm3);
  });
}

test("values for a chart must be a table", () => {
  assert.throws(() => coalesceValues(chartOf("sub: 5", "x: 1"), new GoMap()), { message: "type mismatch on sub: %!t(float64=5)" });
});

test("merging keeps nulls", () => {
  assert.deepEqual(toPlain(mergeValues(chartOf("a: 1\nb: null"), readValues("a: null"))), { a: null, b: null });
});

test("the result shares nothing with its inputs", () => {
  const chart = chartOf("m: {l: [{x: 1}]}", "k: {z: 1}");
  const user = readValues("u: {v: [{w: 1}]}");
  const before = [toPlain(chart.values), toPlain(user)];
  mutate(coalesceValues(chart, user));
  assert.deepEqual([toPlain(chart.values), toPlain(user)], before);
  assert.deepEqual(toPlain(chart.dependencies[0]!.values), { k: { z: 1 } });
});

test("tables are put together without touching either", () => {
  const [values, defaults] = [readValues("a: {b: null, c: 1}"), readValues("a: {b: 2, d: 3}")];
  assert.deepEqual(toPlain(coalesceTables(values, defaults)), { a: { c: 1, d: 3 } });
  assert.deepEqual(toPlain(values), { a: { b: null, c: 1 } });
});

/** Writes into every map that can be reached. */
function mutate(value: unknown): void {
  if (value instanceof GoMap) {
    for (const element of value.values()) mutate(element);
    value.set("mutated", true);
  } else if (typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items)) value.items.forEach(mutate);
}

function chartOf(values: string, sub?: string): Chart {
  return loadChart(
    chartFiles({
      "Chart.yaml": "name: top\nversion: 1.0.0",
      "values.yaml": values,
      ...(sub === undefined ? {} : { "charts/sub/Chart.yaml": "name: sub\nversion: 1.0.0", "charts/sub/values.yaml": sub }),
    }),
  );
}
