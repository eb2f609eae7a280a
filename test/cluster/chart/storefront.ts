/** A chart with many features of charts, for both Helm and Sluice to render. */
export const storefrontChart: Readonly<Record<string, string>> = {
  "Chart.yaml": `apiVersion: v2
name: storefront
version: 1.4.0+build.7
appVersion: "2024.1"
description: A shop window
kubeVersion: ">=1.20-0"
keywords: [shop, window]
maintainers:
- {name: Ada, email: ada@example.com}
annotations: {category: "Shop"}
dependencies:
- {name: cache, version: 0.x.x, alias: memory, condition: memory.enabled}
- {name: cache, version: 0.x.x, alias: disk, condition: disk.enabled, tags: [slow]}
- {name: parts, version: ">=1"}
- name: prices
  version: ^2.0.0
  import-values:
  - rates
  - {child: limits, parent: shopLimits}
`,
  "values.yaml": `replicas: 3
port: 8080
ratio: 0.25
large: 1000000
huge: 12345678901234567890
tiny: 1.0e-7
octal: 0755
yes: on
gone: null
image: {repository: shop, tag: ""}
labels: {tier: front, "10": ten, "9": nine, a.b/c: d}
list: [one, 2, true, null, {k: v}]
text: |
  first line
    second: line
long: a line that is longer than eighty characters so that whatever writes it has to fold it somewhere in the middle
template: "{{ .Release.Name }}-{{ .Values.port }}"
memory: {enabled: true, size: 64}
disk: {enabled: false}
global: {zone: north}
`,
  ".helmignore": "ignored/\n*.bak\n",
  "ignored/secret.txt": "never seen",
  "files/a.conf": "alpha = 1\n",
  "files/b.conf": 'beta = "é"\n',
  "files/deep/c.txt": "one\ntwo\n",
  "crds/window.yaml":
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: windows.shop.example.com}\nspec:\n  group: shop.example.com\n  scope: Namespaced\n  names: {kind: Window, plural: windows, singular: window, listKind: WindowList}\n  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]\n",
  "templates/_helpers.tpl": `{{/* The name of everything. */}}
{{- define "storefront.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- define "storefront.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{ toYaml .Values.labels }}
{{- end }}
{{- define "shared" }}parent{{ end -}}
`,
  "templates/config.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "storefront.name" . }}
  labels: {{- include "storefront.labels" . | nindent 4 }}
data:
  numbers: "{{ .Values.large }} {{ .Values.huge }} {{ .Values.tiny }} {{ .Values.octal }} {{ .Values.ratio }} {{ .Values.port | int }} {{ add 1 .Values.replicas }}"
  truth: "{{ index .Values "true" }} {{ .Values.gone }} {{ .Values.nothing | default "none" }}"
  template: {{ tpl .Values.template . | quote }}
  shared: {{ include "shared" . }}
  imported: "{{ .Values.rate }} {{ .Values.shopLimits.most }}"
  upgrade: "{{ .Release.IsUpgrade }} {{ .Release.Revision }} {{ .Release.Service }} {{ .Release.Namespace }}"
  cluster: "{{ .Capabilities.KubeVersion.Minor }} {{ .Capabilities.APIVersions.Has "shop.example.com/v1" }}"
  chart: "{{ .Chart.AppVersion }} {{ .Chart.Annotations.category }} {{ (index .Chart.Maintainers 0).Name }} {{ .Chart.Type }}"
  where: {{ .Template.Name }} {{ .Template.BasePath }}
  subcharts: {{ keys .Subcharts | sortAlpha | join "," }}
  json: {{ .Values.list | toJson | squote }}
  digest: {{ .Files.Get "files/a.conf" | sha256sum }}
  version: "{{ semverCompare ">=1.2 <2" .Chart.Version }} {{ (semver .Chart.Version).Minor }}"
  words: "{{ "HTTPServer2Go" | snakecase }} {{ "a-b c" | camelcase }} {{ regexReplaceAll "a(b+)" "xabby" "<$1>" }} {{ date "2006-01-02" (toDate "2006-01-02" "2024-05-06") }}"
  all: |
{{ .Values | toYaml | indent 4 }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "storefront.name" . }}-files
data:
{{ (.Files.Glob "files/*.conf").AsConfig | indent 2 }}
{{- range $path, $_ := .Files.Glob "files/**" }}
  {{ base $path }}.lines: {{ len ($.Files.Lines $path) | quote }}
{{- end }}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ include "storefront.name" . }}-secret}
data:
{{ (.Files.Glob "files/*.conf").AsSecrets | indent 2 }}
`,
  "templates/loops.yaml":
    "{{- range $index, $item := .Values.list }}\n{{- if eq $index 3 }}{{ continue }}{{ end }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: item-{{ $index }}\ndata:\n  item: {{ $item | toString | quote }}\n{{- with $.Values.memory }}\n  size: {{ .size | quote }}\n{{- else }}\n  size: none\n{{- end }}\n{{- end }}\n",
  "templates/carriage.yaml": "apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: carriage\r\n",
  "templates/hooks.yaml":
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-before\n  annotations:\n    helm.sh/hook: pre-install,pre-upgrade\n    helm.sh/hook-weight: "-1"\n---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}-test\n  annotations: {helm.sh/hook: test}\nspec:\n  restartPolicy: Never\n  containers: [{name: t, image: t}]\n---\nkind: Never\nmetadata: {name: never, annotations: {helm.sh/hook: sometime}}\n',
  "templates/comment.yaml": "# {{ .Values.replicas }} of them\n",
  "templates/NOTES.txt": "{{ .Release.Name }} is open in zone {{ .Values.global.zone }}.\n",
  "charts/cache/Chart.yaml": "apiVersion: v2\nname: cache\nversion: 0.3.1\n",
  "charts/cache/values.yaml": "size: 1\nkind: plain\n",
  "charts/cache/templates/_helpers.tpl": '{{ define "shared" }}child{{ end }}',
  "charts/cache/templates/cache.yaml":
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-{{ .Chart.Name }}\ndata:\n  size: "{{ .Values.size }}"\n  zone: {{ .Values.global.zone }}\n  shared: {{ template "shared" . }}\n  root: "{{ .Chart.IsRoot }}"\n',
  "charts/parts/Chart.yaml": "apiVersion: v2\nname: parts\nversion: 1.0.0\ntype: library\n",
  "charts/parts/templates/_parts.tpl": '{{ define "parts.port" }}{{ .Values.port | int }}{{ end }}',
  "charts/parts/templates/never.yaml": "never: rendered\n",
  "charts/prices/Chart.yaml": "apiVersion: v2\nname: prices\nversion: 2.1.0\n",
  "charts/prices/values.yaml": "exports: {rates: {rate: 7}}\nlimits: {most: 100}\n",
};

/** Charts that cannot be rendered, by their error. */
export const brokenCharts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  parse: { "templates/a.yaml": "a: 1\nb: {{ if }}\n" },
  function: { "templates/a.yaml": "{{ nosuch 1 }}" },
  nil: { "templates/a.yaml": 'x: {{ include "deep" . }}', "templates/_b.tpl": '{{ define "deep" }}{{ .Values.a.b.c }}{{ end }}' },
  required: { "templates/a.yaml": '\n\n  {{ required "say which image" .Values.image }}' },
  fail: { "templates/a.yaml": '{{ include "f" . }}', "templates/_b.tpl": '{{ define "f" }}{{ fail "not like this: no" }}{{ end }}' },
  compare: { "values.yaml": "port: 80\n", "templates/a.yaml": "{{ eq .Values.port 80 }}" },
  tpl: { "templates/a.yaml": '{{ tpl "{{ .Values.a.b }}" . }}' },
  yaml: { "templates/a.yaml": "kind: A\nspec:\n  a: b: c\n" },
  list: { "templates/a.yaml": "- a\n" },
  values: { "values.yaml": "- a\n" },
  version: { "Chart.yaml": "apiVersion: v2\nname: broken\nversion: none\n" },
  library: { "Chart.yaml": "apiVersion: v2\nname: broken\nversion: 0.1.0\ntype: library\n" },
  kubernetes: { "Chart.yaml": "apiVersion: v2\nname: broken\nversion: 0.1.0\nkubeVersion: '>=1.99'\n" },
  schema: { "values.schema.json": '{"type":"object","required":["image"],"properties":{"port":{"type":"integer","minimum":1}}}' },
};
