import assert from "node:assert/strict";
import { test } from "node:test";
import { applyJsonPatch, type JsonPatchOperation } from "./json-patch.ts";

const op = (name: string, path: string, rest: Partial<JsonPatchOperation> = {}): JsonPatchOperation => ({ op: name, path, ...rest });

/** Document, operations, result: every expectation was checked with the library that the API server uses. */
const cases: readonly [string, unknown, readonly JsonPatchOperation[], unknown][] = [
  ["add a key", { a: 1 }, [op("add", "/b", { value: 2 })], { a: 1, b: 2 }],
  ["add over a key", { a: 1 }, [op("add", "/a", { value: 2 })], { a: 2 }],
  ["add into a list", { l: [1, 3] }, [op("add", "/l/1", { value: 2 })], { l: [1, 2, 3] }],
  ["add at the end of a list", { l: [1] }, [op("add", "/l/1", { value: 2 })], { l: [1, 2] }],
  ["append to a list", { l: [1] }, [op("add", "/l/-", { value: 2 })], { l: [1, 2] }],
  ["add before the last", { l: [1, 2] }, [op("add", "/l/-2", { value: 9 })], { l: [1, 9, 2] }],
  ["add without a value", { a: 1 }, [op("add", "/b")], { a: 1, b: null }],
  ["escaped keys", { "a/b": { "m~n": 1 } }, [op("replace", "/a~1b/m~0n", { value: 2 })], { "a/b": { "m~n": 2 } }],
  ["remove a key", { a: 1, b: 2 }, [op("remove", "/a")], { b: 2 }],
  ["remove from a list", { l: [1, 2, 3] }, [op("remove", "/l/1")], { l: [1, 3] }],
  ["remove the last", { l: [1, 2, 3] }, [op("remove", "/l/-1")], { l: [1, 2] }],
  ["replace in a list", { l: [1, 2] }, [op("replace", "/l/1", { value: { x: 1 } })], { l: [1, { x: 1 }] }],
  ["replace a missing key", { a: {} }, [op("replace", "/a/b", { value: 1 })], { a: { b: 1 } }],
  ["replace all", { a: 1 }, [op("replace", "", { value: { b: 2 } })], { b: 2 }],
  ["move", { a: { x: 1 }, b: {} }, [op("move", "/b/y", { from: "/a/x" })], { a: {}, b: { y: 1 } }],
  ["copy", { a: { x: [1] } }, [op("copy", "/b", { from: "/a/x" }), op("add", "/b/-", { value: 2 })], { a: { x: [1] }, b: [1, 2] }],
  ["copy of what is missing", { a: 1 }, [op("copy", "/b", { from: "/x" })], { a: 1, b: null }],
  ["test", { a: { b: [1, { c: null }] } }, [op("test", "/a", { value: { b: [1, { c: null }] } }), op("remove", "/a")], {}],
  ["test for absence", { a: 1 }, [op("test", "/b", { value: null })], { a: 1 }],
  ["test of all", { a: 1 }, [op("test", "", { value: { a: 1 } })], { a: 1 }],
];

for (const [what, document, patch, expected] of cases) {
  test(what, () => {
    const before = JSON.stringify([document, patch]);
    assert.deepEqual(applyJsonPatch(document, patch), expected);
    assert.equal(JSON.stringify([document, patch]), before, "the inputs are left alone");
  });
}

const refused: readonly [string, unknown, unknown, string][] = [
  ["no list", {}, { op: "add" }, "json: cannot unmarshal object into Go value of type jsonpatch.Patch"],
  ["no operation", {}, ["x"], "json: cannot unmarshal string into Go value of type jsonpatch.Operation"],
  ["unknown operation", {}, [{ op: "merge", path: "/a" }], "Unexpected kind: merge"],
  ["operation without a name", {}, [{ path: "/a" }], "Unexpected kind: unknown"],
  ["add without a path", {}, [{ op: "add", value: 1 }], "add operation failed to decode path: missing value"],
  [
    "replace without a path",
    {},
    [{ op: "replace" }],
    "replace operation failed to decode path: operation missing path field: missing value",
  ],
  [
    "move without from",
    {},
    [{ op: "move", path: "/a" }],
    "move operation failed to decode from: operation, missing from field: missing value",
  ],
  [
    "add under what is missing",
    {},
    [op("add", "/a/b", { value: 1 })],
    'add operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    "add under a scalar",
    { a: 1 },
    [op("add", "/a/b", { value: 1 })],
    'add operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    "add beyond the end",
    { l: [] },
    [op("add", "/l/2", { value: 1 })],
    "error in add for path: '/l/2': Unable to access invalid index: 2: invalid index referenced",
  ],
  [
    "add at no index",
    { l: [] },
    [op("add", "/l/x", { value: 1 })],
    `error in add for path: '/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    "remove what is missing",
    { a: {} },
    [op("remove", "/a/b")],
    "error in remove for path: '/a/b': Unable to remove nonexistent key: b: missing value",
  ],
  [
    "remove beyond the end",
    { l: [1] },
    [op("remove", "/l/1")],
    "error in remove for path: '/l/1': Unable to access invalid index: 1: invalid index referenced",
  ],
  [
    "replace beyond the end",
    { l: [1] },
    [op("replace", "/l/1", { value: 2 })],
    "replace operation does not apply: doc is missing key: /l/1: missing value",
  ],
  [
    "replace under what is missing",
    {},
    [op("replace", "/a/b", { value: 2 })],
    "replace operation does not apply: doc is missing path: /a/b: missing value",
  ],
  ["test that fails", { a: 1 }, [op("test", "/a", { value: 2 })], "testing value /a failed: test failed"],
  ["test of the type", { a: 1 }, [op("test", "/a", { value: "1" })], "testing value /a failed: test failed"],
  [
    "move of what is missing",
    {},
    [op("move", "/b", { from: "/a" })],
    "error in move for path: 'a': Unable to remove nonexistent key: a: missing value",
  ],
  [
    "copy to nowhere",
    { a: 1 },
    [op("copy", "/x/y", { from: "/a" })],
    "copy operation does not apply: doc is missing destination path: /x/y: missing value",
  ],
];

for (const [what, document, patch, message] of refused) {
  test(`${what} is refused`, () => {
    const reason = message.startsWith("json:") ? "BadRequest" : "Invalid";
    assert.throws(() => applyJsonPatch(document, patch), { name: "PatchFault", reason, message });
  });
}

test("copies of copies end at the size that an API server allows", () => {
  const copies = Array.from({ length: 27 }, (_, index) => op("copy", `/a/${index}`, { from: "/a" }));
  const document = { a: { text: "x".repeat(1000) } };
  const message = /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/;
  assert.throws(() => applyJsonPatch(document, copies), { name: "PatchFault", reason: "Invalid", message });
  const size = { bytes: 0 };
  assert.throws(() => copies.reduce<unknown>((patched, copy) => applyJsonPatch(patched, [copy], size), document), { message });
});

test("a failed patch leaves nothing half done", () => {
  const document = { a: { b: 1 } };
  assert.throws(() => applyJsonPatch(document, [op("add", "/a/c", { value: 2 }), op("test", "/a/b", { value: 9 })]));
  assert.deepEqual(document, { a: { b: 1 } });
});

test("a patch changes no prototype", () => {
  const patched = applyJsonPatch({ a: {} }, [
    op("add", "/a/__proto__", { value: { polluted: true } }),
    op("add", "/__proto__", { value: 1 }),
  ]);
  assert.equal(JSON.stringify(patched), '{"a":{"__proto__":{"polluted":true}},"__proto__":1}');
  assert.throws(() => applyJsonPatch({}, [op("add", "/__proto__/polluted", { value: true })]), { message: /doc is missing path/ });
  assert.throws(() => applyJsonPatch({}, [op("add", "/constructor/prototype/polluted", { value: true })]), {
    message: /doc is missing path/,
  });
  assert.equal(Reflect.get({}, "polluted"), undefined);
});
