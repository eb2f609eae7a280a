import assert from "node:assert/strict";
import { after, test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { channelTasks } from "../../../../test/support/deploy/channel-tasks.ts";
import { releaseText, summaryScope } from "../../../../test/support/deploy/release-text.ts";
import type { HelmChartRef, ProfilePatch } from "../../api/index.ts";
import type { RemoteSchema } from "../../../chart/index.ts";
import { VirtualClock } from "../../../core/clock/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { startEmbeddedCluster } from "../../../embedded/index.ts";
import { connect } from "../../../kube/index.ts";
import { packageChart } from "../../../repository/index.ts";
import { OwnedTasks } from "../owned-tasks.ts";
import { renderChart } from "./render-chart.ts";

const clock = new VirtualClock();
const { exchange, stop } = startEmbeddedCluster({ clock });
after(stop);
const cluster = connect(exchange, { clock });
const { signal } = new AbortController();
let chance = 7;
let step = 0;
const environment = { now: () => Date.UTC(2026, 0, 2), randomBytes: (count: number) => new Uint8Array(count).fill((chance += step)) };
const tasks = new OwnedTasks(channelTasks(environment), summaryScope, signal);

type Case = {
  readonly files?: Readonly<Record<string, string>>;
  readonly archive?: Uint8Array;
  readonly values?: readonly string[];
  readonly options?: HelmChartRef["options"];
  readonly patches?: readonly ProfilePatch[];
  readonly schemas?: Readonly<Record<string, RemoteSchema>>;
};

const map = (data: string, more = "") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "{{ .Release.Name }}"\n${more}data:\n  ${data}\n`;
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: web, image: web:1}, {name: log, image: log:1}]}}}
`;
const crd = `# a comment
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  annotations:
    first: "1"
    werf.io/weight: "5"
spec: {group: example.com, names: {kind: Widget, plural: widgets}, scope: Cluster, versions: []}
`;
const schema = (of: unknown) => JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", properties: { a: of } });

/** Each comes out of a worker as it comes out of this process. */
const cases: Readonly<Record<string, Case>> = {
  "manifests, hooks, notes and CRDs": {
    files: {
      "templates/a.yaml": map('v: "{{ .Values.v }}{{ .Chart.Version }}{{ .Capabilities.KubeVersion.Version }}{{ now | unixEpoch }}"'),
      "templates/hook.yaml": map("a: b", "  annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: '3'}\n"),
      "templates/NOTES.txt": "Release {{ .Release.Name }} {{ .Release.Revision }}",
      "crds/w.yaml": crd,
    },
    values: ["v: 1", "v: {x: 2, b: [1, 2.50, true, null]}"],
  },
  "numbers of all sizes": {
    files: {
      "values.yaml": "small: 5\nlarge: 9223372036854775807\nfloat: 1.5\nnegative: -0.0\n",
      "templates/a.yaml": map(
        "v: {{ toJson .Values | quote }}\n  w: {{ .Values.large | int64 }}\n  x: 9223372036854775807\n  y: [1e300, 0x10, -0.0]",
      ),
    },
    values: ["given: 18446744073709551615\nlist: [1, 2.0]"],
  },
  "files, bytes and tpl": {
    files: {
      "f/x.txt": "\u00ff\u0000é{{ .Release.Name }}",
      "templates/a.yaml": map(
        'a: {{ .Files.Get "f/x.txt" | b64enc }}\n  b: {{ tpl .Values.t . | quote }}\n  c: {{ (.Files.Glob "f/*").AsSecrets | quote }}\n  d: {{ randBytes 4 }}',
      ),
    },
    values: ["t: '{{ .Release.Namespace }}'"],
  },
  "keys that mean something to JavaScript": {
    files: { "templates/a.yaml": map("v: {{ toYaml .Values | quote }}\n  __proto__: {{ .Values.constructor }}\n  '2': a\n  '1': b") },
    values: ["__proto__: {polluted: 1}\nconstructor: c\n'10': a\n'9': b"],
  },
  "lookups that lead to others": {
    files: {
      "templates/a.yaml": map(
        'v: {{ (lookup "v1" "Namespace" "" (lookup "v1" "Namespace" "" "default").metadata.name).metadata.uid | len }}\n  w: {{ len (lookup "v1" "Namespace" "" "").items }}\n  x: {{ lookup "v1" "Secret" "a" "b" }}',
      ),
    },
  },
  "a lookup of an unknown kind": { files: { "templates/a.yaml": map('v: {{ lookup "v1" "Nothing" "" "x" }}') } },
  "values that fit a schema elsewhere": {
    files: { "values.schema.json": schema({ $ref: "https://x.example/a.json" }), "templates/a.yaml": map("a: b") },
    values: ["a: text"],
    schemas: {
      "https://x.example/a.json": { text: '{"$ref": "https://x.example/b.json"}', digest: "1" },
      "https://x.example/b.json": { text: '{"type": "string"}', digest: "2" },
    },
  },
  "values that do not": {
    files: { "values.schema.json": schema({ $ref: "https://x.example/b.json" }) },
    values: ["a: 1"],
    schemas: { "https://x.example/b.json": { text: '{"type": "string"}', digest: "2" } },
  },
  "a schema that cannot be fetched now": {
    files: { "values.schema.json": schema({ $ref: "https://x.example/b.json" }) },
    schemas: { "https://x.example/b.json": { problem: "no answer", isTransient: true } },
  },
  "a schema elsewhere that nobody fetches": { files: { "values.schema.json": schema({ $ref: "https://x.example/b.json" }) } },
  "values that are against the schema, which is skipped": {
    files: { "values.schema.json": schema({ type: "string" }), "templates/a.yaml": map("a: b") },
    values: ["a: 1"],
    options: { skipSchemaValidation: true } as NonNullable<HelmChartRef["options"]>,
  },
  "patches with and without a schema": {
    files: {
      "templates/a.yaml": map("a: b"),
      "templates/b.yaml": deployment,
      "templates/c.yaml": "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n",
    },
    patches: [
      {
        patch:
          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {template: {spec: {containers: [{name: log, image: log:2}]}}}",
      },
      { target: { kind: "ConfigMap" }, patch: "- {op: add, path: /data/n, value: 9223372036854775807}" },
      { target: { kind: "Widget", namespace: "default" }, patch: "$patch: delete" },
    ],
  },
  "a patch for an object that is not there": {
    files: { "templates/a.yaml": map("a: b") },
    patches: [{ patch: "apiVersion: v1\nkind: Secret\nmetadata: {name: none}" }],
  },
  "a patch that is none": { files: { "templates/a.yaml": map("a: b") }, patches: [{ patch: "a" }] },
  "a template that fails": {
    files: { "templates/a.yaml": '{{ include "x" . }}', "templates/_x.tpl": '{{ define "x" }}{{ fail "no luck" }}{{ end }}' },
  },
  "a template that is none": { files: { "templates/a.yaml": "{{ if }}" } },
  "a manifest that is none": {
    files: { "templates/a.yaml": map("a: b", "  labels: {a: 1}\n"), "templates/b.yaml": "a: [", "crds/a.yaml": "kind: X\nmetadata: {}" },
  },
  "values that are none": { files: {}, values: ["a: ["] },
  "a library": { files: { "Chart.yaml": "apiVersion: v2\nname: lib\nversion: 0.1.0\ntype: library\n" } },
  "a chart that lacks another": {
    files: { "Chart.yaml": "apiVersion: v2\nname: w\nversion: 0.1.0\ndependencies: [{name: x, version: 1.0.0, repository: ''}]\n" },
  },
  "an archive that is none": { archive: Buffer.from("not a chart") },
};

for (const [what, each] of Object.entries(cases))
  test(`a worker answers as this process does: ${what}`, async () => {
    const [here, there] = [await outcomeOf(each, undefined), await outcomeOf(each, tasks)];
    assert.equal(there, here);
  });

test("lookups without an end are given up after as many rounds", async (t) => {
  step = 1;
  t.after(() => void (step = 0));
  const each = { files: { "templates/a.yaml": map('v: {{ lookup "v1" "Secret" "a" uuidv4 }}') } };
  const refusal = "render the chart: its templates look up new objects each time, more than 20 times over (final: true)";
  assert.deepEqual([await outcomeOf(each, undefined), await outcomeOf(each, tasks)], [refusal, refusal]);
});

async function outcomeOf(each: Case, run: OwnedTasks | undefined): Promise<string> {
  const { files = {}, archive = packageChart(chartOf(files)), values = [""], options, patches = [], schemas } = each;
  const charts = () =>
    Promise.resolve({
      archive,
      title: "load chart x",
      warn: () => undefined,
      ...(schemas === undefined
        ? {}
        : { loadSchema: (url: string) => Promise.resolve(schemas[url] ?? { problem: `no ${url}`, isTransient: false }) }),
    });
  const chart = { chartName: "x", ...(options === undefined ? {} : { options }) } as unknown as HelmChartRef;
  const texts = values.map((text, index) => ({ where: `values[${index}]`, text }));
  const desired = { chart, release: { name: "web", namespace: "default" }, values: texts, valuesHash: JSON.stringify(values) };
  const context = { hub: cluster, cluster, environment, identity: "tester", charts };
  try {
    return releaseText(await clock.until(renderChart(desired, context, { patches, signal, tasks: run })));
  } catch (error) {
    if (!(error instanceof Fault)) return String(error);
    return `${error.message} (final: ${error.final})`;
  }
}
