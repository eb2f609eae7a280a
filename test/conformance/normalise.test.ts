import assert from "node:assert/strict";
import { test } from "node:test";
import { normalise } from "./normalise.ts";

const uid = "01234567-89ab-cdef-0123-456789abcdef";
const other = "fedcba98-7654-3210-fedc-ba9876543210";
const aliases = new Map([["n1-mine-7", "<ns>"]]);
const plain = (value: unknown, options = {}) => normalise(value, aliases, options);

const texts: Readonly<Record<string, string>> = {
  "made in n1-mine-7": "made in <ns>",
  "at 2030-01-01T00:00:00Z and 2030-01-01T00:00:00.123456Z": "at <time> and <time>",
  [`uid ${uid}`]: "uid <uid>",
  "10.0.12.7 and 192.0.2.1 but not v1.35.8": "<ip> and <ip> but not v1.35.8",
  "too old resource version: 1 (4151)": "too old resource version: <rv> (<rv>)",
  "Too large resource version: 99, current: 44": "Too large resource version: <rv>, current: <rv>",
  "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (33)":
    "the ResourceVersion in the precondition (<rv>) does not match the ResourceVersion in record (<rv>)",
  'patch: Invalid value: "{\\"a\\":1}": nope': 'patch: Invalid value: "<object>": nope',
  [`a: Invalid value: {"x":"${"y".repeat(200)}"}: field is immutable`]: "a: Invalid value: <object>: field is immutable",
  'a: Invalid value: {"x":"y"}: `selector` does not match': 'a: Invalid value: {"x":"y"}: `selector` does not match',
  "only images may change\n@@ -1,2 +1,3 @@\n more": "only images may change",
  "nothing to see": "nothing to see",
};
for (const [text, expected] of Object.entries(texts)) {
  test(JSON.stringify(text), () => assert.deepEqual(plain([text]), [expected]));
}

const object = (id: string, resourceVersion: string, name = "a") => ({ metadata: { uid: id, resourceVersion, name } });

test("uids are numbered as they are first seen, wherever they stand", () => {
  const refers = { ownerReferences: [{ uid }], note: `of ${other}` };
  const seen = plain([object(other, "1"), object(uid, "1"), refers]);
  assert.deepEqual(seen, [
    { metadata: { uid: "<uid-1>", resourceVersion: "<rv-1>", name: "a" } },
    { metadata: { uid: "<uid-2>", resourceVersion: "<rv-1>", name: "a" } },
    { ownerReferences: [{ uid: "<uid-2>" }], note: "of <uid-1>" },
  ]);
});

const versions = (value: unknown) =>
  JSON.stringify(value)
    .match(/<rv-?\d*>/g)
    ?.join(" ");

test("resource versions are ranked, of each object by itself or of all together", () => {
  const answers = [object(uid, "90"), object(other, "100"), object(uid, "200"), object(uid, "200")];
  assert.equal(versions(plain(answers)), "<rv-1> <rv-1> <rv-2> <rv-2>");
  assert.equal(versions(plain(answers, { oneCounter: true })), "<rv-1> <rv-2> <rv-3> <rv-3>");
});

test("the version of a list is only known to be one", () => {
  assert.deepEqual(plain({ metadata: { resourceVersion: "7", continue: "eyJ2" } }), {
    metadata: { resourceVersion: "<rv>", continue: "<continue>" },
  });
});

test("hashes and generated names are distinguished from given names", () => {
  const pod = { metadata: { name: "web-5d4f8b7c9-x2k4p", generateName: "web-5d4f8b7c9-", labels: { "pod-template-hash": "5d4f8b7c9" } } };
  assert.deepEqual(plain([pod, "web-5d4f8b7c9 made web-5d4f8b7c9-x2k4p and web-5d4f8b7c9-bcdfg"]), [
    { metadata: { name: "web-<hash-1>-<gen>", generateName: "web-<hash-1>-", labels: { "pod-template-hash": "<hash-1>" } } },
    "web-<hash-1> made web-<hash-1>-<gen> and web-<hash-1>-<gen>",
  ]);
});

test("the order of managers, conditions and generated items does not count, that of others does", () => {
  const lists = {
    managedFields: [{ manager: "b" }, { manager: "a" }],
    conditions: [{ type: "Ready" }, { type: "Available" }],
    items: [
      { metadata: { generateName: "x-", name: "x-1" }, z: 2 },
      { metadata: { generateName: "x-", name: "x-2" }, z: 1 },
    ],
    finalizers: ["b", "a"],
  };
  assert.deepEqual(plain(lists), {
    managedFields: [{ manager: "a" }, { manager: "b" }],
    conditions: [{ type: "Available" }, { type: "Ready" }],
    items: [
      { metadata: { generateName: "x-", name: "x-<gen>" }, z: 1 },
      { metadata: { generateName: "x-", name: "x-<gen>" }, z: 2 },
    ],
    finalizers: ["b", "a"],
  });
});

test("a custom resource's complaints are put in order, in the causes and in the message", () => {
  const causes = [
    { field: "spec.b", message: "Required value" },
    { field: "spec.a", message: "Required value" },
  ];
  const message = 'Widget "a" is invalid: [spec.b: Required value, spec.a: Required value]';
  assert.deepEqual(plain({ message, details: { group: "x.example.com", causes } }), {
    message: 'Widget "a" is invalid: [spec.a: Required value, spec.b: Required value]',
    details: { group: "x.example.com", causes: [...causes].reverse() },
  });
  assert.deepEqual(plain({ message, details: { group: "apps", causes } }), { message, details: { group: "apps", causes } });
});

test("ports and nodes are the server's choice", () => {
  assert.deepEqual(plain({ nodePort: 31234, port: 80, nodeName: "node-7" }), { nodePort: "<node-port>", port: 80, nodeName: "<node>" });
});
