import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { labelSelectorText, labelSelectorOf, parseLabelSelector } from "../../core/object/index.ts";
import { clusterSelector, matches, selectorFor, selectorOfText, selectsCluster, type LabelFilter } from "./selector.ts";
import type { ReadIssues } from "./shape/index.ts";

const prod = { env: "prod", tier: "a" };

const texts: readonly (readonly [text: string, form: object, selected: boolean])[] = [
  ["env=prod", { matchLabels: { env: "prod" } }, true],
  [
    "env==prod,tier in (a,b)",
    { matchLabels: { env: "prod" }, matchExpressions: [{ key: "tier", operator: "In", values: ["a", "b"] }] },
    true,
  ],
  ["env!=prod", { matchExpressions: [{ key: "env", operator: "NotIn", values: ["prod"] }] }, false],
  ["tier notin (b)", { matchExpressions: [{ key: "tier", operator: "NotIn", values: ["b"] }] }, true],
  ["env", { matchExpressions: [{ key: "env", operator: "Exists" }] }, true],
  ["!env", { matchExpressions: [{ key: "env", operator: "DoesNotExist" }] }, false],
  ["env=prod,env=fv", { matchLabels: { env: "prod" }, matchExpressions: [{ key: "env", operator: "In", values: ["fv"] }] }, false],
  ["", {}, false],
];

for (const [text, form, selected] of texts) {
  test(`text as a selector of clusters: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(selectorOfText(text), form);
    assert.equal(selectsCluster(selectorOfText(text), prod), selected);
  });
}

test("an empty selector selects no cluster, and everything else", () => {
  assert.equal(selectsCluster({}, prod), false);
  assert.equal(selectsCluster({ matchLabels: {}, matchExpressions: [] }, prod), false);
  assert.equal(matches({}, prod), true);
  assert.equal(matches({}, undefined), true);
});

const filters: readonly (readonly [filter: LabelFilter, labels: Record<string, string> | undefined, matching: boolean])[] = [
  [{ key: "env", operation: "Equal", value: "prod" }, prod, true],
  [{ key: "env", operation: "Equal", value: "fv" }, prod, false],
  [{ key: "env", operation: "Equal" }, { env: "" }, true],
  [{ key: "env", operation: "Different", value: "fv" }, prod, true],
  [{ key: "env", operation: "Different", value: "fv" }, undefined, true],
  [{ key: "env", operation: "Different", value: "prod" }, prod, false],
  [{ key: "env", operation: "Has" }, prod, true],
  [{ key: "env", operation: "Has", value: "ignored" }, prod, true],
  [{ key: "env", operation: "Has" }, {}, false],
  [{ key: "env", operation: "DoesNotHave" }, {}, true],
  [{ key: "env", operation: "DoesNotHave" }, prod, false],
];

for (const [filter, labels, matching] of filters) {
  test(`a label filter: ${JSON.stringify(filter)} on ${JSON.stringify(labels)}`, () => {
    assert.equal(matches(selectorFor([filter]), labels), matching);
  });
}

test("filters and selector must all hold", () => {
  const selector = selectorFor([{ key: "env", operation: "Equal", value: "prod" }], { matchLabels: { tier: "a" } });
  assert.equal(matches(selector, prod), true);
  assert.equal(matches(selector, { env: "prod", tier: "b" }), false);
  assert.equal(matches(selector, { tier: "a" }), false);
});

const unreadable: readonly (readonly [value: unknown, problem: RegExp])[] = [
  [3, /^found 3, expected a label selector/],
  [["env"], /^found \["env"\], expected a label selector/],
  ["env in", /^found "env in", expected a label selector: /],
  ["env>3", /^found "env>3", expected a label selector: a comparison \(>\) is not supported/],
  [{ matchLabels: { env: 3 } }, /^found 3, expected a string$/],
  [{ matchLabels: { "a b": "c" } }, /^key: Invalid value: "a b"/],
  [{ matchExpressions: [{ key: "env", operator: "Equals", values: ["a"] }] }, /"Equals" is not a valid label selector operator/],
  [{ matchExpressions: [{ operator: "Exists" }] }, /^is missing$/],
];

for (const [value, problem] of unreadable) {
  test(`a selector that cannot be read: ${JSON.stringify(value)}`, () => {
    const issues: ReadIssues = { problems: [], refused: [] };
    clusterSelector.read(value, "spec.clusterSelector", issues);
    assert.equal(issues.problems.length, 1, JSON.stringify(issues));
    assert.match(issues.problems[0]!.message, problem);
    assert.match(issues.problems[0]!.at, /^spec\.clusterSelector/);
  });
}

test("text and its object select the same labels", () => {
  const key = fc.constantFrom("a", "b", "c");
  const value = fc.constantFrom("x", "y", "z");
  const term = fc.oneof(
    fc.tuple(key, value).map(([k, v]) => `${k}=${v}`),
    fc.tuple(key, value).map(([k, v]) => `${k}!=${v}`),
    fc.tuple(key, fc.array(value, { minLength: 1 })).map(([k, v]) => `${k} in (${v.join(",")})`),
    fc.tuple(key, fc.array(value, { minLength: 1 })).map(([k, v]) => `${k} notin (${v.join(",")})`),
    key,
    key.map((k) => `!${k}`),
  );
  fc.assert(
    fc.property(fc.array(term), fc.dictionary(key, value), (terms, labels) => {
      const text = terms.join(",");
      assert.equal(matches(selectorOfText(text), labels), parseLabelSelector(text).matches(labels), text);
      assert.doesNotThrow(() => parseLabelSelector(labelSelectorText(labelSelectorOf(selectorOfText(text)))));
    }),
  );
});
