import assert from "node:assert/strict";
import { test } from "node:test";
import { compareTyped } from "./compare-typed.ts";
import { fieldSetOf } from "./field-set.ts";
import { fieldSetAt, fieldSetText, workloadType, workloadSchema } from "../../../test/support/embedded/workload-type.ts";
import { mergeTyped } from "./merge-typed.ts";
import { extractItems, removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { deducedType, resolverOf } from "./merge-type.ts";
import { reconcileFieldSet, ensureNamedFieldsAreMembers } from "./reconcile-field-set.ts";
import { typedErrorText, validateTyped } from "./validate-typed.ts";

const errors: readonly (readonly [string, unknown, string])[] = [
  [
    "a number for text",
    { metadata: { labels: { a: 8080 } } },
    ".metadata.labels.a: expected string, got &value.valueUnstructured{Value:8080}",
  ],
  ["text for a number", { spec: { replicas: "3" } }, ".spec.replicas: expected numeric (int or float), got string"],
  ["a list for a boolean", { spec: { paused: [1, "x"] } }, ".spec.paused: expected boolean, got &{[1 x]}"],
  ["a map for a list", { spec: { containers: { b: 1, a: null } } }, ".spec.containers: expected list, got &{map[a:<nil> b:1]}"],
  ["a list for a map", { spec: [] }, ".spec: expected map, got &{[]}"],
  ["an unknown field", { spec: { bogus: 1 } }, ".spec.bogus: field not declared in schema"],
  [
    "an item without key",
    { spec: { containers: [{ image: "i" }] } },
    '.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
  ],
  ["a null item", { spec: { containers: [null] } }, ".spec.containers: element 0: associative list with keys may not have a null element"],
  ["a map in a set", { spec: { tags: [{}] } }, ".spec.tags: element 0: associative list without keys has an element that's a map type"],
  ["twins in a set", { spec: { tags: ["a", "a"] } }, '.spec.tags: duplicate entries for key [="a"]'],
  [
    "twins by a default key, and more",
    { spec: { containers: [{ name: "c", ports: [{ port: 80 }, { port: 80, protocol: "TCP", label: 1 }] }] } },
    'errors:\n  .spec.containers[name="c"].ports: duplicate entries for key [port=80,protocol="TCP"]\n  .spec.containers[name="c"].ports[port=80,protocol="TCP"].label: expected string, got &value.valueUnstructured{Value:1}',
  ],
];

for (const [title, value, expected] of errors)
  test(`${title} does not fit`, () => {
    assert.equal(typedErrorText(validateTyped(value, workloadType)), expected);
  });

test("null fits everything, and twins are accepted where they may be stored", () => {
  assert.deepEqual(validateTyped({ spec: { replicas: null, containers: null, selector: null } }, workloadType), []);
  assert.deepEqual(validateTyped({ spec: { tags: ["a", "a"] } }, workloadType, { duplicates: true }), []);
});

test("what is known to fit is not looked at again", () => {
  const broken = { replicas: "x" };
  assert.deepEqual(validateTyped({ spec: broken, data: {} }, workloadType, { known: { spec: broken } }), []);
  assert.equal(validateTyped({ spec: { ...broken } }, workloadType, { known: { spec: broken } }).length, 0);
  assert.equal(validateTyped({ spec: { replicas: "y" } }, workloadType, { known: { spec: broken } }).length, 1);
});

test("the field set of an applied value has its leaves and entries, not the structs around them", () => {
  const value = {
    metadata: { labels: { a: "1" } },
    spec: { replicas: 1, selector: { x: "y" }, args: [], tags: ["t"], containers: [{ name: "c", ports: [{ port: 80 }], env: {} }] },
  };
  assert.equal(
    fieldSetText(toFieldSet(value, workloadType)),
    '.metadata.labels.a .spec.args .spec.containers[name="c"] .spec.containers[name="c"].env .spec.containers[name="c"].name ' +
      '.spec.containers[name="c"].ports[port=80,protocol="TCP"] .spec.containers[name="c"].ports[port=80,protocol="TCP"].port ' +
      '.spec.replicas .spec.selector .spec.tags[="t"]',
  );
  assert.equal(fieldSetText(toFieldSet({ spec: { tags: [] } }, workloadType)), "");
  assert.equal(fieldSetText(toFieldSet({ a: { b: [1], c: {} } }, deducedType)), ".a .a.b .a.c");
});

const changes: readonly (readonly [string, unknown, unknown, string])[] = [
  ["nothing", { spec: { replicas: 1 } }, { spec: { replicas: 1 } }, "- / - / -"],
  ["a leaf", { spec: { replicas: 1 } }, { spec: { replicas: 2 } }, "- / .spec.replicas / -"],
  ["a new struct is added with all in it", {}, { spec: { replicas: 1 } }, "- / - / .spec .spec.replicas"],
  ["an atomic map is one value", { spec: { selector: { a: "1" } } }, { spec: { selector: { a: "2" } } }, "- / .spec.selector / -"],
  ["a set", { spec: { tags: ["a", "b"] } }, { spec: { tags: ["b", "c"] } }, '.spec.tags[="a"] / - / .spec.tags[="c"]'],
  ["a set in another order", { spec: { tags: ["a", "b"] } }, { spec: { tags: ["b", "a"] } }, "- / - / -"],
  ["null becomes a list", { spec: { tags: null } }, { spec: { tags: ["a"] } }, '- / - / .spec.tags[="a"]'],
  ["null and empty differ", { spec: { tags: null } }, { spec: { tags: [] } }, "- / .spec.tags / -"],
  ["twins appear", { spec: { tags: ["a"] } }, { spec: { tags: ["a", "a"] } }, '.spec.tags[="a"] / - / .spec.tags[="a"]'],
  ["keys called as what every object has", { data: { constructor: "1" } }, { data: {} }, ".data.constructor / - / -"],
  ["a value takes another form", { spec: { free: { a: { b: 1 } } } }, { spec: { free: { a: 1 } } }, ".spec.free.a.b / .spec.free.a / -"],
];

for (const [title, before, after, expected] of changes)
  test(`compare: ${title}`, () => {
    const { removed, modified, added } = compareTyped(before, after, workloadType);
    assert.equal([removed, modified, added].map((each) => fieldSetText(each) || "-").join(" / "), expected);
  });

const merges: readonly (readonly [string, unknown, unknown, unknown])[] = [
  ["maps are joined", { data: { a: "1", b: "1" } }, { data: { b: "2" } }, { data: { a: "1", b: "2" } }],
  ["atomic lists are replaced", { spec: { args: ["a", "b"] } }, { spec: { args: ["c"] } }, { spec: { args: ["c"] } }],
  ["null does not empty a map", { data: { a: "1" } }, { data: null }, { data: { a: "1" } }],
  [
    "sets keep the live order and take the applied one",
    { spec: { tags: ["a", "b", "c"] } },
    { spec: { tags: ["c", "a", "d"] } },
    { spec: { tags: ["b", "c", "a", "d"] } },
  ],
  [
    "items are joined by their keys",
    { spec: { containers: [{ name: "a", image: "1" }, { name: "b" }] } },
    { spec: { containers: [{ name: "b", image: "2" }] } },
    {
      spec: {
        containers: [
          { name: "a", image: "1" },
          { name: "b", image: "2" },
        ],
      },
    },
  ],
];

for (const [title, live, applied, expected] of merges)
  test(`merge: ${title}`, () => {
    assert.deepEqual(mergeTyped(live, applied, workloadType), expected);
  });

test("merging shares what it does not change", () => {
  const live = { spec: { replicas: 1, containers: [{ name: "a" }] }, data: { a: "1" } };
  assert.equal(mergeTyped(live, { spec: { replicas: 1, containers: [{ name: "a" }] } }, workloadType), live);
  const merged = mergeTyped(live, { data: { a: "2" } }, workloadType) as typeof live;
  assert.equal(merged.spec, live.spec);
});

test("removing takes out fields and items, and leaves null where nothing is left", () => {
  const value = { data: { a: "1", b: "2" }, spec: { tags: ["x", "y"], containers: [{ name: "c", image: "i", env: { e: "1" } }] } };
  const gone = fieldSetOf(["data", "a"], ["spec", "tags", 'v:"x"'], ["spec", "containers", 'k:{"name":"c"}', "env", "e"]);
  assert.deepEqual(removeItems(value, gone, workloadType), {
    data: { b: "2" },
    spec: { tags: ["y"], containers: [{ name: "c", image: "i", env: null }] },
  });
  assert.equal(removeItems(value, fieldSetAt("nothing"), workloadType), value);
});

test("extracting keeps only the requested items, and atomic values whole", () => {
  const value = { data: { a: "1", b: "2" }, spec: { selector: { x: "1" }, containers: [{ name: "c", image: "i" }, { name: "d" }] } };
  const wanted = fieldSetOf(["data", "a"], ["spec", "selector"], ["spec", "containers", 'k:{"name":"c"}', "image"]);
  assert.deepEqual(extractItems(value, wanted, workloadType), {
    data: { a: "1" },
    spec: { selector: { x: "1" }, containers: [{ image: "i" }] },
  });
});

test("struct fields on the way become members, map entries do not", () => {
  const given = fieldSetOf(["spec", "containers", 'k:{"name":"c"}', "env", "e"], ["data", "a"]);
  assert.equal(
    fieldSetText(ensureNamedFieldsAreMembers(given, workloadType)),
    '.data .data.a .spec .spec.containers .spec.containers[name="c"].env .spec.containers[name="c"].env.e',
  );
});

test("a struct that has become atomic is owned as a whole", () => {
  const changed = resolverOf({
    types: workloadSchema.types.map((type) =>
      type.name === "Container" ? { ...type, map: { ...type.map, elementRelationship: "atomic" as const } } : type,
    ),
  }).named("Workload")!;
  const owned = fieldSetOf(["spec", "containers", 'k:{"name":"c"}', "image"], ["data", "a"]);
  assert.equal(reconcileFieldSet(owned, workloadType), owned);
  assert.equal(fieldSetText(reconcileFieldSet(owned, changed)), '.data.a .spec.containers[name="c"]');
});
