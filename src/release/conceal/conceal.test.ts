import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { concealed, concealedText, logConcealer, mergeSensitivity } from "./index.ts";

const nothing = { whole: false, paths: [] };
const metadata = { name: "s" };
const secret = (more: object): KubeObject => ({ apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", ...more });
const widget = (more: object): KubeObject => ({ apiVersion: "example.com/v1", kind: "Widget", metadata, ...more });
const paths = (...some: string[]) => ({ whole: false, paths: some });
const kubectl = "kubectl.kubernetes.io/last-applied-configuration";

/** What is hidden, by kind and annotations: the object, then how it is shown. */
const cases: Readonly<Record<string, readonly [KubeObject, typeof nothing | ReturnType<typeof paths>, object]>> = {
  "the values of a Secret": [
    secret({ data: { a: "eA==" }, stringData: { b: "x" } }),
    nothing,
    { type: "Opaque", data: { a: "(hidden)" }, stringData: { b: "(hidden)" } },
  ],
  "a Secret that is written wrongly": [secret({ data: "x" }), nothing, { type: "Opaque", data: "(hidden)" }],
  "values that are no text": [
    secret({ data: { a: 1, b: { c: "x" }, d: ["x"] } }),
    nothing,
    { type: "Opaque", data: { a: "(hidden)", b: "(hidden)", d: "(hidden)" } },
  ],
  "what kubectl keeps of a Secret": [
    secret({ metadata: { name: "s", annotations: { [kubectl]: "{x}", b: "c" } } }),
    nothing,
    { type: "Opaque", metadata: { name: "s", annotations: { [kubectl]: "(hidden)", b: "c" } } },
  ],
  "nothing of what is not sensitive": [widget({ data: { a: "1" } }), nothing, { data: { a: "1" } }],
  "all of what is sensitive as a whole": [
    widget({ spec: { a: { b: "1" }, c: 2 }, config: "x", items: ["x"] }),
    { whole: true, paths: [] },
    { spec: { a: "(hidden)", c: "(hidden)" }, config: "(hidden)", items: ["(hidden)"] },
  ],
  "what paths name": [
    widget({ spec: { a: "x", b: "y" }, list: [{ c: "x", d: "y" }, { c: "x" }], "tls.crt": "x" }),
    paths("$.spec.a", "$.list[*].c", "$.tls\\.crt"),
    { spec: { a: "(hidden)", b: "y" }, list: [{ c: "(hidden)", d: "y" }, { c: "(hidden)" }], "tls.crt": "(hidden)" },
  ],
  "names in quotes and indices": [
    widget({ spec: { "a.b": "x", "c/d": "x" }, list: ["x", "y"] }),
    paths("$.spec['a.b']", '.spec["c/d"]', "{.list[0]}"),
    { spec: { "a.b": "(hidden)", "c/d": "(hidden)" }, list: ["(hidden)", "y"] },
  ],
  "all that lies beyond a filter": [
    widget({ spec: { list: [{ name: "a", value: "x" }], b: "y" } }),
    paths('$.spec.list[?(@.name=="a")].value'),
    { spec: { list: "(hidden)", b: "y" } },
  ],
  "everything, when a path may lead anywhere": [
    widget({ metadata: { name: "s", labels: { a: "x" } }, spec: { a: "x" }, b: 1 }),
    paths("$..a"),
    { metadata: { name: "s", labels: { a: "(hidden)" } }, spec: { a: "(hidden)" }, b: "(hidden)" },
  ],
  "where a path ends too early": [widget({ spec: "x" }), paths("$.spec.a.b"), { spec: "(hidden)" }],
};

for (const [what, [object, sensitive, shown]] of Object.entries(cases)) {
  test(`hidden: ${what}`, () => {
    const { apiVersion, kind } = object;
    assert.deepEqual(concealed(object, sensitive), { apiVersion, kind, metadata, ...shown });
  });
}

test("a hidden value says whether it changes", () => {
  const after = secret({ data: { a: "eA==", b: "eQ==", c: "eg==" } });
  const shown = concealed(after, nothing, secret({ data: { a: "eA==", b: "eA==" } }));
  assert.deepEqual(shown["data"], { a: "(hidden)", b: "(hidden, changed)", c: "(hidden)" });
});

test("what one version calls sensitive is so in both", () => {
  assert.deepEqual(mergeSensitivity({ whole: true, paths: ["$.a"] }, paths("$.a", "$.b")), { whole: true, paths: ["$.a", "$.b"] });
});

const texts: Readonly<Record<string, readonly [string, KubeObject, string]>> = {
  "as it stands": [".data.a: got hunter22!", secret({ stringData: { a: "hunter22" } }), ".data.a: got (hidden)!"],
  "a number": ["expected string, got &value{Value:123456}", secret({ data: { a: 123456 } }), "expected string, got &value{Value:(hidden)}"],
  "decoded, and encoded": [
    "hunter22 aHVudGVyMjI= d2hhdGV2ZXI=",
    secret({ data: { a: "aHVudGVyMjI=" }, stringData: { b: "whatever" } }),
    "(hidden) (hidden) (hidden)",
  ],
  quoted: [String.raw`got "one\ntwo\"three"`, secret({ stringData: { a: 'one\ntwo"three' } }), 'got "(hidden)"'],
  "line by line": ["near: -----KEY-----", secret({ stringData: { a: "-----KEY-----\nabcdefgh\n" } }), "near: (hidden)"],
  "a word of the message, where it is quoted alone": [
    'failed to convert new object to proper version: .data.type: Invalid value: "new": got &value{Value:new}, not object',
    secret({ stringData: { type: "new", a: "object", b: "failed" } }),
    'failed to convert new object to proper version: .data.type: Invalid value: "(hidden)": got &value{Value:(hidden)}, not object',
  ],
  "a digit, where it is quoted alone": [
    'illegal base64 data at input byte 4: found "4"',
    secret({ stringData: { a: "4" } }),
    'illegal base64 data at input byte 4: found "(hidden)"',
  ],
  "a word that is part of others": [
    "the password of secrets: s3cret",
    secret({ stringData: { a: "secret", b: "s3cret" } }),
    "the password of secrets: (hidden)",
  ],
  "a short one, by itself only": ["data.a: a+ is no a+b, a+", secret({ stringData: { x: "a+" } }), "data.a: (hidden) is no a+b, (hidden)"],
};

test("lines of a log lose every long value, the longest first, and keep short ones", () => {
  const object = secret({ stringData: { a: "hunter22", b: "hunter22-long", c: "5432", d: "one-line\nother-line" } });
  const conceal = logConcealer([{ object, sensitive: nothing }]);
  const shown = conceal("hunter22-long,hunter22hunter22 at 5432: other-line aHVudGVyMjI=");
  assert.equal(shown, "(hidden),(hidden)(hidden) at 5432: (hidden) (hidden)");
  assert.equal(logConcealer([])("hunter22"), "hunter22");
});

for (const [what, [text, object, shown]] of Object.entries(texts)) {
  test(`a text without the secret: ${what}`, () => assert.equal(concealedText(text, [object], nothing), shown));
}
