import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { integerOf } from "../../core/object/index.ts";
import { item, planned } from "../../../test/support/plan/plan-notation.ts";
import { beginRevision } from "../record/index.ts";
import { digestOf } from "./canonical-digest.ts";
import { parseSavedPlan, savedPlanText, type Proposal, type SavedPlan } from "./index.ts";

const release = { name: "web", namespace: "shop" };
const huge = integerOf(12345678901234567890n);
const settings = item("ConfigMap", "c", {}, { data: { a: "1" }, spec: { huge } });
const live = { ...settings.item.object, data: { a: "0" } };
const proposal: Proposal = {
  release,
  operation: "install",
  plan: planned({ release: { ...release, revision: 1 }, desired: [settings] }),
  revision: beginRevision(release, "install", { manifest: "", hooks: [] }, { previous: undefined, at: "2026-01-01T00:00:00Z" }),
  unchanged: false,
  createsNamespace: false,
  warnings: [],
  basis: { revision: 0, record: "", objects: [{ ref: settings.ref, digest: "" }] },
  objects: [{ ref: settings.ref, live, next: live, sensitive: { whole: false, paths: [] } }],
};
const saved: SavedPlan = { cluster: { namespace: "kube-system", uid: "u" }, proposal };
const text = savedPlanText(saved);

test("what was saved is read back to the last digit, without the objects as they are", () => {
  const objects = [{ ref: settings.ref, sensitive: { whole: false, paths: [] } }];
  assert.equal(savedPlanText(parseSavedPlan(text, "f")), text);
  assert.deepEqual(JSON.parse(JSON.stringify(parseSavedPlan(text, "f").proposal)), JSON.parse(JSON.stringify({ ...proposal, objects })));
  assert.match(text, /"huge": 12345678901234567890/);
});

const nobodys = /^use the plan f: it is not a plan that sluice plan --save wrote$/;
const broken: Readonly<Record<string, readonly [string, RegExp]>> = {
  "an empty file": ["", nobodys],
  "no JSON": ["release: web\n", nobodys],
  "a list": ["[]", nobodys],
  "some other JSON": ['{"kind":"Plan"}', nobodys],
  "half a file": [text.slice(0, text.length / 2), nobodys],
  "another version": [
    text.replace('"version": 1', '"version": 2'),
    /it is of version 2, and this sluice reads version 1: draw it up again/,
  ],
  "no version": [text.replace(' "version": 1,\n', ""), /it is of version undefined/],
  "a manifest that was edited": [text.replace('"a": "1"', '"a": "2"'), /it is damaged, or somebody has edited it: draw it up again/],
  "something added": [text.replace('"proposal"', '"more": 1, "proposal"'), /it is damaged/],
  "a digest of something else": [
    JSON.stringify({ format: "sluice.dev/plan", version: 1, digest: digestOf({ a: 1 }), a: 1 }),
    /it does not hold a plan: draw it up again/,
  ],
};

for (const [what, [content, message]] of Object.entries(broken)) {
  test(`refused: ${what}`, () => assert.throws(() => parseSavedPlan(content, "f"), { message }));
}

test("a file of other blanks and another order of keys is the same plan", () => {
  const { format, version, digest, ...content } = JSON.parse(text) as Record<string, unknown>;
  const shuffled = JSON.stringify({ ...content, digest, version, format }).replace("12345678901234567000", "12345678901234567890");
  assert.equal(savedPlanText(parseSavedPlan(shuffled, "f")), text);
});

/** The same value with reversed keys. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]): [string, unknown] => [key, reversed(item)])
      .toReversed(),
  );
}

test("a digest minds every value and no order of keys", () => {
  const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
  fc.assert(fc.property(json, (value) => assert.equal(digestOf(reversed(value)), digestOf(value))));
  fc.assert(fc.property(json, json, (one, other) => assert.equal(digestOf(one) === digestOf(other), isSame(one, other))));
});

function isSame(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
