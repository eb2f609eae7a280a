import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  setDifference,
  hasPath,
  setIntersection,
  isEmptySet,
  leafNode,
  leaves,
  memberPathsOf,
  recursiveSetDifference,
  fieldSetOf,
  setUnion,
  type FieldSet,
} from "./field-set.ts";
import { parseFieldsV1 } from "./fields-v1.ts";
import { excluding, including } from "./field-set-filter.ts";
import { fieldSetAt, fieldSetText } from "../../../test/support/embedded/workload-type.ts";
import { elementPathText } from "./path-element.ts";

/** `a, b` operation → result; each set is a list of paths. */
const table: readonly (readonly [string, (a: FieldSet, b: FieldSet) => FieldSet, string, string, string])[] = [
  ["union", setUnion, "a.b c", "a.b.d c e", ".a.b .a.b.d .c .e"],
  ["union makes a parent a member", setUnion, "a.b", "a", ".a .a.b"],
  ["intersection", setIntersection, "a.b a.c d", "a.b a.d d.e", ".a.b"],
  ["intersection of parents", setIntersection, "a a.b", "a a.c", ".a"],
  ["difference", setDifference, "a.b a.c d", "a.b", ".a.c .d"],
  ["parent less child is parent", setDifference, "a", "a.b", ".a"],
  ["child less parent is child", setDifference, "a.b", "a", ".a.b"],
  ["parent with child less parent", setDifference, "a a.b", "a", ".a.b"],
  ["parent with child less child", setDifference, "a a.b", "a.b", ".a"],
  ["recursive difference takes what is below", recursiveSetDifference, "a a.b.c d", "a", ".d"],
  ["recursive difference leaves the parent", recursiveSetDifference, "a a.b a.b.c a.d", "a.b", ".a .a.d"],
];

for (const [title, operation, a, b, expected] of table)
  test(title, () => {
    assert.equal(fieldSetText(operation(fieldSetAt(...a.split(" ")), fieldSetAt(...b.split(" ")))), expected);
  });

test("leaves are the members with nothing below them", () => {
  assert.equal(fieldSetText(leaves(fieldSetAt("a", "a.b", "a.b.c", "d"))), ".a.b.c .d");
});

test("what an operation does not change is shared", () => {
  const large = fieldSetAt("a.b.c", "a.d", "e.f");
  assert.equal(setUnion(large, fieldSetAt("a.d")), large);
  assert.equal(setDifference(large, fieldSetAt("a.x", "y")), large);
  assert.equal(setDifference(large, fieldSetAt("a.d"))["f:e"], large["f:e"]);
});

test("a filter excludes fields with everything below, or includes what matches", () => {
  assert.equal(fieldSetText(excluding(fieldSetAt("status"))(fieldSetAt("status.phase", "spec.replicas"))), ".spec.replicas");
  const containers = fieldSetOf(
    ["spec", "containers", 'k:{"name":"a"}', "resources", "limits"],
    ["spec", "containers", 'k:{"name":"a"}', "image"],
  );
  assert.equal(
    fieldSetText(including(["spec", "containers", "*", "resources"])(containers)),
    '.spec.containers[name="a"].resources.limits',
  );
});

const step = fc.oneof(
  fc.constantFrom("f:a", "f:b", "f:c", 'k:{"name":"x"}', 'k:{"name":"y"}', 'k:{"port":9}', 'k:{"port":80}', "v:1", 'v:"s"', "i:0"),
);
const anySet = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }).map((paths) => fieldSetOf(...paths));

function text(fieldSet: FieldSet): string {
  return JSON.stringify(fieldSet);
}

function members(fieldSet: FieldSet): Set<string> {
  return new Set(memberPathsOf(fieldSet).map((path) => path.join("/")));
}

test("the operations are those of sets, member by member", () => {
  fc.assert(
    fc.property(anySet, anySet, (a, b) => {
      assert.deepEqual(members(setUnion(a, b)), members(a).union(members(b)));
      assert.deepEqual(members(setIntersection(a, b)), members(a).intersection(members(b)));
      assert.deepEqual(members(setDifference(a, b)), members(a).difference(members(b)));
      for (const path of memberPathsOf(a)) assert.ok(hasPath(a, path), elementPathText(path));
    }),
  );
});

test("sets that are equal are written alike, however they came about", () => {
  fc.assert(
    fc.property(anySet, anySet, anySet, (a, b, c) => {
      assert.equal(text(setUnion(a, b)), text(setUnion(b, a)));
      assert.equal(text(setUnion(setUnion(a, b), c)), text(setUnion(a, setUnion(b, c))));
      assert.equal(text(setIntersection(a, b)), text(setIntersection(b, a)));
      assert.equal(text(setDifference(setDifference(a, b), c)), text(setDifference(a, setUnion(b, c))));
      assert.equal(text(setUnion(setDifference(a, b), setIntersection(a, b))), text(a));
    }),
  );
});

test("what is left by a recursive difference is not below anything taken", () => {
  fc.assert(
    fc.property(anySet, anySet, (a, b) => {
      const rest = members(recursiveSetDifference(a, b));
      const gone = [...members(b)];
      const expected = [...members(a)].filter((path) => !gone.some((each) => path === each || path.startsWith(`${each}/`)));
      assert.deepEqual(rest, new Set(expected));
    }),
  );
});

test("fieldsV1 survives a round trip", () => {
  fc.assert(
    fc.property(anySet, (a) => {
      const wire: unknown = JSON.parse(text(a));
      const back = parseFieldsV1(wire);
      assert.equal(text(back), text(a));
      if (!isEmptySet(a)) assert.equal(back, wire);
    }),
  );
});

test("fieldsV1 of a client is sorted", () => {
  const foreign = {
    "v: 3": {},
    "f:b": { 'k:{ "b":1, "a":2}': {}, ".": {}, "f:a": null },
    "f:a": {},
    "x:unknown": { "f:c": {} },
    "f:c": { "x:unknown": {} },
  };
  assert.equal(text(parseFieldsV1(foreign)), '{"f:a":{},"f:b":{".":{},"f:a":{},"k:{\\"a\\":2,\\"b\\":1}":{}},"f:c":{},"v:3":{}}');
  assert.deepEqual(parseFieldsV1(undefined), leafNode);
  assert.throws(() => parseFieldsV1({ "f:a": 1 }), SyntaxError);
  assert.throws(() => parseFieldsV1({ bad: {} }), SyntaxError);
});
