import assert from "node:assert/strict";
import test from "node:test";
import { lineFor } from "../../core/fault/index.ts";
import type { Match } from "../evaluate/index.ts";
import { collectedMatch, objectFrom, serviceMatches, sourceCluster, testEnvironment } from "../../../test/support/instantiate/fake-hub.ts";
import type { EventRenderOptions } from "./index.ts";

const deployment = collectedMatch(
  objectFrom(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: eng, uid: u, resourceVersion: "7", labels: {app: web}, managedFields: [{manager: m}]}
spec: {replicas: 3, big: 1000000, huge: 12345678901234567891, ratio: 0.5, none: null}`),
);

const cluster = sourceCluster.object;
const data = { of: "match", match: deployment, cluster } as const;

function rendered(text: string, match: Match = deployment, options: EventRenderOptions = {}): string {
  const outcome = testEnvironment().templates.render("at", text, { of: "match", match, cluster }, options);
  return outcome.state === "rendered" ? outcome.text : lineFor(outcome.problem);
}

for (const [template, expected] of [
  ["no template", "no template"],
  [
    "{{ .MatchingResource.APIVersion }} {{ .MatchingResource.Kind }} {{ .MatchingResource.Namespace }}/{{ .MatchingResource.Name }}",
    "apps/v1 Deployment eng/web",
  ],
  ["{{ .Resource.spec.replicas }} {{ .Resource.spec.big }} {{ .Resource.spec.ratio }}", "3 1000000 0.5"],
  ["{{ .Resource.spec.huge }}", "12345678901234567891"],
  ["{{ eq .Resource.spec.replicas 3 }}", "true"],
  ["{{ .Cluster.kind }} {{ .Cluster.metadata.labels.env }}", "SveltosCluster fv"],
  ["{{ toJson .Resource.metadata.labels }}", '{"app":"web"}'],
  ["{{ (fromYaml `a: [1, 2]`).a | len }}", "2"],
  ["{{ (fromJson `{`).Error }}", "unexpected end of JSON input"],
  ["{{ toToml .Resource.metadata.labels }}", 'app = "web"\n'],
  ['{{ getField .Resource "metadata.name" }}|{{ getField .Resource "spec.x.y" }}', "web|"],
  ['{{ getField (getResource .Resource) "metadata.uid" }}|{{ .Resource.metadata.uid }}', "|u"],
  ['{{ setField .Resource.metadata.labels "a.b" "c" }}', "a:\n  b: c\napp: web\n"],
  ['{{ setField .Resource.metadata.labels "app.b" "c" }}', ""],
  ['{{ removeField .Resource.metadata.labels "app" }}', "{}\n"],
  ['{{ toYaml (chainRemoveField (chainSetField .Resource.metadata.labels "a" 1) "app") }}', "a: 1"],
  [
    "{{ copy (chainRemoveField .Resource `spec`) }}",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  labels:\n    app: web\n  name: web\n  namespace: eng\n",
  ],
  ["{{ $x := set .Resource `kind` `X` }}{{ .Resource.kind }}", "X"],
  ["a\n  {{ .Resource.spec.nothing }}", 'at:2:14: at <.Resource.spec.nothing>: map has no entry for key "nothing"'],
  ["{{ .Nothing }}", "at:1:3: at <.Nothing>: can't evaluate field Nothing in type *controllers.currentObject"],
  ["{{ if }}", "at:1: missing value for if"],
  ["{{ env `HOME` }}", 'at:1: function "env" not defined'],
  ["{{ fail `no` }}", "at:1:3: at <fail `no`>: error calling fail: no"],
  ["{{ range until 500000 }}aaaaaaaaaa{{ end }}", "at: text:1:9: the output is longer than the 4194304 characters allowed"],
] as const)
  test(`renders ${JSON.stringify(template)}`, () => {
    assert.equal(rendered(template), expected);
  });

test("one template does not see what another has set", () => {
  const { templates } = testEnvironment();
  templates.render("at", "{{ set .Resource `kind` `X` }}", data);
  assert.deepEqual(templates.render("at", "{{ .Resource.kind }}", data), {
    state: "rendered",
    text: "Deployment",
    isNondeterministic: false,
  });
});

test("an object that was not collected is an empty map", () => {
  const [match] = serviceMatches("a/x");
  assert.equal(rendered("{{ len .Resource }}{{ .MatchingResource.Name }}", match), "0x");
  assert.equal(
    rendered("{{ .Resource.metadata.name }}", match),
    'at:1:12: at <.Resource.metadata.name>: map has no entry for key "metadata"',
  );
});

test("the reference of one matching object has both spellings", () => {
  const [match] = serviceMatches("a/x");
  assert.equal(rendered("{{ .MatchingResources.Namespace }}/{{ .MatchingResources.Name }} {{ .MatchingResource.Name }}", match), "a/x x");
});

test("all matching objects are lists, even if none was collected", () => {
  const text = "{{ range .MatchingResources }}{{ .Name }} {{ end }}{{ range .Resources }}{{ .metadata.name }}{{ end }}";
  const { templates } = testEnvironment();
  const of = (matches: readonly Match[]) => templates.render("at", text, { of: "matches", matches, cluster });
  assert.deepEqual(of([deployment]), { state: "rendered", text: "web web", isNondeterministic: false });
  assert.deepEqual(of(serviceMatches("a/x a/y")), { state: "rendered", text: "x y ", isNondeterministic: false });
});

test("templates of older generations may read a missing key, but not print it", () => {
  const ask = "{{ if .Resource.spec.nothing }}a{{ else }}b{{ end }}";
  assert.match(rendered(ask), /no entry for key/);
  assert.equal(rendered(ask, deployment, { lenient: true }), "b");
  assert.match(rendered("{{ .Resource.spec.nothing }}", deployment, { lenient: true }), /^at:1:12: .*no entry for key "nothing"$/);
});

for (const [template, isNondeterministic] of [
  ["{{ randAlpha 3 }}", true],
  ["{{ now }}", true],
  ["{{ uuidv4 }}", true],
  ["{{ sha256sum `a` }}", false],
] as const)
  test(`${template} is ${isNondeterministic ? "nondeterministic" : "deterministic"}`, () => {
    const { templates } = testEnvironment();
    const [first, second] = [0, 1].map(() => templates.render("at", template, data, { repeatable: true }));
    assert.deepEqual(first, second);
    const outcome = templates.render("at", template, data);
    assert.equal(outcome.state === "rendered" && outcome.isNondeterministic, isNondeterministic);
  });
