/** What one hostile tenant sends: each object asks for all time or all memory in another way. */
import type { Tenant } from "../src/sveltos/api/index.ts";
import type { KubeObject } from "../src/core/object/index.ts";
import { labelsOf } from "../test/support/tenant-fixture.ts";
import { sveltosObject } from "../test/support/sveltos-objects.ts";

const fv = { matchLabels: { env: "fv" } };

/** Templates that are made for seconds, or for gigabytes. */
const templates = [
  "{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}",
  "{{ $l := list }}{{ range until 1000 }}{{ $l = append $l (repeat 1000000 `a` | upper) }}{{ end }}",
  "{{ range until 100000 }}{{ $c := genCA `x` 1 }}{{ end }}",
  "{{ range until 1000 }}{{ $c := genPrivateKey `rsa` }}{{ end }}",
  "{{ range until 100000 }}{{ $c := bcrypt `a` }}{{ end }}",
  "{{ $x := `aaaaaaaa` }}{{ range until 40 }}{{ $x = printf `%s%s` $x $x }}{{ end }}",
  "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}",
  "{{ $x := repeat 1000000 `a` }}{{ range until 1000 }}{{ regexMatch `(a|aa)+$b` $x }}{{ end }}",
  "{{ regexMatch (repeat 10 `[a-z]{0,900}`) (repeat 100000 `a`) }}",
  "{{ randAlphaNum 100000000 | len }}",
  "{{ fromYaml (printf `a: [%s]` (repeat 2000000 `1,`)) | len }}",
  "{{ range until 100000 }}{{ $c := derivePassword 1 `long` `a` `b` `c` }}{{ end }}",
  "{{ fail `no` }}",
];

const scripts = [
  "while true do end",
  "local s = 'x' while true do s = s .. s end",
  "local set = '[' .. ('b'):rep(4e6) .. ']' string.gsub(('a'):rep(1e6), set, 'c')",
  "string.find(('a'):rep(5000), ('a-'):rep(200) .. 'b')",
  "local t = {} local i = 0 while true do i = i + 1 t['k' .. i] = true end",
  "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(1000) .. i end",
  "error('no')",
];

const rules = [
  "['a','b','c','d','e','f','g','h'].all(a, ['a','b','c','d','e','f','g','h'].all(b, ['a','b','c','d','e','f','g','h'].all(c, ['a','b','c','d','e','f','g','h'].all(d, ['a','b','c','d','e','f','g','h'].all(e, ['a','b','c','d','e','f','g','h'].all(f, ['a','b','c','d','e','f','g','h'].all(g, a != 'z')))))))",
  "resource.metadata.name.matches('(' + 'a|'.replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') + 'b){1,500}$')",
  "resource.metadata.nothing.at.all",
];

const patches = [
  JSON.stringify([
    { op: "add", path: "/data/a", value: "x".repeat(1000) },
    ...Array.from({ length: 27 }, (_, at) => ({ op: "copy", from: "/data", path: `/data/c${at}` })),
  ]),
  JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ op: "add", path: `/data/k${at}`, value: "x" }))),
];

const schema = (depth: number) =>
  JSON.stringify({
    $ref: "#/definitions/d0",
    definitions: Object.fromEntries(
      Array.from({ length: depth }, (_, at) => [
        `d${at}`,
        at === depth - 1 ? { type: "object" } : { allOf: [{ $ref: `#/definitions/d${at + 1}` }, { $ref: `#/definitions/d${at + 1}` }] },
      ]),
    ),
  });

/** The files of hostile charts but Chart.yaml, by the name of the chart. */
export const hostileCharts: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  [
    ...templates.map((template): Readonly<Record<string, string>> => ({ "templates/a.yaml": template })),
    { "values.schema.json": schema(40) },
    {
      "values.yaml": `list: [${Array.from({ length: 20_000 }, (_, at) => `{a: ${at}}`).join()}]`,
      "values.schema.json": JSON.stringify({ properties: { list: { uniqueItems: true } } }),
    },
    {
      "values.yaml": Array.from({ length: 9 }, (_, at) => `k${at}: &k${at} [${`*k${at - 1},`.repeat(9)}]`)
        .join("\n")
        .replace("*k-1", "x"),
    },
    { ".helmignore": `${"*a".repeat(5000)}b`, [`templates/${"a".repeat(90)}.yaml`]: "" },
  ].map((files, at) => [`hostile-${at}`, files]),
);

/** What is hostile in an object. */
export const hostileKinds = [
  "template",
  "script",
  "event-script",
  "chart",
  "event-rule",
  "event-template",
  "patch",
  "chart-values",
  "event-aggregation",
  "health-script",
  "deep-yaml",
  "alias-yaml",
  "reference-template",
] as const;
type HostileKind = (typeof hostileKinds)[number];

type Shape = (name: string, at: number) => readonly KubeObject[];

function pick(texts: readonly string[], at: number): string {
  return texts[at % texts.length]!;
}

/** What a tenant sends as its `number`th object. Each text is a new one. */
export function hostileObjects(
  tenant: Tenant,
  number: number,
  repositoryURL: string,
  kinds: readonly HostileKind[],
): readonly KubeObject[] {
  const labels = labelsOf(tenant);
  const { namespace } = tenant;
  const content = (name: string, text: string, annotation: string): KubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace, annotations: annotation === "" ? {} : { [`projectsveltos.io/${annotation}`]: "ok" } },
    data: { "a.yaml": text },
  });
  const refs = (name: string) => ({ policyRefs: [{ kind: "ConfigMap", namespace, name }] });
  const profile = (name: string, spec: object) => sveltosObject("ClusterProfile", name, { clusterSelector: fv, ...spec }, { labels });
  const manifest = (name: string) =>
    JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { a: "b" } });
  const source = (name: string, selector: object, spec: object = {}) =>
    sveltosObject(
      "EventSource",
      name,
      { collectResources: true, resourceSelectors: [{ group: "", version: "v1", kind: "Service", namespace, ...selector }], ...spec },
      { labels },
    );
  const trigger = (name: string, eventSourceName: string, spec: object) =>
    sveltosObject("EventTrigger", name, { sourceClusterSelector: fv, eventSourceName, oneForEvent: true, ...spec }, { labels });
  const lua = (text: string) => `-- ${number}\nfunction evaluate()\n${text}\nreturn {matching = true}\nend`;
  const chart = (name: string, more: object, at: number) =>
    profile(name, {
      helmCharts: [
        {
          repositoryURL,
          repositoryName: "hostile",
          chartName: `hostile/hostile-${at % Object.keys(hostileCharts).length}`,
          chartVersion: "0.1.0",
          releaseName: name,
          releaseNamespace: namespace,
          ...more,
        },
      ],
    });
  const shapes: Readonly<Record<HostileKind, Shape>> = {
    template: (name, at) => [content(name, `# ${number}\n${pick(templates, at)}`, "template"), profile(name, refs(name))],
    script: (name, at) => [content(name, lua(pick(scripts, at)), "lua"), profile(name, refs(name))],
    "event-script": (name, at) => [source(name, { evaluate: lua(pick(scripts, at)) }), trigger(name, name, refs("answer"))],
    chart: (name, at) => [chart(name, {}, at)],
    "event-rule": (name, at) => [
      source(name, { evaluateCEL: [{ name: "a", rule: `${pick(rules, at)} || '${number}' == ''` }] }),
      trigger(name, name, refs("answer")),
    ],
    "event-template": (name, at) => [
      content(name, `# ${number}\n${pick(templates, at)}`, "instantiate"),
      trigger(name, `events-${tenant.name}`, refs(name)),
    ],
    patch: (name, at) => [
      content(name, manifest(name), ""),
      profile(name, {
        ...refs(name),
        patches: [
          { target: { kind: "ConfigMap", name: "(a|aa)+$".repeat(50) }, patch: pick(patches, 0) },
          { target: { kind: "ConfigMap" }, patch: pick(patches, at) },
        ],
      }),
    ],
    "chart-values": (name, at) => [chart(name, { values: `# ${number}\na: ${pick(templates, at)}` }, 0)],
    "event-aggregation": (name, at) => [
      source(name, {}, { aggregatedSelection: `-- ${number}\nfunction evaluate()\n${pick(scripts, at)}\nreturn {resources = {}}\nend` }),
      trigger(name, name, refs("answer")),
    ],
    "health-script": (name, at) => [
      content(name, manifest(name), ""),
      profile(name, {
        ...refs(name),
        validateHealths: [
          { name: "h", featureID: "Resources", group: "", version: "v1", kind: "Service", namespace, script: lua(pick(scripts, at)) },
        ],
      }),
    ],
    "deep-yaml": (name) => [content(name, `a: ${"[".repeat(100_000)}\n# ${number}`, ""), profile(name, refs(name))],
    "alias-yaml": (name) => [
      content(name, Array.from({ length: 12 }, (_, at) => `k${at}: &k${at} [${at === 0 ? "x" : `*k${at - 1},`.repeat(9)}]`).join("\n"), ""),
      profile(name, refs(name)),
    ],
    "reference-template": (name, at) => [
      profile(name, {
        templateResourceRefs: [
          { resource: { apiVersion: "v1", kind: "ConfigMap", namespace, name: `${pick(templates, at)}` }, identifier: "a" },
        ],
        ...refs("answer"),
      }),
    ],
  };
  return shapes[kinds[number % kinds.length]!](`hostile-${number}`, Math.floor(number / kinds.length));
}
