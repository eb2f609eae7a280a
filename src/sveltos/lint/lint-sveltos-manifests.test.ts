import assert from "node:assert/strict";
import { test } from "node:test";
import { lineFor } from "../../core/fault/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { lintSveltosManifests } from "./index.ts";

const lib = "apiVersion: lib.projectsveltos.io/v1beta1\n";
const profile = (spec: string) => `apiVersion: config.projectsveltos.io/v1beta1\nkind: ClusterProfile\nmetadata: {name: p}\nspec:\n${spec}`;
const source = (selector: string) =>
  `${lib}kind: EventSource\nmetadata: {name: e}\nspec:\n  resourceSelectors:\n  - {group: "", version: v1, kind: Service, ${selector}}`;
const trigger = (spec: string) =>
  `${lib}kind: EventTrigger\nmetadata: {name: t}\nspec:\n  sourceClusterSelector: {matchLabels: {a: b}}\n  eventSourceName: e\n${spec}`;
const content = (annotation: string, text: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {projectsveltos.io/${annotation}: ok}}\ndata:\n  a.yaml: |\n    ${text}`;

const cases: readonly { readonly what: string; readonly text: string; readonly says: readonly (string | RegExp)[] }[] = [
  { what: "a profile", text: profile("  clusterSelector: {matchLabels: {a: b}}"), says: [] },
  { what: "an object of another kind", text: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {nonsense: 1}", says: [] },
  {
    what: "a kind without a controller",
    text: `${lib}kind: HealthCheck\nmetadata: {name: h}`,
    says: ["f.yaml:2: healthcheck/h: Sluice has no controller for HealthCheck of lib.projectsveltos.io: nothing would happen for it"],
  },
  {
    what: "a kind of another group",
    text: "apiVersion: projectsveltos.io/v1beta1\nkind: SveltosCluster\nmetadata: {name: s}",
    says: ["f.yaml:1: sveltoscluster/s: projectsveltos.io has no kind SveltosCluster; expected lib.projectsveltos.io/v1beta1"],
  },
  {
    what: "a version that nobody serves",
    text: `${lib.replace("v1beta1", "v1beta11")}kind: EventSource\nmetadata: {name: e}`,
    says: ["f.yaml:1: eventsource/e: lib.projectsveltos.io has no version v1beta11; expected v1alpha1 or v1beta1"],
  },
  {
    what: "a field that is not built",
    text: profile("  syncMode: Continuous\n  reloader: true"),
    says: ["f.yaml:6: clusterprofile/p: spec.reloader: not built into Sluice, therefore nothing would be deployed"],
  },
  {
    what: "a field that is unknown, and one that is missing",
    text: trigger("  polciyRefs: [{kind: ConfigMap, name: c}]").replace("  eventSourceName: e\n", ""),
    says: [/^f\.yaml:6: eventtrigger\/t: spec\.polciyRefs: .*policyRefs/, /^f\.yaml:4: eventtrigger\/t: spec\.eventSourceName: is missing/],
  },
  { what: "Lua", text: source('evaluate: "function evaluate() return {matching = true} end"'), says: [] },
  {
    what: "Lua that does not compile",
    text: source('evaluate: "function evaluate("'),
    says: [/^f\.yaml:6: eventsource\/e: spec\.resourceSelectors\[0\]\.evaluate: /],
  },
  {
    what: "CEL that does not compile",
    text: source("evaluateCEL: [{name: x, rule: 'resource.'}]"),
    says: [/^f\.yaml:6: eventsource\/e: spec\.resourceSelectors\[0\]\.evaluateCEL: CEL rule x: /],
  },
  {
    what: "a health check that does not compile",
    text: profile("  validateHealths:\n  - {name: h, featureID: Resources, group: '', version: v1, kind: Pod, script: 'if'}"),
    says: [/^f\.yaml:6: clusterprofile\/p: spec\.validateHealths\[0\]\.script: /],
  },
  {
    what: "Lua that does not compile, in a literal block",
    text: `${lib}kind: EventSource\nmetadata: {name: e}\nspec:\n  version: v1\n  kind: Service\n  script: |-  # text\n    function evaluate()\n      return {a = }\n    end`,
    says: [/^f\.yaml:9: eventsource\/e: spec\.script: e:2: unexpected symbol near '}'$/],
  },
  {
    what: "Lua that lacks its end, in a literal block",
    text: `${lib}kind: EventSource\nmetadata: {name: e}\nspec:\n  version: v1\n  kind: Service\n  script: |\n    function evaluate()\n      return {}\n  group: ""\n`,
    says: [/^f\.yaml:9: eventsource\/e: spec\.script: /],
  },
  {
    what: "Lua without its function",
    text: source('evaluate: "x = 1"'),
    says: [/^f\.yaml:6: .*spec\.resourceSelectors\[0\]\.evaluate: defines no function evaluate; expected one/],
  },
  {
    what: "content that an EventBasedAddOn renders",
    text: `${trigger("  policyRefs: [{kind: ConfigMap, namespace: x, name: c}]").replace("EventTrigger", "EventBasedAddOn")}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: x}\ndata:\n  a: |\n    b: 1\n    c: {{ end }}\n`,
    says: [/^f\.yaml:15: configmap\/c: data\["a"\]:2: unexpected \{\{end\}\}$/, /^warning: f\.yaml:6: .*there is no EventSource e among/],
  },
  { what: "braces in Lua are no template", text: source('evaluate: "function evaluate() local t = {{1}} return {} end"'), says: [] },
  {
    what: "a template that is none",
    text: trigger('  policyRefs:\n  - {kind: ConfigMap, namespace: default, name: "{{ .Resource.metadata.name"}'),
    says: [
      /^f\.yaml:8: eventtrigger\/t: spec\.policyRefs\[0\]\.name:1: unclosed action/,
      /^warning: f\.yaml:6: .*there is no EventSource e among/,
    ],
  },
  {
    what: "a patch that is none, and an expression that is none",
    text: profile('  patches:\n  - {patch: "- {op: remove, path: /a}"}\n  - {target: {name: "("}, patch: "{{ .Cluster.metadata.name }}"}'),
    says: [
      "f.yaml:6: clusterprofile/p: spec.patches[0]: a JSON patch needs a target; `target: {}` selects every object",
      /^f\.yaml:7: clusterprofile\/p: spec\.patches\[1\]\.target\.name: "\(": error parsing regexp/,
    ],
  },
  {
    what: "directives of strategic patches that mean nothing, in objects and in lists",
    text: profile(
      '  patches:\n  - {target: {}, patch: "{$patch: delete}"}\n  - {target: {}, patch: "{spec: {$patch: remove, containers: [{name: c, $patch: true}]}}"}',
    ),
    says: [
      'f.yaml:7: clusterprofile/p: spec.patches[1]: spec: unknown $patch "remove"; expected merge, replace or delete',
      "f.yaml:7: clusterprofile/p: spec.patches[1]: spec.containers[0]: unknown $patch true; expected merge, replace or delete",
    ],
  },
  { what: "content that is a template", text: content("template", "a: {{ .Cluster.metadata.name }}"), says: [] },
  {
    what: "content that is no template though it should be",
    text: content("instantiate", "a: {{ if }}"),
    says: [/^f\.yaml:6: configmap\/c: data\["a\.yaml"\]:1: missing value for if/],
  },
  { what: "content that may be anything", text: content("hash", "a: {{ if }}"), says: [] },
  { what: "content that is no Lua", text: content("lua", "function"), says: [/^f\.yaml:6: configmap\/c: data\["a\.yaml"\]: /] },
  {
    what: "an annotation that nobody reads",
    text: content("subressources", "a: b"),
    says: [
      'warning: f.yaml:3: configmap/c: metadata.annotations["projectsveltos.io/subressources"]: unknown to Sluice, and ignored; projectsveltos.io/subresources is known',
    ],
  },
  {
    what: "references to what is not there; templates, optional ones and what is there are passed over",
    text: [
      trigger("  policyRefs: [{kind: Secret, namespace: x, name: s}, {kind: ConfigMap, namespace: x, name: '{{ .Cluster.name }}'}]"),
      profile(
        "  policyRefs: [{kind: ConfigMap, namespace: x, name: c}, {kind: ConfigMap, name: c}, {kind: ConfigMap, name: d, optional: true}]\n  helmCharts:\n  - {repositoryURL: https://e, repositoryName: a, chartName: a/b, chartVersion: '1', releaseName: r, releaseNamespace: ns, valuesFrom: [{kind: ConfigMap, namespace: z, name: c}]}",
      ),
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: x}",
    ].join("\n---\n"),
    says: [
      /^warning: f\.yaml:6: eventtrigger\/t: spec\.eventSourceName: there is no EventSource e among these manifests: nothing happens until/,
      /^warning: f\.yaml:7: eventtrigger\/t: spec\.policyRefs\[0\]\.name: there is no Secret x\/s among/,
      /^warning: f\.yaml:15: clusterprofile\/p: spec\.helmCharts\[0\]\.valuesFrom\[0\]\.name: there is no ConfigMap z\/c among/,
    ],
  },
];

for (const { what, text, says } of cases) {
  test(what, () => {
    const { manifests } = readManifests(text, "f.yaml");
    const { problems, warnings } = lintSveltosManifests(manifests);
    const lines = [...problems.map(lineFor), ...warnings.map((warning) => `warning: ${lineFor(warning)}`)];
    assert.equal(lines.length, says.length, lines.join("\n"));
    for (const [index, expected] of says.entries())
      if (typeof expected === "string") assert.equal(lines[index], expected);
      else assert.match(lines[index] ?? "", expected);
  });
}
