import assert from "node:assert/strict";
import { test } from "node:test";
import { lineFor } from "../../core/fault/index.ts";
import { positionText } from "./document.ts";
import { readManifests } from "./manifest.ts";

const head = "apiVersion: v1\nkind: ConfigMap\n";

/** Invalid files and their messages. */
const problems: Record<string, readonly [string, readonly string[]]> = {
  "an unquoted number as an annotation": [
    `${head}metadata:\n  name: a\n  annotations:\n    werf.io/weight: 10\n`,
    ['f.yaml:6: metadata.annotations["werf.io/weight"] is the number 10; expected a string: quote it'],
  ],
  "an unquoted boolean as a label": [
    `${head}metadata:\n  name: a\n  labels:\n    ok: "1"\n    live: yes\n`,
    ["f.yaml:7: metadata.labels.live is the boolean true; expected a string: quote it"],
  ],
  "an annotation without a value": [
    `${head}metadata:\n  name: a\n  annotations:\n    x:\n`,
    ["f.yaml:6: metadata.annotations.x is null; expected a string"],
  ],
  "an annotation that is a list": [
    `${head}metadata:\n  name: a\n  annotations: {x: [1]}\n`,
    ["f.yaml:5: metadata.annotations.x is a list; expected a string"],
  ],
  "a number of many digits": [
    `${head}metadata:\n  name: a\n  annotations:\n    id: 12345678901234567890\n`,
    ["f.yaml:6: metadata.annotations.id is the number 12345678901234567890; expected a string: quote it"],
  ],
  "labels that are a list": [
    `${head}metadata:\n  name: a\n  labels: [x]\n`,
    ["f.yaml:5: metadata.labels is a list; expected an object of strings"],
  ],
  "a name that is a number": [
    `${head}metadata:\n  name: 123\n`,
    ["f.yaml:4: metadata.name is the number 123; expected a string: quote it"],
  ],
  "an empty name": [`${head}metadata:\n  name: ""\n`, ["f.yaml:4: metadata.name is empty; expected a string"]],
  "no name": [`${head}metadata:\n  namespace: x\n`, ["f.yaml:3: metadata.name is missing; expected a name, or generateName"]],
  "no metadata": [head, ["f.yaml:1: metadata is missing; expected metadata.name"]],
  "no kind": [
    "\napiVersion: v1\nmetadata:\n  name: a\n",
    ["f.yaml:2: kind is missing; expected it beside the other top-level fields, for example ConfigMap"],
  ],
  "an apiVersion that is a number": [
    "apiVersion: 1\nkind: A\nmetadata: {name: a}\n",
    ["f.yaml:1: apiVersion is the number 1; expected a string, for example v1 or apps/v1"],
  ],
  "text that is no object": ["hello\n", ['f.yaml:1: the string "hello"; expected a Kubernetes object with apiVersion, kind and metadata']],
  "all problems of a file": [
    `${head}metadata: {name: a}\n---\nfoo\n---\n${head}metadata:\n  name: b\n  labels: {a: 1, b: 2}\n---\na: b: c\n`,
    [
      'f.yaml:5: the string "foo"; expected a Kubernetes object with apiVersion, kind and metadata',
      "f.yaml:11: metadata.labels.a is the number 1; expected a string: quote it",
      "f.yaml:11: metadata.labels.b is the number 2; expected a string: quote it",
      "f.yaml:13: mapping values are not allowed in this context; expected the keys of one object in one column, and a value with ': ' in it in quotes",
    ],
  ],
  "an item of a List": [
    `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    labels:\n      x: 1\n`,
    ["f.yaml:9: metadata.labels.x is the number 1; expected a string: quote it"],
  ],
};

for (const [what, [text, expected]] of Object.entries(problems)) {
  test(`${what} is named`, () => assert.deepEqual(readManifests(text, "f.yaml").problems.map(lineFor), expected));
}

test("manifests have positions, and Lists are expanded", () => {
  const text = `# c\n---\n${head}metadata:\n  generateName: a-\n---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: s}\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: Pod\n    metadata:\n      name: p\n`;
  const { manifests, problems } = readManifests(text, "f.yaml");
  assert.deepEqual(problems, []);
  assert.deepEqual(
    manifests.map(({ object, at }) => `${object.kind} ${positionText(at)}`),
    ["ConfigMap f.yaml:3", "Secret f.yaml:11", "Pod f.yaml:17"],
  );
  assert.equal(positionText(manifests[2]!.positionOf("metadata.name")), "f.yaml:20");
  assert.equal(positionText(manifests[0]!.positionOf("metadata.generateName")), "f.yaml:6");
});

test("items of a typed list that have neither version nor kind have the list's", () => {
  const list =
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleList\nitems:\n- metadata:\n    name: a\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: b}\n";
  const { manifests, problems } = readManifests(list, "f.yaml");
  assert.deepEqual(problems, []);
  assert.deepEqual(
    manifests.map(({ object: { apiVersion, kind } }) => `${apiVersion} ${kind}`),
    ["rbac.authorization.k8s.io/v1 Role", "v1 Secret"],
  );
  assert.equal(positionText(manifests[0]!.at), "f.yaml:4");
});

test("an item of a typed list that has half of them is refused, and so is an item of a plain List, as by kubectl", () => {
  const half = readManifests("apiVersion: v1\nkind: SecretList\nitems:\n- apiVersion: v1\n  metadata: {name: a}\n", "f.yaml");
  assert.match(half.problems.map(lineFor).join(), /^f.yaml:4: kind is missing/);
  const plain = readManifests("apiVersion: v1\nkind: List\nitems:\n- metadata: {name: a}\n", "f.yaml");
  assert.equal(plain.problems.length, 2);
});

test("empty documents, null and an empty List are no manifests", () => {
  assert.deepEqual(readManifests("---\nnull\n---\napiVersion: v1\nkind: List\nitems: []\n", "f.yaml"), {
    manifests: [],
    problems: [],
    repaired: [],
    isPartial: false,
  });
});

/** A manifest, and what is left of it to check the others by. Nothing: nobody can tell what it is. */
const repairs: readonly (readonly [yaml: string, repaired: object | undefined])[] = [
  ["metadata: {name: a, labels: {x: 1, b: true, z: null}}", { name: "a", labels: { x: "1", b: "true" } }],
  [
    "metadata: {name: a, annotations: {x: 12345678901234567890, y: [], z: ''}}",
    { name: "a", annotations: { x: "12345678901234567890", z: "" } },
  ],
  ["metadata: {name: 1, namespace: 2}", { name: "1", namespace: "2" }],
  ["metadata: {name: a, namespace: [], labels: []}", { name: "a" }],
  ["metadata: {labels: {x: 1}}", undefined],
  ["metadata: {generateName: a, labels: {x: 1}}", undefined],
  ["metadata: a", undefined],
];

for (const [yaml, expected] of repairs) {
  test(`${yaml} is ${expected === undefined ? "unknown" : "repaired"}`, () => {
    const { manifests, problems, repaired, isPartial } = readManifests(`apiVersion: v1\nkind: ConfigMap\n${yaml}\n`, "f.yaml");
    assert.deepEqual(manifests, []);
    assert.ok(problems.length > 0);
    assert.deepEqual(
      repaired.map(({ object }) => object.metadata),
      expected === undefined ? [] : [expected],
    );
    assert.equal(isPartial, expected === undefined);
  });
}

test("a text that is no YAML leaves something unknown", () => {
  assert.equal(readManifests("kind: [\n", "f.yaml").isPartial, true);
  const { problems } = readManifests("\nkind: [\n", "f.yaml", { isGenerated: true });
  assert.match(problems.map(lineFor).join(), /^f\.yaml: .* \(line \d of the rendered text\)$/);
});

test("an object whose kind merely ends in List is an object", () => {
  const { manifests } = readManifests("apiVersion: x/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [1]\n", "f.yaml");
  assert.deepEqual(
    manifests.map(({ object }) => object.kind),
    ["AllowList"],
  );
});

// Each position that is looked up by parsing again takes as long as the text: minutes for these.
test("thousands of problems in one document take as long as it does, and each names its line", { timeout: 30_000 }, () => {
  const items = 20_000;
  const read = readManifests(`apiVersion: v1\nkind: List\nitems:\n${"- {}\n".repeat(items)}`, "f.yaml");
  assert.equal(read.problems.length, 3 * items);
  assert.equal(lineFor(read.problems.at(-1)!), `f.yaml:${items + 3}: metadata is missing; expected metadata.name`);
  const labels = Array.from({ length: items }, (_, at) => `    l${at}: 1\n`).join("");
  const labelled = readManifests(`${head}metadata:\n  name: a\n  labels:\n${labels}`, "f.yaml");
  assert.match(lineFor(labelled.problems.at(-1)!), new RegExp(`^f.yaml:${items + 5}: metadata.labels.l${items - 1} is`));
});

test("thousands of manifests in a List name their lines", { timeout: 30_000 }, () => {
  const items = Array.from({ length: 5000 }, (_, at) => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: a${at}}}\n`);
  const { manifests } = readManifests(`apiVersion: v1\nkind: List\nitems:\n${items.join("")}`, "f.yaml");
  assert.deepEqual(manifests.at(-1)!.at, { file: "f.yaml", line: 5003 });
});
