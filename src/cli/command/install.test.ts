import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { runSluice, serveClusters, testFolder } from "../../../test/support/command-line.ts";

const folder = testFolder("install");
const { kubeconfig, sluice } = await serveClusters(folder);

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
const files = {
  "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
  "values.yaml": "a: 1\nb: 2\n",
  "crds/w.yaml": crd,
  "templates/a.yaml":
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {a: "{{ .Values.a }}", b: "{{ .Values.b }}", place: "{{ .Release.Namespace }} {{ .Release.IsUpgrade }}"}\n',
  "templates/hook.yaml":
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-hook", annotations: {helm.sh/hook: pre-install}}\n',
  "templates/NOTES.txt": "notes of {{ .Release.Name }}\n",
};
const chart = dirname(Object.entries(files).map(([name, text]) => folder.file(`chart/${name}`, text))[0]!);

async function ok(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await sluice(...args);
  assert.equal(code, 0, `${args.join(" ")}: ${err}`);
  return out;
}

/** The history of a release: `1 deployed Install complete`. */
async function historyOf(name: string): Promise<readonly string[]> {
  const revisions = JSON.parse(await ok("history", name, "-o", "json")) as { revision: number; status: string; description: string }[];
  return revisions.map(({ revision, status, description }) => `${revision} ${status} ${description}`);
}

test("install deploys a new release and refuses a name in use, as Helm does", async () => {
  assert.match(await ok("install", "first", chart, "--set", "a=9"), /deployed: first in default, revision 1\n\nNOTES:\nnotes of first$/);
  const { code, err } = await sluice("install", "first", chart);
  assert.equal(code, 1);
  assert.match(
    err,
    /^error: install first: cannot reuse a name that is still in use: first in default is at revision 1, which is deployed/,
  );
  assert.deepEqual(await historyOf("first"), ["1 deployed Install complete"]);
});

test("a name in use is told before what is wrong with the chart", async () => {
  await ok("install", "known", chart);
  const broken = dirname(folder.file("broken/Chart.yaml", "apiVersion: v2\nname: b\nversion: 1.0.0\n"));
  folder.file("broken/templates/a.yaml", '{{ fail "no" }}');
  assert.match((await sluice("install", "known", broken)).err, /cannot reuse a name/);
});

test("upgrade refuses a release that is not there, and with --install makes it", async () => {
  const { code, err } = await sluice("upgrade", "later", chart);
  assert.equal(code, 1);
  assert.match(err, /^error: upgrade later: "later" has no deployed releases \(upgrade --install installs it\)/);
  await ok("upgrade", "--install", "--wait", "later", chart, "--set", "a=5", "--atomic=true");
  // Without values those of before are kept, as by Helm.
  assert.match(await ok("upgrade", "-i", "later", chart, "--dry-run"), /a: "5"/);
  assert.match(await ok("upgrade", "later", chart, "--set", "b=7", "--description", "mine", "-l", "team=shop"), /revision 2/);
  assert.deepEqual(await historyOf("later"), ["1 superseded Install complete", "2 deployed mine"]);
  assert.match(await ok("upgrade", "later", chart, "--dry-run=client", "--reuse-values", "--set", "a=1"), /a: "1", b: "7"/);
});

test("a missing release in another namespace is pointed at", async () => {
  await ok("install", "placed", chart, "-n", "placed", "--create-namespace");
  assert.match((await sluice("upgrade", "placed", chart)).err, /there is one of that name in placed: choose its namespace with -n/);
});

test("--create-namespace of upgrade counts with --install only", async () => {
  assert.match((await sluice("upgrade", "x", chart, "-n", "nowhere", "--create-namespace")).err, /has no deployed releases/);
  await ok("upgrade", "-i", "x", chart, "-n", "somewhere", "--create-namespace");
});

test("a dry run changes nothing: the manifests without a cluster, or the plan of one", async () => {
  const nowhere = folder.file("nowhere", "apiVersion: v1\nkind: Config\n");
  const { code, out, err } = await runSluice("install", "dry", chart, "--dry-run", "--kubeconfig", nowhere, "--debug");
  assert.equal(code, 0, err);
  assert.match(out, /^---\n# Source: web\/templates\/a\.yaml\n[^]*name: "dry"[^]*---\n# Source: web\/templates\/hook\.yaml/);
  assert.match(err, /^NOTES:\nnotes of dry$/);
  assert.match(await ok("install", "dry", chart, "--dry-run=server"), /install dry in default, revision 1/);
  assert.equal((await sluice("history", "dry")).code, 1);
  assert.match((await sluice("install", "first", chart, "--dry-run=server")).err, /cannot reuse a name/);
  assert.equal((await sluice("install", "dry", chart, "--dry-run", "-o", "json")).code, 2);
  assert.match(await ok("install", "dry", chart, "--dry-run=none"), /deployed: dry/);
});

test("-o json prints the release alone to standard output, with Helm's fields", async () => {
  const { out, err } = await sluice("install", "data", chart, "-o", "json", "--labels", "team=shop");
  const release = JSON.parse(out) as Record<string, unknown>;
  assert.deepEqual(
    [release["name"], release["namespace"], release["version"], (release["info"] as Record<string, unknown>)["status"]],
    ["data", "default", 1, "deployed"],
  );
  assert.match(err, /deployed: data in default/);
  assert.match(await ok("upgrade", "data", chart, "--set", "a=2", "-o", "yaml", "--hide-notes"), /^name: data$/m);
});

test("a name can be generated", async () => {
  assert.match(await ok("install", chart, "--generate-name"), /deployed: chart-\d{10} in default/);
  assert.match(await ok("install", chart, "--name-template", '{{ "MADE" | lower }}'), /deployed: made in default/);
  const { code, err } = await sluice("install", chart);
  assert.deepEqual([code, err], [2, "error: must either provide a name or specify --generate-name"]);
});

test("--replace goes on with a deleted release", async () => {
  await ok("install", "again", chart);
  await ok("uninstall", "again", "--keep-history", "--description", "bye");
  assert.deepEqual(await historyOf("again"), ["1 uninstalled bye"]);
  assert.match((await sluice("install", "again", chart)).err, /which is uninstalled: install --replace/);
  assert.match(await ok("install", "again", chart, "--replace"), /revision 2/);
});

test("--skip-crds leaves the definitions alone", async () => {
  await ok("install", "skips", chart, "--skip-crds", "-n", "default", "--context", "sluice");
  assert.match(await ok("template", "skips", chart, "--include-crds"), /kind: CustomResourceDefinition/);
  assert.doesNotMatch(await ok("template", "skips", chart), /CustomResourceDefinition/);
});

test("uninstall deletes several, in order, and stops at the first that is not there", async () => {
  for (const name of ["u1", "u2", "u3"]) await ok("install", name, chart);
  assert.match(await ok("uninstall", "u1", "--dry-run"), /^delete u1 in default, revision 1[^]*delete configmap\/u1 until gone/);
  const { code, out, err } = await sluice("uninstall", "u1", "none", "u2");
  assert.equal(code, 1);
  assert.match(out, /deleted: u1 in default/);
  assert.match(err, /there is no such release/);
  assert.match(await ok("un", "none", "u2", "--ignore-not-found", "--wait", "--cascade", "foreground"), /no release none\n[^]*deleted: u2/);
  await ok("del", "u3");
  assert.equal(await ok("ls", "-q", "--filter", "^u\\d$"), "");
});

test("the kept history of a deleted release is purged by a second uninstall, as by Helm's", async () => {
  await ok("install", "kept", chart);
  await ok("uninstall", "kept", "--keep-history");
  assert.equal((await sluice("uninstall", "kept", "--keep-history")).code, 1);
  await ok("uninstall", "kept");
  assert.equal((await sluice("history", "kept")).code, 1);
});

test("template is render with a name, in the namespace of the context", async () => {
  const rendered = (await runSluice("render", chart, "--release", "web", "-n", "shop")).out;
  assert.equal((await runSluice("template", "web", chart, "-n", "shop", "--wait", "--debug")).out, rendered);
  const context = folder.file(
    "context",
    "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {cluster: c, user: u, namespace: there}}, {name: b, context: {cluster: c, user: u}}]\n",
  );
  assert.match((await runSluice("template", chart, "--kubeconfig", context)).out, /name: "release-name"[^]*place: "there false"/);
  assert.match((await runSluice("template", chart, "--kubeconfig", context, "--kube-context", "b")).out, /place: "default false"/);
});

test("template --output-dir writes a file for each template, and leads nowhere else", async () => {
  const to = join(folder.path, "out");
  const { out } = await runSluice("template", "web", chart, "--output-dir", to, "--release-name", "--include-crds");
  const written = ["web/crds/w.yaml", "web/templates/a.yaml", "web/templates/hook.yaml"].map((name) => join(to, "web", name));
  assert.deepEqual(
    out.split("\n"),
    written.map((path) => `wrote ${path}`),
  );
  assert.match(readFileSync(written[1]!, "utf8"), /^---\n# Source: web\/templates\/a\.yaml\napiVersion: v1\n/);
  await runSluice("template", "web", chart, "--output-dir", `${to}2`, "-s", "templates/a.yaml");
  assert.deepEqual(
    [existsSync(join(`${to}2`, "web/templates/a.yaml")), existsSync(join(`${to}2`, "web/templates/hook.yaml"))],
    [true, false],
  );
});

const refusals: readonly (readonly [args: readonly string[], RegExp])[] = [
  [["upgrade", "x", chart, "--force"], /--force is not taken: .*--force-conflicts/],
  [["upgrade", "x", chart, "--cleanup-on-fail"], /--cleanup-on-fail is taken with --rollback-on-failure only/],
  [["install", "x", chart, "--kube-token", "t"], /--kube-token is not taken: .*--kubeconfig/],
  [["install", "x", chart, "--server-side=false"], /--server-side/],
  [["install", "x", chart, "--wait=soon"], /Allowed choices are watcher/],
  [["uninstall", "x", "--cascade=orphan"], /werf\.io\/delete-propagation/],
  [["template", chart, "--validate"], /--validate is not taken: .*--dry-run=server/],
  [["install", "x", folder.file("m.yaml", "a: 1\n")], /m\.yaml is no chart: sluice deploy x .*m\.yaml deploys manifests/],
  [["install", "a", "b", "c"], /too many arguments/],
];

for (const [args, message] of refusals)
  test(`sluice ${args.join(" ").replaceAll(folder.path, "")} is refused with what to do`, async () => {
    const { code, err } = await runSluice(...args, ...(args[0] === "template" ? [] : ["--kubeconfig", kubeconfig]));
    assert.equal(code, 2);
    assert.match(err, message);
  });

test("cleanup on failure comes with the rollback", async () => {
  await ok("install", "clean", chart);
  assert.match(await ok("upgrade", "clean", chart, "--set", "a=2", "--cleanup-on-fail", "--rollback-on-failure"), /revision 2/);
});

test("list and history know Helm's flags", async () => {
  await ok("install", "l1", chart, "-n", "lists", "--create-namespace");
  await ok("install", "l2", chart, "-n", "lists");
  await ok("upgrade", "l1", chart, "-n", "lists", "--set", "a=3");
  await ok("uninstall", "l2", "-n", "lists", "--keep-history");
  const names = async (...flags: readonly string[]) => (await ok("ls", "-q", "-n", "lists", ...flags)).split("\n");
  assert.deepEqual(await names(), ["l1", "l2"]);
  assert.deepEqual(await names("-a", "--reverse"), ["l2", "l1"]);
  assert.deepEqual(await names("--deployed"), ["l1"]);
  assert.deepEqual(await names("--uninstalled", "--failed", "--pending"), ["l2"]);
  assert.deepEqual(await names("--filter", "2$"), ["l2"]);
  assert.deepEqual(await names("--max", "1", "--offset", "1"), ["l2"]);
  assert.deepEqual(JSON.parse(await ok("ls", "-q", "-n", "lists", "-o", "json")), ["l1", "l2"]);
  assert.equal((await ok("hist", "l1", "-n", "lists", "--max", "1")).split("\n").length, 2);
  assert.equal((await sluice("ls", "-f", "(")).code, 2);
});

test("--kube-context is --context everywhere, and --wait takes no argument for its value", async () => {
  assert.equal((await sluice("list", "--kube-context", "none")).code, 1);
  await ok("deploy", "--wait", "waits", chart, "--kube-context", "sluice");
  await ok("rollback", "--wait", "waits", "1");
  await ok("rollback", "waits", "1", "--wait=watcher", "--wait-for-jobs");
  await ok("deploy", "waits", chart, "--wait=hookOnly");
  assert.match((await sluice("deploy", "waits", chart, "--wait=false")).err, /expected all or hooks; --no-wait does not wait at all/);
});
