import assert from "node:assert/strict";
import { test } from "node:test";
import { isFields, type Fields } from "./field.ts";
import { patchSchemaOf } from "./patch-schema.ts";
import { applyStrategicPatch } from "./strategic-patch.ts";

const text = { type: "string" };
const mergedBy = (key: string, items: Fields, strategy = "merge") => ({
  type: "array",
  items,
  "x-kubernetes-patch-strategy": strategy,
  "x-kubernetes-patch-merge-key": key,
});

/** The parts of the Pod and Deployment schemas that the cases use, with the patch metadata of their Go types. */
const definitions: Fields = {
  Env: { properties: { name: text, value: text } },
  Container: {
    properties: {
      name: text,
      image: text,
      args: { type: "array", items: text },
      env: mergedBy("name", { $ref: "#/definitions/Env" }),
      ports: mergedBy("containerPort", { properties: { containerPort: { type: "integer" }, name: text } }),
    },
  },
  Volume: { properties: { name: text, emptyDir: { properties: { medium: text } }, secret: { properties: { secretName: text } } } },
  Pod: {
    properties: {
      metadata: {
        properties: {
          name: text,
          labels: { type: "object", additionalProperties: text },
          finalizers: { type: "array", items: text, "x-kubernetes-patch-strategy": "merge" },
        },
      },
      spec: {
        allOf: [
          {
            properties: {
              containers: mergedBy("name", { $ref: "#/definitions/Container" }),
              volumes: mergedBy("name", { $ref: "#/definitions/Volume" }, "merge,retainKeys"),
              tolerations: { type: "array", items: { properties: { key: text } } },
              nodeSelector: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
              strategy: {
                properties: { type: text, rollingUpdate: { properties: { maxSurge: text } } },
                "x-kubernetes-patch-strategy": "retainKeys",
              },
            },
          },
        ],
      },
    },
  },
};

const schema = patchSchemaOf(definitions["Pod"], (ref) => definitions[ref.slice("#/definitions/".length)]);

type Case = { what: string; from: Fields; patch: Fields; to: Fields };
const spec = (fields: Fields): Fields => ({ spec: fields });
const metadata = (fields: Fields): Fields => ({ metadata: fields });

/** Every expectation was checked with apimachinery's StrategicMergePatch. */
const cases: readonly Case[] = [
  {
    what: "objects merge, null deletes",
    from: metadata({ name: "a", labels: { x: "1", y: "2" } }),
    patch: metadata({ labels: { x: null, z: "3" } }),
    to: metadata({ name: "a", labels: { y: "2", z: "3" } }),
  },
  {
    what: "a list without strategy is replaced",
    from: spec({ tolerations: [{ key: "a" }] }),
    patch: spec({ tolerations: [{ key: "b" }] }),
    to: spec({ tolerations: [{ key: "b" }] }),
  },
  {
    what: "items with the same key merge, new ones come first as the patch lists them",
    from: spec({
      containers: [
        { name: "web", image: "web:1", args: ["x"] },
        { name: "side", image: "side:1" },
      ],
    }),
    patch: spec({
      containers: [
        { name: "new", image: "new:1" },
        { name: "web", image: "web:2" },
      ],
    }),
    to: spec({
      containers: [
        { name: "new", image: "new:1" },
        { name: "web", image: "web:2", args: ["x"] },
        { name: "side", image: "side:1" },
      ],
    }),
  },
  {
    what: "lists inside of items merge by their own key",
    from: spec({ containers: [{ name: "web", env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80, name: "http" }] }] }),
    patch: spec({ containers: [{ name: "web", env: [{ name: "B", value: "2" }], ports: [{ containerPort: 80, name: "web" }] }] }),
    to: spec({
      containers: [
        {
          name: "web",
          env: [
            { name: "B", value: "2" },
            { name: "A", value: "1" },
          ],
          ports: [{ containerPort: 80, name: "web" }],
        },
      ],
    }),
  },
  {
    what: "$patch: delete takes an item out",
    from: spec({ containers: [{ name: "a" }, { name: "b" }] }),
    patch: spec({ containers: [{ $patch: "delete", name: "a" }] }),
    to: spec({ containers: [{ name: "b" }] }),
  },
  {
    what: "$patch: replace in a list replaces the whole list",
    from: spec({ containers: [{ name: "a" }, { name: "b" }] }),
    patch: spec({ containers: [{ $patch: "replace" }, { name: "c" }] }),
    to: spec({ containers: [{ name: "c" }] }),
  },
  {
    what: "$patch: replace in an object replaces the object",
    from: metadata({ labels: { x: "1" } }),
    patch: metadata({ labels: { $patch: "replace", y: "2" } }),
    to: metadata({ labels: { y: "2" } }),
  },
  {
    what: "$patch: delete in an object empties it",
    from: metadata({ labels: { x: "1" } }),
    patch: metadata({ labels: { $patch: "delete" } }),
    to: metadata({ labels: {} }),
  },
  {
    what: "a directive for an object that is not there leaves nothing",
    from: metadata({ name: "a" }),
    patch: metadata({ labels: { $patch: "replace", y: "2" } }),
    to: metadata({ name: "a" }),
  },
  {
    what: "lists of scalars merge as sets",
    from: metadata({ finalizers: ["a", "b"] }),
    patch: metadata({ finalizers: ["c", "b"] }),
    to: metadata({ finalizers: ["c", "a", "b"] }),
  },
  {
    what: "$deleteFromPrimitiveList takes scalars out",
    from: metadata({ finalizers: ["a", "b", "c"] }),
    patch: metadata({ "$deleteFromPrimitiveList/finalizers": ["a", "c", "x"] }),
    to: metadata({ finalizers: ["b"] }),
  },
  {
    what: "$setElementOrder puts a list in order and keeps what only the server has near its place",
    from: spec({ containers: [{ name: "a" }, { name: "injected" }, { name: "b" }] }),
    patch: spec({ "$setElementOrder/containers": [{ name: "b" }, { name: "c" }, { name: "a" }], containers: [{ name: "c" }] }),
    to: spec({ containers: [{ name: "injected" }, { name: "b" }, { name: "c" }, { name: "a" }] }),
  },
  {
    what: "$setElementOrder works on lists of scalars, and alone",
    from: metadata({ finalizers: ["a", "b", "c"] }),
    patch: metadata({ "$setElementOrder/finalizers": ["c", "a"] }),
    to: metadata({ finalizers: ["b", "c", "a"] }),
  },
  {
    what: "$setElementOrder with a deletion in the patch",
    from: spec({ containers: [{ name: "a" }, { name: "b" }, { name: "c" }] }),
    patch: spec({ "$setElementOrder/containers": [{ name: "c" }, { name: "a" }], containers: [{ $patch: "delete", name: "b" }] }),
    to: spec({ containers: [{ name: "c" }, { name: "a" }] }),
  },
  {
    what: "$retainKeys drops every other key of an object",
    from: spec({ strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "1" } } }),
    patch: spec({ strategy: { $retainKeys: ["type"], type: "Recreate" } }),
    to: spec({ strategy: { type: "Recreate" } }),
  },
  {
    what: "$retainKeys changes the source of a volume",
    from: spec({ volumes: [{ name: "v", emptyDir: {} }] }),
    patch: spec({ volumes: [{ name: "v", $retainKeys: ["name", "secret"], secret: { secretName: "s" } }] }),
    to: spec({ volumes: [{ name: "v", secret: { secretName: "s" } }] }),
  },
  {
    what: "what is new loses the nulls of the patch",
    from: spec({}),
    patch: spec({ containers: [{ name: "a", image: null, env: [] }], strategy: { type: null } }),
    to: spec({ containers: [{ name: "a", env: [] }], strategy: {} }),
  },
  {
    what: "a field changes its type",
    from: spec({ tolerations: "none" }),
    patch: spec({ tolerations: [{ key: "a" }] }),
    to: spec({ tolerations: [{ key: "a" }] }),
  },
];

for (const { what, from, patch, to } of cases) {
  test(what, () => {
    const before = JSON.stringify([from, patch]);
    assert.deepEqual(applyStrategicPatch(from, patch, schema), to);
    assert.equal(JSON.stringify([from, patch]), before, "the inputs are left alone");
  });
}

const refused: readonly [string, Fields, Fields, string, string][] = [
  ["a patch that is no object", {}, [] as unknown as Fields, "BadRequest", "invalid JSON document"],
  [
    "an unknown directive",
    metadata({ labels: {} }),
    metadata({ labels: { $patch: "merge", a: "b" } }),
    "InternalError",
    "unknown patch type: merge in map: map[$patch:merge a:b]",
  ],
  [
    "$patch: merge in a list",
    spec({ containers: [{ name: "a" }] }),
    spec({ containers: [{ $patch: "merge", name: "a" }] }),
    "InternalError",
    "merging lists cannot yet be specified in the patch",
  ],
  [
    "an item without its key",
    spec({ containers: [{ name: "a" }] }),
    spec({ containers: [{ image: "x" }] }),
    "InternalError",
    "map: map[image:x] does not contain declared merge key: name",
  ],
  [
    "$retainKeys that does not list what the patch sets",
    spec({ strategy: {} }),
    spec({ strategy: { $retainKeys: ["x"], type: "y" } }),
    "BadRequest",
    "invalid patch format of retainKeys",
  ],
  [
    "$setElementOrder without a field",
    metadata({}),
    metadata({ $setElementOrder: [] }),
    "BadRequest",
    "invalid patch format of setElementOrder list",
  ],
  [
    "$setElementOrder that is no list",
    metadata({}),
    metadata({ "$setElementOrder/finalizers": "a" }),
    "InternalError",
    "expected a []interface {}, but received a string",
  ],
  [
    "a patch list that is not in its own order",
    metadata({ finalizers: ["x"] }),
    metadata({ "$setElementOrder/finalizers": ["b", "a"], finalizers: ["a", "b"] }),
    "InternalError",
    "The order in patch list:\n[a b]\n doesn't match $setElementOrder list:\n[b a]\n",
  ],
  ["lists of lists", metadata({ finalizers: [["a"]] }), metadata({ finalizers: ["a"] }), "Invalid", "lists of lists are not supported"],
  [
    "mixed lists",
    metadata({ finalizers: ["a"] }),
    metadata({ finalizers: [1] }),
    "InternalError",
    "list element types are not identical: [[a] [1]]",
  ],
];

for (const [what, from, patch, reason, message] of refused) {
  test(`${what} is refused`, () => assert.throws(() => applyStrategicPatch(from, patch, schema), { name: "PatchFault", reason, message }));
}

test("a field that the type does not have is named", () => {
  const from = spec({ bogus: {} });
  assert.throws(
    () => applyStrategicPatch(from, spec({ bogus: { a: 1 } }), schema),
    /unable to find api field in struct .* for the json field "bogus"/,
  );
});

test("an object without declared fields takes any: objects merge, lists are replaced", () => {
  const free = patchSchemaOf({ type: "object" }, () => undefined);
  assert.deepEqual(applyStrategicPatch({ a: { b: [1] } }, { a: { c: 1, b: [2] } }, free), { a: { b: [2], c: 1 } });
});

test("a schema that refers to itself is followed as far as the patch goes", () => {
  const schemas: Fields = { Node: { properties: { inner: { $ref: "#/Node" }, list: mergedBy("id", { $ref: "#/Node" }), id: text } } };
  const nodes = patchSchemaOf(schemas["Node"], (ref) => schemas[ref.slice(2)]);
  const patched = applyStrategicPatch({ inner: { list: [{ id: "a" }] } }, { inner: { list: [{ id: "b" }] } }, nodes);
  assert.deepEqual(patched, { inner: { list: [{ id: "b" }, { id: "a" }] } });
});

test("__proto__ in a patch is a key like any other", () => {
  const patch: unknown = JSON.parse('{"metadata": {"labels": {"__proto__": {"polluted": "yes"}}}}');
  const patched = applyStrategicPatch(metadata({ labels: { a: "b" } }), patch, schema);
  assert.equal(JSON.stringify(patched), '{"metadata":{"labels":{"a":"b","__proto__":{"polluted":"yes"}}}}');
  assert.ok(isFields(patched["metadata"]));
  assert.equal(Reflect.get({}, "polluted"), undefined);
});
