import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { parseHelmIgnore } from "./index.ts";
import { pathMatcher } from "./path-matcher.ts";

// Rules, a path (folders end in a slash), whether it is left out. From helm pkg/ignore's own cases and rules.go.
const cases: readonly (readonly [string, string, boolean])[] = [
  ["helm.txt", "helm.txt", true],
  ["helm.*", "helm.txt", true],
  ["helm.*", "rudder.txt", false],
  ["*.txt", "cargo/a.txt", true],
  ["cargo", "cargo/", true],
  ["cargo/", "cargo/", true],
  ["cargo/", "mast/a", false],
  ["helm.txt/", "helm.txt", false],
  ["cargo/*.txt", "cargo/a.txt", true],
  ["cargo/*.*", "mast/a.txt", false],
  ["/a.txt", "a.txt", true],
  ["/a.txt", "cargo/a.txt", false],
  ["mast/*", "mast/", false],
  ["# cargo", "# cargo", false],
  ["", "anything", false],
  ["  a.txt  ", "a.txt", true],
  ["[ab].txt", "b.txt", true],
  ["[^ab].txt", "b.txt", false],
  ["a-values.yaml", "a-values.yaml", true],
  ["!helm.txt", "tiller.txt", true],
  ["!helm.txt", "helm.txt", false],
  ["!*/", "cargo", true],
  ["", "templates/.swp", true],
  ["", "templates/a.yaml", false],
  ["\uFEFFa", "a", true],
];

for (const [rules, path, expected] of cases) {
  test(`${JSON.stringify(rules)} ${expected ? "leaves out" : "keeps"} ${path}`, () => {
    assert.equal(parseHelmIgnore(rules)(path.replace(/\/$/, ""), path.endsWith("/")), expected);
  });
}

test("what Helm does not take for a rule is refused", () => {
  assert.throws(() => parseHelmIgnore("a/**/b"), { message: "double-star (**) syntax is not supported" });
  assert.throws(() => parseHelmIgnore("[a"), { message: "syntax error in pattern" });
});

test("a path without signs matches itself", () => {
  fc.assert(fc.property(fc.stringMatching(/^[^*?[\]\\]+$/u), (path) => pathMatcher(path)(path)));
});

// Pattern, path, and what Go 1.26 filepath.Match says.
const matched: readonly (readonly [string, string, boolean])[] = [
  ["a[^b]c", "a/c", true],
  ["a[.-0]c", "a/c", true],
  ["a?c", "a/c", false],
  ["*c", "a/c", false],
  ["[^a]*", "é", true],
  ["a*b*c", "axbyc", true],
  ["*/*", "a/b", true],
  ["[z-a]", "b", false],
  ["[^z-a]", "b", true],
];

for (const [pattern, path, expected] of matched) {
  test(`${pattern} ${expected ? "matches" : "does not match"} ${path}`, () => assert.equal(pathMatcher(pattern)(path), expected));
}

test("no pattern takes long", { timeout: 10_000 }, () => {
  assert.equal(pathMatcher(`${"a*".repeat(500)}b`)("a".repeat(2000)), false);
});
