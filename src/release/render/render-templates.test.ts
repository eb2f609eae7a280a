import assert from "node:assert/strict";
import test from "node:test";
import { Engine, GoMap, LimitError } from "../../lang/template/index.ts";
import { helmContext } from "../../../test/support/template/helm-context.ts";
import { TemplateFault, helmFunctions, deterministicFunctions, renderTemplates, type RenderTemplatesOptions } from "./index.ts";

const environment = { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) };
const engine = new Engine(helmFunctions(environment));

function render(
  files: Readonly<Record<string, string>>,
  { using = engine, ...options }: RenderTemplatesOptions & { using?: Engine } = {},
): Record<string, string> {
  const context = helmContext(new GoMap());
  const renderables = Object.entries(files).map(([path, text]) => [path, { text, context, basePath: "t/templates" }] as const);
  return Object.fromEntries(renderTemplates(using, new Map(renderables), options));
}

test("Helm 4.2 has 240 names: these and Go's own, of which slice is in both", () => {
  const goOwn = "and break call continue eq ge gt html index js le len lt ne not or print printf println slice urlquery".split(" ");
  const builtin = goOwn.filter((name) => name !== "break" && name !== "continue");
  assert.equal(new Set([...Object.keys(helmFunctions(environment)), ...builtin]).size, 240);
});

test("every random function has a deterministic replacement", () => {
  const all = helmFunctions(environment);
  for (const [name, { type }] of Object.entries(deterministicFunctions)) assert.equal(type.name, all[name]?.type.name, name);
});

test("partials are there to be included only, and what lies higher up wins", () => {
  const files = {
    "t/templates/x.yaml": '{{ include "who" . }}',
    "t/templates/_own.tpl": '{{ define "who" }}parent{{ end }}',
    "t/charts/s/templates/_own.tpl": '{{ define "who" }}child{{ end }}',
  };
  assert.deepEqual(render(files), { "t/templates/x.yaml": "parent" });
});

test("what one template sets the next ones see", () => {
  const files = { "t/templates/b.yaml": '{{ $_ := set .Values "a" 1 }}', "t/templates/a.yaml": "{{ .Values.a }}" };
  assert.equal(render(files)["t/templates/a.yaml"], "1");
});

test("a template knows its own path", () => {
  assert.equal(
    render({ "t/templates/x.yaml": "{{ .Template.Name }} {{ .Template.BasePath }}" })["t/templates/x.yaml"],
    "t/templates/x.yaml t/templates",
  );
});

const faults: readonly (readonly [string, string])[] = [
  ["{{ if }}", "parse error at (t/templates/x.yaml:1): missing value for if"],
  ['{{ required "say it" .Values.a }}', "execution error at (t/templates/x.yaml:1:3): say it"],
  ['{{ fail "no: not so" }}', "execution error at (t/templates/x.yaml:1:3): no: not so"],
  [
    "{{ .Values.a.b }}",
    't/templates/x.yaml:1:10\n  executing "t/templates/x.yaml" at <.Values.a.b>:\n    nil pointer evaluating interface {}.b',
  ],
];

for (const [text, message] of faults) {
  test(`the words for ${text}`, () => {
    assert.throws(
      () => render({ "t/templates/x.yaml": text }),
      (error) => error instanceof TemplateFault && error.message === message,
    );
  });
}

test("a template that includes itself is stopped", () => {
  const files = { "t/templates/x.yaml": '{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}' };
  assert.throws(() => render(files), /rendering template has a nested reference name: r: unable to execute template/);
});

test("a template that takes too long is stopped", () => {
  const files = { "t/templates/x.yaml": "{{ range until 1000000 }}{{ end }}" };
  assert.throws(() => render(files, { limits: { outOfTime: () => true } }), LimitError);
});

test("a missing value is an error where one asks for it", () => {
  assert.throws(() => render({ "t/templates/x.yaml": "{{ .Values.a }}" }, { strict: true }), /map has no entry for key "a"/);
});

for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
  test(`${name} is a key like any other`, () => {
    const text = `{{ $d := dict "${name}" 1 }}{{ get $d "${name}" }}{{ hasKey (dict) "${name}" }}{{ index $d "${name}" }}{{ .Values.${name} }}{{ (fromJson (toJson $d)).${name} }}{{ (fromYaml (toYaml $d)).${name} }}`;
    assert.equal(render({ "t/templates/x.yaml": text })["t/templates/x.yaml"], "1false111");
  });
}

test("lookup uses the given function", () => {
  const asked: string[][] = [];
  const lookup = (...question: string[]) => {
    asked.push(question);
    return question[3] === "there" ? { data: { a: "1" } } : undefined;
  };
  const using = new Engine(helmFunctions(environment, { lookup }));
  const text = '{{ (lookup "v1" "Secret" "ns" "there").data.a }}{{ lookup "v1" "Secret" "ns" "gone" }}';
  assert.equal(render({ "t/templates/x.yaml": text }, { using })["t/templates/x.yaml"], "1map[]");
  assert.deepEqual(asked[0], ["v1", "Secret", "ns", "there"]);
});

test("required and fail are only collected when a chart is linted", () => {
  const messages: string[] = [];
  const using = new Engine(helmFunctions(environment, { onRequired: (message) => void messages.push(message) }));
  assert.equal(render({ "t/templates/x.yaml": '{{ required "a" nil }}{{ fail "b" }}' }, { using })["t/templates/x.yaml"], "");
  assert.deepEqual(messages, ["a", "b"]);
});

test("what differs every time can be made to repeat", () => {
  const using = new Engine({ ...helmFunctions(environment), ...deterministicFunctions });
  const text =
    '{{ randAlphaNum 28 }} {{ uuidv4 }} {{ now | date "2006-01-02" }} {{ (genCA "x" 1).Cert }} {{ htpasswd "u" "p" }} {{ randBytes 3 }}';
  const expected = "abcdefghijklmnopqrstuvwxyzab 00000000-0000-4000-8000-000000000000 2024-01-02 CERT-genCA u:$2a$10$STUB AAAA";
  assert.equal(render({ "t/templates/x.yaml": text }, { using })["t/templates/x.yaml"], expected);
});
