import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { chartOf } from "../../../test/support/chart-of.ts";
import { readValues, type Reuse } from "../../chart/index.ts";
import { lineFor } from "../../core/fault/index.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { fieldsAt, stringAt } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { deploy, uninstallRelease } from "../deploy/index.ts";
import { historyOf } from "../record/index.ts";
import { renderRelease } from "./index.ts";

const release = { name: "web", namespace: "default" };
const signal = new AbortController().signal;
const environment = { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) };

type Given = { readonly values?: string; readonly reuse?: Reuse; readonly name?: string };

class Lab {
  readonly clock = new VirtualClock();
  readonly cluster: Cluster;

  constructor(t: TestContext) {
    const { exchange, stop } = startEmbeddedCluster({ clock: this.clock });
    t.after(stop);
    this.cluster = connect(exchange, { clock: this.clock });
  }

  async request(files: Readonly<Record<string, string>>, { values = "", reuse = "when none are given", name = "web" }: Given = {}) {
    const order = { chart: chartOf(files), values: readValues(values), reuse, environment, limits: {}, warn: () => undefined };
    return this.clock.until(renderRelease(order, { ...release, name }, this.cluster, { signal }));
  }

  async deploy(files: Readonly<Record<string, string>>, given: Given = {}): Promise<string> {
    const { name = "web" } = given;
    const request = await this.request(files, given);
    return this.end(deploy({ release: { ...release, name }, ...request }, this.cluster, { signal, identity: "tester" }));
  }

  async end(events: ReturnType<typeof deploy>): Promise<string> {
    let end = "";
    const listen = async () => {
      for await (const event of events) if (event.type === "done") end = `${event.status}${event.because ?? ""}`;
    };
    await this.clock.until(listen());
    return end;
  }

  async data(name: string): Promise<Readonly<Record<string, unknown>>> {
    const found = await this.clock.until(
      this.cluster.get({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name }, { signal }),
    );
    return fieldsAt(found, "data");
  }
}

const configMap = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata:\n  ${data}\n`;

test("templates see the cluster, the release, and what they look up", async (t) => {
  const lab = new Lab(t);
  const files = {
    "templates/a.yaml": configMap(
      [
        'a: "{{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }} {{ .Capabilities.APIVersions.Has "apps/v1" }}"',
        'b: "{{ .Release.IsInstall }} {{ .Release.Revision }} {{ .Release.Namespace }}"',
        'c: "{{ (lookup "v1" "Namespace" "" "default").metadata.name }} {{ lookup "v1" "Secret" "default" "none" }}"',
        'd: "{{ range (lookup "v1" "Namespace" "" "").items }}{{ .metadata.name }} {{ end }}"',
        'e: "{{ .Capabilities.KubeVersion.Version }}"',
      ].join("\n  "),
    ),
  };
  assert.equal(await lab.deploy(files), "deployed");
  const { gitVersion } = await lab.cluster.version({ signal });
  const first = await lab.data("web");
  assert.equal(first["a"], "true true");
  assert.equal(first["b"], "true 1 default");
  assert.equal(first["c"], "default map[]");
  assert.match(String(first["d"]), /default .*kube-system /);
  assert.equal(first["e"], gitVersion);
  assert.equal(await lab.deploy({ ...files, "templates/b.yaml": "" }), "deployed");
  assert.equal((await lab.data("web"))["b"], "false 2 default");
});

test("a kind that the cluster does not have is an error of the template that asks", async (t) => {
  const asking = new Lab(t).request({ "templates/a.yaml": '{{ lookup "example.com/v1" "Widget" "" "w" }}' });
  await assert.rejects(asking, /error calling lookup: unable to get apiresource from unstructured: example\.com\/v1, Kind=Widget/);
});

test("the record holds chart, values, notes, hooks and the text that was rendered", async (t) => {
  const lab = new Lab(t);
  const text = `# words stay\n${configMap("a: {{ .Values.a }}x")}`;
  const files = {
    "values.yaml": "a: 1\nb: 2\n",
    "README.md": "read me",
    "templates/a.yaml": text,
    "templates/NOTES.txt": "hello {{ .Release.Name }}",
    "templates/t.yaml":
      'apiVersion: v1\nkind: Pod\nmetadata: {name: t, annotations: {"helm.sh/hook": test}}\nspec: {containers: [{name: c, image: i}]}\n',
  };
  assert.equal(await lab.deploy(files, { values: "a: 5" }), "deployed");
  const [revision] = await historyOf(lab.cluster).revisions(release, { signal });
  assert.equal(
    revision?.manifest,
    `---\n# Source: web/templates/a.yaml\n${text.replace("{{ .Release.Name }}", "web").replace("{{ .Values.a }}", "5")}\n`,
  );
  assert.deepEqual(revision?.config, { a: 5 });
  assert.equal(revision?.notes, "hello web");
  assert.deepEqual(
    revision?.hooks.map(({ name, kind, path, events }) => ({ name, kind, path, events })),
    [{ name: "t", kind: "Pod", path: "web/templates/t.yaml", events: ["test"] }],
  );
  const chart = revision?.chart ?? {};
  assert.deepEqual(chart["metadata"], { name: "web", version: "0.1.0", apiVersion: "v2" });
  assert.deepEqual(chart["values"], { a: 1, b: 2 });
  assert.deepEqual(
    (chart["files"] as { name: string; data: string }[]).map(({ name, data }) => `${name} ${Buffer.from(data, "base64")}`),
    ["README.md read me"],
  );
});

const shown = { "values.yaml": "a: default\nb: default\n", "templates/a.yaml": configMap("a: '{{ .Values.a }}'\n  b: '{{ .Values.b }}'") };
const newer = { ...shown, "values.yaml": "a: newer\nb: newer\n" };

/** The values `a` and `b` by each way of reusing values, after `a: given` was deployed. */
const reuses: readonly { readonly reuse: Reuse; readonly values: string; readonly a: string; readonly b: string }[] = [
  { reuse: "when none are given", values: "", a: "given", b: "newer" },
  { reuse: "when none are given", values: "b: now", a: "newer", b: "now" },
  { reuse: "reset", values: "", a: "newer", b: "newer" },
  { reuse: "reuse", values: "", a: "given", b: "default" },
  { reuse: "reuse", values: "b: now", a: "given", b: "now" },
  { reuse: "reset, then reuse", values: "", a: "given", b: "newer" },
];

for (const { reuse, values, a, b } of reuses)
  test(`values of before: ${reuse}${values === "" ? "" : `, with ${values}`}`, async (t) => {
    const lab = new Lab(t);
    assert.equal(await lab.deploy(shown, { values: "a: given" }), "deployed");
    // With all previous values nothing changes.
    assert.equal(await lab.deploy(newer, { values, reuse }), a === "given" && b === "default" ? "unchanged" : "deployed");
    assert.deepEqual(await lab.data("web"), { a, b });
  });

const crdText = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer}}}}}]
`;
const crd = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", namespace: "", name: "widgets.example.com" };

test("CRDs in crds/ come first on every deploy, belong to no release, and stay", async (t) => {
  const lab = new Lab(t);
  const files = {
    "crds/w.yaml": crdText,
    "templates/w.yaml": 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: "{{ .Release.Name }}"}\nsize: 1\n',
  };
  assert.equal(await lab.deploy(files), "deployed");
  assert.equal(await lab.deploy(files, { name: "other" }), "deployed");
  const changed = crdText.replace("size: {type: integer}", "size: {type: integer, description: big}");
  assert.equal(await lab.deploy({ ...files, "crds/w.yaml": changed }), "deployed");
  const live = await lab.clock.until(lab.cluster.get(crd, { signal }));
  assert.match(JSON.stringify(live), /"description":"big"/);
  assert.equal(stringAt(live, "metadata.annotations.meta"), undefined);
  assert.equal(live.metadata.annotations?.["meta.helm.sh/release-name"], undefined);
  for (const name of ["web", "other"])
    assert.equal(
      await lab.end(uninstallRelease({ release: { ...release, name } }, lab.cluster, { signal, identity: "tester" })),
      "deleted",
    );
  assert.ok(await lab.clock.until(lab.cluster.find(crd, { signal })));
});

test("a chart that cannot be installed is refused before anything is asked", async (t) => {
  await assert.rejects(new Lab(t).request({ "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\ntype: library\n" }), {
    message: "library charts are not installable",
  });
});

test("what is no Kubernetes object is reported with its template", async (t) => {
  const { invalid } = await new Lab(t).request({ "templates/a.yaml": "kind: ConfigMap\nmetadata: {name: a}\n" });
  assert.match(invalid!.problems.map(lineFor).join(), /^web\/templates\/a\.yaml: configmap\/a: apiVersion is missing/);
});
