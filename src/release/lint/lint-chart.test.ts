import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../test/support/chart-of.ts";
import { readValues } from "../../chart/index.ts";
import { lintChart } from "./index.ts";

const options = { namespace: "ns", environment: { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) }, limits: {} };

function linesOf(files: Readonly<Record<string, string>>, values = ""): readonly string[] {
  const chart = chartOf({ "values.yaml": "", "templates/ok.yaml": "", ...files });
  return lintChart(chart, readValues(values), options).findings.map(({ severity, at, message }) => `${severity} ${at}: ${message}`);
}

const good = "apiVersion: v2\nname: web\nversion: 0.1.0\nicon: https://example.com/icon.svg\n";

/** What Helm's lint reports about the same charts. */
const cases: readonly { readonly what: string; readonly files: Readonly<Record<string, string>>; readonly lines: readonly string[] }[] = [
  { what: "a good chart", files: { "Chart.yaml": good }, lines: [] },
  {
    what: "a chart without an icon",
    files: { "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n" },
    lines: ["info Chart.yaml: icon is recommended"],
  },
  {
    what: "versions that are numbers, and no SemVer 2",
    files: { "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.2\nappVersion: 3\nicon: https://example.com/i\n" },
    lines: [
      "error Chart.yaml: version should be of type string but it's of type float64",
      "error Chart.yaml: appVersion should be of type string but it's of type float64",
      "warning Chart.yaml: version '1.2' is not a valid SemVerV2",
    ],
  },
  {
    what: "a first version with a type",
    files: { "Chart.yaml": "apiVersion: v1\nname: web\nversion: 0.1.0\ntype: application\nicon: https://example.com/i\n" },
    lines: ["error Chart.yaml: chart type is not valid in apiVersion 'v1'. It is valid in apiVersion 'v2'"],
  },
  {
    what: "a maintainer and sources that cannot be",
    files: { "Chart.yaml": `${good}maintainers: [{name: a, email: nobody}]\nsources: ["no url"]\n` },
    lines: ["error Chart.yaml: invalid email 'nobody' for maintainer 'a'", "error Chart.yaml: invalid source URL 'no url'"],
  },
  {
    what: "a template of another kind, and one that is indented",
    files: { "Chart.yaml": good, "templates/a.toml": "", "templates/b.yaml": "  kind: ConfigMap\n  metadata: {name: a}\n" },
    lines: [
      "error templates/a.toml: file extension '.toml' not valid. Valid extensions are .yaml, .yml, .tpl, or .txt",
      'warning templates/b.yaml: document starts with an illegal indent: "  kind: ConfigMap", which may cause parsing problems',
    ],
  },
  {
    what: "a name that no object can have, and a Deployment without a selector",
    files: { "Chart.yaml": good, "templates/a.yaml": "kind: Deployment\nmetadata: {name: A_b}\n" },
    lines: [
      'warning templates/a.yaml: object name does not conform to Kubernetes naming requirements: "A_b"',
      'error templates/a.yaml: a Deployment must contain matchLabels or matchExpressions, and "A_b" does not',
    ],
  },
  {
    what: "dependencies that only one side knows",
    files: {
      "Chart.yaml": `${good}dependencies: [{name: db, version: 1.0.0}]\n`,
      "charts/cache/Chart.yaml": "apiVersion: v2\nname: cache\nversion: 0.1.0\n",
    },
    lines: [
      "error Chart.yaml: chart metadata is missing these dependencies: cache",
      "warning charts/: chart directory is missing these dependencies: db",
    ],
  },
  {
    what: "something else in crds/",
    files: { "Chart.yaml": good, "crds/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" },
    lines: [
      "error web/crds/a.yaml: apiVersion is not in 'apiextensions.k8s.io'",
      "error web/crds/a.yaml: object kind is not 'CustomResourceDefinition'",
    ],
  },
  {
    what: "a template that fails",
    files: { "Chart.yaml": good, "templates/a.yaml": "{{ .Values.a.b }}" },
    lines: [
      'error templates/: web/templates/a.yaml:1:10\n  executing "web/templates/a.yaml" at <.Values.a.b>:\n    nil pointer evaluating interface {}.b',
    ],
  },
  {
    what: "demands",
    files: { "Chart.yaml": good, "templates/a.yaml": "{{ required `name it` .Values.name }}" },
    lines: ["info templates/: demanded of values: name it"],
  },
];

for (const { what, files, lines } of cases)
  test(`${what} is reported`, () => {
    assert.deepEqual(linesOf(files), lines);
  });
