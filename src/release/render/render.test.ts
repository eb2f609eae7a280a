import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { chartOf } from "../../../test/support/chart-of.ts";
import { lineFor } from "../../core/fault/index.ts";
import { readValues } from "../../chart/index.ts";
import { Engine } from "../../lang/template/index.ts";
import { helmFunctions, objectionToInstall, render, templateText, type RenderChartOptions } from "./index.ts";

const engine = new Engine(helmFunctions({ now: () => 0, randomBytes: (count) => new Uint8Array(count) }));
const release = { name: "rel", namespace: "ns" };

function rendered(files: Readonly<Record<string, string>>, values = "", options: Partial<RenderChartOptions> = {}) {
  return render(chartOf(files), readValues(values), { engine, release, ...options });
}

function object(kind: string, name: string, annotations = ""): string {
  return `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${annotations === "" ? "" : `  annotations:\n    ${annotations}\n`}`;
}

test("manifests come by kind, then by file, then as they stand in it", () => {
  const { manifests } = rendered({
    "templates/z.yaml": `${object("ConfigMap", "z1")}---\n${object("Namespace", "home")}`,
    "templates/a.yaml": `${object("Widget", "w")}---\n${object("ConfigMap", "a1")}---\n${object("ValidatingWebhookConfiguration", "v")}`,
    "templates/_partial.yaml": object("Secret", "never"),
    "templates/comment.yaml": "# nothing but words\n",
  });
  assert.deepEqual(
    manifests.map(({ head, file }) => `${head.kind}/${head.metadata?.name ?? ""} ${file}`),
    [
      // Helm keeps a document of comments, without a kind. Unknown kinds come last, by name.
      "Namespace/home web/templates/z.yaml",
      "ConfigMap/a1 web/templates/a.yaml",
      "ConfigMap/z1 web/templates/z.yaml",
      "ValidatingWebhookConfiguration/v web/templates/a.yaml",
      "/ web/templates/comment.yaml",
      "Widget/w web/templates/a.yaml",
    ],
  );
});

test("Helm 3 has no place for webhook configurations", () => {
  const files = {
    "templates/a.yaml": [object("ValidatingWebhookConfiguration", "v"), object("APIService", "s"), object("Alert", "a")].join("---\n"),
  };
  const kinds = (helm: 3 | 4) => rendered(files, "", { helm }).manifests.map(({ head }) => head.kind);
  assert.deepEqual(kinds(4), ["APIService", "ValidatingWebhookConfiguration", "Alert"]);
  assert.deepEqual(kinds(3), ["APIService", "Alert", "ValidatingWebhookConfiguration"]);
});

test("hooks are known by their annotation, and those of unknown events are left out", () => {
  const { hooks, manifests, leftOut } = rendered({
    "templates/a.yaml": [
      object("Job", "one", '"helm.sh/hook": "pre-install, Post-Upgrade"\n    "helm.sh/hook-weight": "-5"'),
      object("Pod", "two", '"helm.sh/hook": test-success\n    "helm.sh/hook-delete-policy": hook-succeeded,before-hook-creation'),
      object("Pod", "three", '"helm.sh/hook": crd-install'),
      object("Pod", "four", "other: annotation"),
    ].join("---\n"),
  });
  assert.deepEqual(
    hooks.map(({ head, events, weight, deletePolicies }) => ({ name: head.metadata?.name, events, weight, deletePolicies })),
    [
      { name: "two", events: ["test"], weight: 0, deletePolicies: ["hook-succeeded", "before-hook-creation"] },
      { name: "one", events: ["pre-install", "post-upgrade"], weight: -5, deletePolicies: [] },
    ],
  );
  assert.deepEqual(
    manifests.map(({ head }) => head.metadata?.name),
    ["four"],
  );
  assert.match(
    lineFor(leftOut[0]!),
    /^\S+\/templates\/a\.yaml: pod\/three: helm\.sh\/hook is "crd-install"; .*: the object is left out, as by Helm$/,
  );
  assert.equal(leftOut.length, 1);
});

test("notes are no manifest, and those of charts inside are shown when asked for", () => {
  const files = {
    "templates/NOTES.txt": "outer {{ .Release.Name }}",
    "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 0.1.0\n",
    "charts/db/templates/NOTES.txt": "inner",
  };
  assert.equal(rendered(files).notes, "outer rel");
  assert.deepEqual(rendered(files).manifests, []);
  assert.equal(rendered(files, "", { subchartNotes: true }).notes, "inner\nouter rel");
});

test("of a library only what can be included counts", () => {
  const { manifests } = rendered({
    "templates/a.yaml": '{{ include "lib.name" . }}: 1\n',
    "charts/lib/Chart.yaml": "apiVersion: v2\nname: lib\nversion: 0.1.0\ntype: library\n",
    "charts/lib/templates/_names.tpl": '{{ define "lib.name" }}{{ .Chart.Name }}{{ end }}',
    "charts/lib/templates/object.yaml": "never: rendered\n",
  });
  assert.deepEqual(
    manifests.map(({ text }) => text),
    ["web: 1\n"],
  );
});

test("a chart inside sees its own values, which are its parent's table", () => {
  const { manifests } = rendered(
    {
      "values.yaml": "db: {size: 1}\nglobal: {zone: z}\n",
      "templates/b.yaml": 'b: {{ .Values.db.size }}{{ (index .Subcharts "db").Values.size }}{{ .Subcharts.db.Chart.IsRoot }}\n',
      "templates/a.yaml": 'a: {{ .Values.db.changed | default "no" }}\n',
      "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 0.1.0\n",
      "charts/db/templates/x.yaml": 'x: {{ .Values.size }}{{ .Values.global.zone }}{{ $_ := set .Values "changed" "yes" }}\n',
    },
    "db: {size: 3}",
  );
  // Deeper templates are rendered first.
  assert.deepEqual(
    manifests.map(({ text }) => text.trim()),
    ["x: 3z", "a: yes", "b: 33false"],
  );
});

test("prototype names are data", () => {
  const { manifests } = rendered(
    {
      "templates/a.yaml":
        "{{ .Values.__proto__ }} {{ .Values.constructor.prototype }} {{ .Values.toString }}: {{ hasKey .Values `valueOf` }}\n",
    },
    "__proto__: a\nconstructor: {prototype: b}\ntoString: c\n",
  );
  assert.deepEqual(
    manifests.map(({ text }) => text),
    ["a b c: false\n"],
  );
});

for (const name of ["constructor", "__proto__", "valueOf", "hasOwnProperty"])
  test(`${name} is no function`, () => {
    assert.throws(() => rendered({ "templates/a.yaml": `{{ ${name} 1 }}` }), {
      message: `parse error at (web/templates/a.yaml:1): function "${name}" not defined`,
    });
  });

/** Charts that cannot be rendered, with Helm's messages. */
const refusals: readonly {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly values?: string;
  readonly message: string;
}[] = [
  {
    what: "a Kubernetes that is too old",
    files: { "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\nkubeVersion: '>=1.99'\n" },
    message: "chart requires kubeVersion: >=1.99 which is incompatible with Kubernetes v1.36.0",
  },
  {
    what: "a schema violation",
    files: {
      "values.schema.json": '{"type":"object","properties":{"port":{"type":"integer"}},"required":["image"]}',
    },
    values: "port: x\n",
    message:
      "values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- at '': missing property 'image'\n- at '/port': got string, want integer\n",
  },
  {
    what: "a template that does not parse",
    files: { "templates/a.yaml": "a: {{ if .Values.a }}\nb: 1\n" },
    message: "parse error at (web/templates/a.yaml:3): unexpected EOF",
  },
  {
    what: "a function that is not there, in a branch that is never taken",
    files: { "templates/a.yaml": "{{ if false }}{{ env `HOME` }}{{ end }}" },
    message: 'parse error at (web/templates/a.yaml:1): function "env" not defined',
  },
  {
    what: "a demand",
    files: { "templates/a.yaml": "x: 1\ny: {{ required `name the image` .Values.image }}\n" },
    message: "execution error at (web/templates/a.yaml:2:6): name the image",
  },
  {
    what: "a value that is not there",
    files: { "templates/a.yaml": "{{ include `inner` . }}", "templates/_b.tpl": "{{ define `inner` }}{{ .Values.a.b.c }}{{ end }}" },
    message: [
      "web/templates/a.yaml:1:3",
      '  executing "web/templates/a.yaml" at <include `inner` .>:',
      "    error calling include:",
      "web/templates/_b.tpl:1:30",
      '  executing "inner" at <.Values.a.b.c>:',
      "    nil pointer evaluating interface {}.b",
    ].join("\n"),
  },
  {
    what: "a manifest that is no YAML",
    files: { "templates/a.yaml": "kind: A\nspec:\n  a: b: c\n" },
    message:
      "YAML parse error on web/templates/a.yaml: error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context",
  },
];

for (const { what, files, values = "", message } of refusals)
  test(`${what} is refused in Helm's words`, () => {
    assert.throws(() => rendered(files, values), { message });
  });

test("Helm 3 reports errors on one line", () => {
  assert.throws(() => rendered({ "templates/a.yaml": "{{ .Values.a.b }}" }, "", { helm: 3 }), {
    message:
      'template: web/templates/a.yaml:1:10: executing "web/templates/a.yaml" at <.Values.a.b>: nil pointer evaluating interface {}.b',
  });
});

test("a chart that takes too long, writes too much or goes too deep is ended", () => {
  const endless = { "templates/a.yaml": "{{ range until 10000 }}{{ range until 10000 }}x{{ end }}{{ end }}" };
  let asked = 0;
  assert.throws(() => rendered(endless, "", { limits: { outOfTime: () => ++asked > 3 } }), {
    message: "render chart web: web/templates/a.yaml:1:32: takes longer than allowed",
  });
  assert.throws(() => rendered({ "templates/a.yaml": "{{ repeat 5000 `x` }}" }, "", { limits: { output: 1000 } }), /longer than the 1000/);
  const deep = { "templates/a.yaml": '{{ define `a` }}{{ tpl `{{ include "a" . }}` . }}{{ end }}{{ include `a` . }}' };
  assert.throws(() => rendered(deep), /nested reference name|too deep|maximum template depth/);
});

test("what cannot be installed by itself is said", () => {
  assert.equal(
    objectionToInstall(chartOf({ "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\ntype: library\n" })),
    "library charts are not installable",
  );
  const asking =
    "apiVersion: v2\nname: web\nversion: 0.1.0\ndependencies:\n- {name: db, version: 1.x.x}\n- {name: cache, version: 1.x.x}\n";
  assert.match(
    objectionToInstall(chartOf({ "Chart.yaml": asking })) ?? "",
    /found in Chart\.yaml, but missing in charts\/ directory: db, cache$/,
  );
  assert.equal(objectionToInstall(chartOf({})), undefined);
});

const printed = {
  "templates/a.yaml": `${object("ConfigMap", "a")}\n\n---\n${object("Pod", "t", '"helm.sh/hook": test')}`,
  "templates/sub/b.yaml": object("ConfigMap", "b"),
  "crds/d.yaml": "kind: D\n",
};

test("CRDs are decoded when they are printed, and not before", () => {
  const decode = mock.method(TextDecoder.prototype, "decode");
  const decoded = () => decode.mock.calls.filter(({ result }) => result === printed["crds/d.yaml"]).length;
  try {
    const rendering = rendered(printed);
    templateText(rendering);
    assert.equal(decoded(), 0);
    assert.match(templateText(rendering, { includeCrds: true }), /kind: D/);
    assert.equal(decoded(), 1);
  } finally {
    decode.mock.restore();
  }
});

test("what is printed is what helm template prints", () => {
  const rendering = rendered(printed);
  const a = `---\n# Source: web/templates/a.yaml\n${object("ConfigMap", "a")}\n\n\n`;
  const b = `---\n# Source: web/templates/sub/b.yaml\n${object("ConfigMap", "b")}`;
  const hook = `---\n# Source: web/templates/a.yaml\n${object("Pod", "t", '"helm.sh/hook": test')}\n`;
  assert.equal(templateText(rendering), a + b + hook);
  assert.equal(templateText(rendering, { tests: false }), a + b);
  assert.equal(templateText(rendering, { hooks: false }), a + b);
  assert.equal(templateText(rendering, { includeCrds: true, hooks: false }), `---\n# Source: web/crds/d.yaml\nkind: D\n\n${a}${b}`);
  assert.equal(templateText(rendering, { showOnly: ["templates/sub/*.yaml"] }), `${b.trimEnd()}\n\n`);
  assert.throws(() => templateText(rendering, { showOnly: ["templates/*.txt"] }), {
    message: "could not find template templates/*.txt in chart",
  });
});
