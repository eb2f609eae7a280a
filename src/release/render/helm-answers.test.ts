import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../test/support/chart-of.ts";
import { readValues } from "../../chart/index.ts";
import { Engine } from "../../lang/template/index.ts";
import { helmFunctions, render } from "./index.ts";

const environment = { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) };
const metadata = "apiVersion: v2\nname: c\nversion: 1.0.0\n";
const values = readValues("a: -9223372036854775808\nb: 9223372036854775807\nc: 18446744073709551615\nd: -9223372036854775809\n");

/** Templates and what the engine of Helm 4.2.4 makes of them. */
const answers: readonly (readonly [string, string])[] = [
  ['-9223372036854775808|{{ toYaml (int64 "-9223372036854775808") }}', "-9223372036854775808|-9223372036854775808"],
  ['{{ list (int64 "-9223372036854775808") | toYaml }}', "- -9223372036854775808"],
  ['{{ toYamlPretty (dict "a" 1 "b" (int64 5) "c" 1.0 "d" (list 1 2)) }}', "a: 1\nb: 5\nc: 1\nd:\n  - 1\n  - 2"],
  ["{{ toYamlPretty .Capabilities.KubeVersion }}", 'version: v1.36.0\nmajor: "1"\nminor: "36"'],
  ['{{ toYamlPretty (dict "k" .Capabilities.KubeVersion) }}', 'k:\n  version: v1.36.0\n  major: "1"\n  minor: "36"'],
  ['{{ toYamlPretty (dict "t" (toDate "2006-01-02" "2020-03-04")) }}', "t: 2020-03-04T00:00:00Z"],
  ['{{ toYamlPretty (toDate "2006-01-02" "2020-03-04") }}', "2020-03-04T00:00:00Z"],
  ["{{ toYamlPretty .Chart.Annotations }}", "{}"],
  ['{{ toYamlPretty (dict "x" .Chart.Annotations "y" .Chart.Sources) }}', 'x: {}\n"y": []'],
  ["{{ toYamlPretty .Capabilities.APIVersions | trunc 40 }}", "- v1\n- admissionregistration.k8s.io/v1\n-"],
  ['{{ .Capabilities.KubeVersion | default "x" }}', "{v1.36.0 v1.36.0 1 36}"],
  ['{{ default "x" .Capabilities.KubeVersion | typeOf }}', "common.KubeVersion"],
  ['{{ coalesce .Capabilities.KubeVersion "x" }}', "{v1.36.0 v1.36.0 1 36}"],
  ["{{ first (list .Capabilities.KubeVersion) }}", "{v1.36.0 v1.36.0 1 36}"],
  ['{{ ternary .Capabilities.KubeVersion "x" true }}', "{v1.36.0 v1.36.0 1 36}"],
  ['{{ merge (dict) (dict "k" .Capabilities.KubeVersion) }}', "map[k:{v1.36.0 v1.36.0 1 36}]"],
  ['{{ (merge (dict) (dict "k" .Capabilities.KubeVersion)).k.Minor }}', "36"],
  ["{{ (first (list .Capabilities.KubeVersion)).Version }}", "v1.36.0"],
  ["{{ typeOf .Capabilities.KubeVersion }}", "common.KubeVersion"],
  ['{{ printf "%v" .Capabilities.KubeVersion }}', "{v1.36.0 v1.36.0 1 36}"],
  ["{{ empty .Capabilities.KubeVersion }}", "false"],
  ["{{ round 3 64 }}", "2.9999999999999996"],
  ["{{ round 3.14159 400 }}", "NaN"],
  ["{{ round 3.5 -2 }}", "0"],
  ["{{ chunk -7 (list 1 2 3) }}", "[]"],
  ["{{ seq 9223372036854775806 9223372036854775807 | len }}", "0"],
  ["{{ seq 9223372036854775800 5 9223372036854775807 }}", ""],
  ["{{ seq 9223372036854775805 9223372036854775807 | trunc 60 }}", ""],
  ["{{ untilStep 9223372036854775805 9223372036854775807 1 }}", "[9223372036854775805 9223372036854775806]"],
  ['{{ toToml (dict "a" (list (dict "b" nil))) }}', "[[a]]\n"],
  ['{{ toToml (dict "a" (list)) }}', "a = []\n"],
  ['{{ toToml (dict "a" nil) }}', ""],
  ['{{ toToml (dict "a" (list (list (dict "b" nil)) 1)) }}', "a = [[{}], 1]\n"],
  ['{{ toToml (dict "a" (list (dict "b" (list)))) }}', "[[a]]\n  b = []\n"],
  ['{{ toToml (dict "a" (list (list))) }}', "a = [[]]\n"],
  ['{{ toToml (dict "a" (list (list (dict "b" nil "c" 1)))) }}', "a = [[{c = 1}]]\n"],
  ["{{ toToml (list) }}", "[]"],
  [
    "{{ toYamlPretty .Chart }}",
    'APIVersion: v2\nAnnotations: {}\nAppVersion: ""\nCondition: ""\nDependencies: []\nDeprecated: false\nDescription: ""\nHome: ""\nIcon: ""\nIsRoot: true\nKeywords: []\nKubeVersion: ""\nMaintainers: []\nName: c\nSources: []\nTags: ""\nType: ""\nVersion: 1.0.0',
  ],
  ['{{ toYamlPretty (semver "1.2.3-a") }}', "1.2.3-a"],
  ['{{ toYamlPretty (dict "v" (semver "1.2.3")) }}', "v: 1.2.3"],
  ['{{ toYamlPretty ((toDate "2006-01-02" "2020-03-04").Sub (toDate "2006-01-02" "2020-03-03")) }}', "24h0m0s"],
  ['{{ toYamlPretty (toDate "2006-01-02" "2020-03-04").Month }}', "3"],
  ['{{ toYamlPretty (list (toDate "2006-01-02" "2020-03-04")) }}', "- 2020-03-04T00:00:00Z"],
  ["{{ toYamlPretty .Chart.Maintainers }}", "[]"],
  // Helm prints the address of the location last, which is never the same.
  ['{{ printf "%d" (toDate "2006-01-02" "2020-01-01") | regexFind "^[{]0 63713433600 [0-9]+[}]$" | len | lt 0 }}', "true"],
  ['{{ printf "%d" now | regexFind "^[{][0-9]+ [0-9]+ [0-9]+[}]$" | len | lt 0 }}', "true"],
  ['{{ eq (toDate "2006-01-02" "2020-01-01") (toDate "2006-01-02" "2020-01-01") }}', "true"],
  ['{{ deepEqual (toDate "2006-01-02" "2020-01-01") (toDate "2006-01-02" "2020-01-02") }}', "false"],
  ["{{ toYamlPretty .Chart.Dependencies }}", "[]"],
  ["{{ toYamlPretty nil }}", "null"],
  ['{{ (default "x" .Capabilities.KubeVersion).Minor }}', "36"],
  ["{{ with .Capabilities.KubeVersion }}{{ . }}{{ .GitVersion }}{{ end }}", "v1.36.0v1.36.0"],
  ["{{ $v := .Capabilities.KubeVersion }}{{ $v }}{{ $v.GitVersion }}", "v1.36.0v1.36.0"],
  ["{{ range list .Capabilities.KubeVersion }}{{ . }}{{ end }}", "{v1.36.0 v1.36.0 1 36}"],
  ['{{ dict "k" .Capabilities.KubeVersion }}', "map[k:{v1.36.0 v1.36.0 1 36}]"],
  ['{{ (dict "k" .Capabilities.KubeVersion).k }}', "{v1.36.0 v1.36.0 1 36}"],
  ['{{ get (dict "k" .Capabilities.KubeVersion) "k" }}', "{v1.36.0 v1.36.0 1 36}"],
  ['{{ (merge (dict) (dict "k" .Capabilities.KubeVersion)).k }}', "{v1.36.0 v1.36.0 1 36}"],
  ["{{ .Capabilities.KubeVersion | quote }}", '"{v1.36.0 v1.36.0 1 36}"'],
  ["{{ .Capabilities.KubeVersion | toString }}", "{v1.36.0 v1.36.0 1 36}"],
  ["{{ print .Capabilities.KubeVersion }}", "{v1.36.0 v1.36.0 1 36}"],
  ["{{ .Capabilities.KubeVersion | toJson }}", '{"Version":"v1.36.0","Major":"1","Minor":"36"}'],
  ["{{ .Capabilities.KubeVersion | toYaml }}", 'Major: "1"\nMinor: "36"\nVersion: v1.36.0'],
  ['{{ semverCompare ">1" .Capabilities.KubeVersion.String }}', "false"],
  ["{{ or .Capabilities.KubeVersion 1 }}", "v1.36.0"],
  ["{{ and 1 .Capabilities.KubeVersion }}", "v1.36.0"],
  ["{{ index (list .Capabilities.KubeVersion) 0 }}", "{v1.36.0 v1.36.0 1 36}"],
  ["{{ index .Capabilities.APIVersions 0 }}", "v1"],
  ["{{ (or .Capabilities.KubeVersion 1).GitVersion }}", "v1.36.0"],
  ['{{ include "x" .Capabilities.KubeVersion }}{{ define "x" }}{{ . }}{{ end }}', "{v1.36.0 v1.36.0 1 36}"],
  ['{{ template "x" .Capabilities.KubeVersion }}{{ define "x" }}{{ . }}{{ end }}', "v1.36.0"],
  ['{{ tpl "{{ . }}" .Capabilities.KubeVersion }}', "{v1.36.0 v1.36.0 1 36}"],
  ["{{ round 1.005 22 }}", "1.005"],
  ["{{ round 123.456 30 }}", "123.45600000000002"],
  ["{{ round 7 100 }}", "7"],
  ["{{ round 7 -100 }}", "0"],
  ["{{ round 7 -330 }}", "NaN"],
  ["{{ round 0.5 308 }}", "0.5"],
  ["{{ round 1.5 23 }}", "1.5"],
  ["{{ round 3 27 }}", "3.0000000000000004"],
  ["{{ round 123.555555 3 }}", "123.556"],
  ["{{ round 3 -25 }}", "0"],
  ["{{ round -3 64 }}", "-2.9999999999999996"],
  ["{{ seq 9223372036854775800 9223372036854775803 }}", "9223372036854775800 9223372036854775801 9223372036854775802 9223372036854775803"],
  [
    "{{ seq 9223372036854775807 9223372036854775803 }}",
    "9223372036854775807 9223372036854775806 9223372036854775805 9223372036854775804 9223372036854775803",
  ],
  ["{{ seq 9007199254740993 9007199254740995 }}", "9007199254740993 9007199254740994 9007199254740995"],
  ["{{ untilStep 9007199254740993 9007199254740999 2 }}", "[9007199254740993 9007199254740995 9007199254740997]"],
  ["{{ untilStep -9223372036854775807 -9223372036854775808 -1 }}", "[-9223372036854775807]"],
  ["{{ seq -9223372036854775806 -9223372036854775807 }}", "-9223372036854775806 -9223372036854775807"],
  ["{{ until -3 }}", "[0 -1 -2]"],
  ["{{ seq 0 2 10 }}", "0 2 4 6 8 10"],
  ["{{ seq 5 -2 1 }}", "5 3 1"],
  ["{{ seq 9223372036854775806 9223372036854775807 }}", ""],
  ["{{ toYaml .Values }}", "a: -9.223372036854776e+18\nb: 9223372036854776000\nc: 1.8446744073709552e+19\nd: -9.223372036854776e+18"],
  ["{{ toYaml .Values.a }}", "-9.223372036854776e+18"],
  ["{{ toYaml (list .Values.a) }}", "- -9.223372036854776e+18"],
  [
    "{{ toYamlPretty .Values }}",
    "a: -9.223372036854776e+18\nb: 9.223372036854776e+18\nc: 1.8446744073709552e+19\nd: -9.223372036854776e+18",
  ],
  ["{{ toJson .Values }}", '{"a":-9223372036854776000,"b":9223372036854776000,"c":18446744073709552000,"d":-9223372036854776000}'],
  ["{{ toYaml (mulf -9223372036854775808 1) }}", "-9.223372036854776e+18"],
  ['{{ toYaml (float64 "-9223372036854775808") }}', "-9.223372036854776e+18"],
  ['{{ toYaml (float64 "-1e20") }}', "-1e+20"],
  ['{{ toYaml (float64 "1e20") }}', "1e+20"],
  ['{{ toYaml (float64 "1e19") }}', "10000000000000000000"],
];

for (const [how, compileAfter] of [
  ["interpreted", Infinity],
  ["compiled", 0],
] as const) {
  test(`${how} templates give what Helm's engine gives`, () => {
    const engine = new Engine(helmFunctions(environment), { compileAfter });
    for (const [template, expected] of answers) {
      const chart = chartOf({ "Chart.yaml": metadata, "templates/NOTES.txt": template });
      assert.equal(render(chart, values, { engine, release: { name: "r", namespace: "n" } }).notes, expected, template);
    }
  });
}
