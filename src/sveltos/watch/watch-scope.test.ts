import assert from "node:assert/strict";
import { test } from "node:test";
import { covers, watchScopeOf } from "./watch-scope.ts";

const anything = { namespace: "", name: "", selector: {} };
const web = { ...anything, selector: { matchLabels: { app: "web" } } };
const inA = { ...anything, namespace: "a" };
const webInA = { ...web, namespace: "a" };
const named = { ...inA, name: "x" };

const cases = [
  { of: [anything], scope: {} },
  { of: [web], scope: { labelSelector: "app=web" } },
  { of: [web, web], scope: { labelSelector: "app=web" } },
  { of: [web, anything], scope: {} },
  { of: [inA, webInA], scope: { namespace: "a" } },
  { of: [web, webInA], scope: { labelSelector: "app=web" } },
  { of: [named], scope: { namespace: "a", fieldSelector: "metadata.name=x" } },
  { of: [named, inA], scope: { namespace: "a" } },
  { of: [inA, { ...anything, namespace: "b" }], scope: {} },
];

for (const { of, scope } of cases) {
  test(`${JSON.stringify(of)} needs scope ${JSON.stringify(scope)}`, () => {
    assert.deepEqual(watchScopeOf(of), scope);
    assert.ok(covers(scope, of));
    assert.ok(covers({}, of));
    assert.equal(covers({ ...scope, namespace: "elsewhere" }, of), false);
  });
}
