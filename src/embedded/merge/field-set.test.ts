import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  difference,
  has,
  intersection,
  isEmpty,
  leaf,
  leaves,
  pathsOf,
  recursiveDifference,
  setOf,
  union,
  type FieldSet,
} from "./field-set.ts";
import { parseFieldsV1 } from "./fields-v1.ts";
import { excluding, including } from "./filter.ts";
import { set, shown } from "../../../test/support/embedded/merge-fixture.ts";
import { pathText } from "./path-element.ts";

/** `a, b` operation → result; each set is a list of paths. */
const table: readonly (readonly [string, (a: FieldSet, b: FieldSet) => FieldSet, string, string, string])[] = [
  ["union", union, "a.b c", "a.b.d c e", ".a.b .a.b.d .c .e"],
  ["union makes a parent a member", union, "a.b", "a", ".a .a.b"],
  ["intersection", intersection, "a.b a.c d", "a.b a.d d.e", ".a.b"],
  ["intersection of parents", intersection, "a a.b", "a a.c", ".a"],
  ["difference", difference, "a.b a.c d", "a.b", ".a.c .d"],
  ["parent less child is parent", difference, "a", "a.b", ".a"],
  ["child less parent is child", difference, "a.b", "a", ".a.b"],
  ["parent with child less parent", difference, "a a.b", "a", ".a.b"],
  ["parent with child less child", difference, "a a.b", "a.b", ".a"],
  ["recursive difference takes what is below", recursiveDifference, "a a.b.c d", "a", ".d"],
  ["recursive difference leaves the parent", recursiveDifference, "a a.b a.b.c a.d", "a.b", ".a .a.d"],
];

for (const [title, operation, a, b, expected] of table)
  test(title, () => {
    assert.equal(shown(operation(set(...a.split(" ")), set(...b.split(" ")))), expected);
  });

test("leaves are the members with nothing below them", () => {
  assert.equal(shown(leaves(set("a", "a.b", "a.b.c", "d"))), ".a.b.c .d");
});

test("what an operation does not change is shared", () => {
  const large = set("a.b.c", "a.d", "e.f");
  assert.equal(union(large, set("a.d")), large);
  assert.equal(difference(large, set("a.x", "y")), large);
  assert.equal(difference(large, set("a.d"))["f:e"], large["f:e"]);
});

test("a filter takes out fields with all below, or keeps what matches", () => {
  assert.equal(shown(excluding(set("status"))(set("status.phase", "spec.replicas"))), ".spec.replicas");
  const containers = setOf(
    ["spec", "containers", 'k:{"name":"a"}', "resources", "limits"],
    ["spec", "containers", 'k:{"name":"a"}', "image"],
  );
  assert.equal(shown(including(["spec", "containers", "*", "resources"])(containers)), '.spec.containers[name="a"].resources.limits');
});

const step = fc.oneof(
  fc.constantFrom("f:a", "f:b", "f:c", 'k:{"name":"x"}', 'k:{"name":"y"}', 'k:{"port":9}', 'k:{"port":80}', "v:1", 'v:"s"', "i:0"),
);
const anySet = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }).map((paths) => setOf(...paths));

function text(fieldSet: FieldSet): string {
  return JSON.stringify(fieldSet);
}

function members(fieldSet: FieldSet): Set<string> {
  return new Set(pathsOf(fieldSet).map((path) => path.join("/")));
}

test("the operations are those of sets, member by member", () => {
  fc.assert(
    fc.property(anySet, anySet, (a, b) => {
      assert.deepEqual(members(union(a, b)), members(a).union(members(b)));
      assert.deepEqual(members(intersection(a, b)), members(a).intersection(members(b)));
      assert.deepEqual(members(difference(a, b)), members(a).difference(members(b)));
      for (const path of pathsOf(a)) assert.ok(has(a, path), pathText(path));
    }),
  );
});

test("sets that are equal are written alike, however they came about", () => {
  fc.assert(
    fc.property(anySet, anySet, anySet, (a, b, c) => {
      assert.equal(text(union(a, b)), text(union(b, a)));
      assert.equal(text(union(union(a, b), c)), text(union(a, union(b, c))));
      assert.equal(text(intersection(a, b)), text(intersection(b, a)));
      assert.equal(text(difference(difference(a, b), c)), text(difference(a, union(b, c))));
      assert.equal(text(union(difference(a, b), intersection(a, b))), text(a));
    }),
  );
});

test("what is left by a recursive difference is not below anything taken", () => {
  fc.assert(
    fc.property(anySet, anySet, (a, b) => {
      const rest = members(recursiveDifference(a, b));
      const gone = [...members(b)];
      const expected = [...members(a)].filter((path) => !gone.some((each) => path === each || path.startsWith(`${each}/`)));
      assert.deepEqual(rest, new Set(expected));
    }),
  );
});

test("fieldsV1 goes out and comes back the same", () => {
  fc.assert(
    fc.property(anySet, (a) => {
      const wire: unknown = JSON.parse(text(a));
      const back = parseFieldsV1(wire);
      assert.equal(text(back), text(a));
      if (!isEmpty(a)) assert.equal(back, wire);
    }),
  );
});

test("fieldsV1 that somebody else wrote is put in order", () => {
  const foreign = {
    "v: 3": {},
    "f:b": { 'k:{ "b":1, "a":2}': {}, ".": {}, "f:a": null },
    "f:a": {},
    "x:unknown": { "f:c": {} },
    "f:c": { "x:unknown": {} },
  };
  assert.equal(text(parseFieldsV1(foreign)), '{"f:a":{},"f:b":{".":{},"f:a":{},"k:{\\"a\\":2,\\"b\\":1}":{}},"f:c":{},"v:3":{}}');
  assert.deepEqual(parseFieldsV1(undefined), leaf);
  assert.throws(() => parseFieldsV1({ "f:a": 1 }), SyntaxError);
  assert.throws(() => parseFieldsV1({ bad: {} }), SyntaxError);
});
