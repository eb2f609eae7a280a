import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runSluice } from "../../../test/support/command-line.ts";
import { plainPaint } from "../../view/index.ts";
import { run } from "../program.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-lint-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function lint(yaml: string, ...flags: string[]): Promise<{ code: number; out: string }> {
  const file = join(folder, "app.yaml");
  writeFileSync(file, yaml);
  const out: string[] = [];
  const code = await run(["lint", file, ...flags], {
    out: (line) => out.push(line),
    err: (line) => out.push(line),
    paint: plainPaint,
  });
  return { code, out: out.join("\n").replaceAll(`${folder}/`, "") };
}

const object = (annotations: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations: ${annotations}\n`;

test("nothing wrong is exit code 0", async () => {
  assert.deepEqual(await lint(object("{}")), { code: 0, out: "1 object, nothing to complain of" });
});

test("problems are exit code 1, with file, line, object and annotation", async () => {
  const { code, out } = await lint(object('{werf.io/weight: "x", argocd.argoproj.io/sync-wave: "1"}'));
  assert.equal(code, 1);
  assert.match(out, /^error: app\.yaml:5: configmap\/a: werf\.io\/weight is "x"; expected an integer/);
  assert.match(out, /\nwarning: app\.yaml:5: configmap\/a: argocd\.argoproj\.io\/sync-wave is an annotation of Argo CD/);
  assert.match(out, /\n1 error, 1 warning$/);
});

test("objects of a fleet are read as the controller reads them", async () => {
  const { code, out } = await lint(
    `${object("{projectsveltos.io/template: ok}")}data: {a: "{{ if }}"}\n---\napiVersion: lib.projectsveltos.io/v1beta1\nkind: Classifier\nmetadata: {name: c}\n`,
  );
  assert.equal(code, 1);
  assert.match(out, /^error: app\.yaml:6: configmap\/a: data\["a"\]:1: missing value for if$/m);
  assert.match(out, /^error: app\.yaml:9: classifier\/c: Sluice has no controller for Classifier of lib\.projectsveltos\.io/m);
});

test("warnings alone are exit code 0", async () => {
  const { code, out } = await lint(object("{werf.io/wieght: '1'}"));
  assert.equal(code, 0);
  assert.match(out, /did you mean werf\.io\/weight\?\n0 errors, 1 warning$/);
});

test("what cannot be read is a problem like any other, as data too", async () => {
  const { code, out } = await lint(object("{werf.io/weight: 1}"), "-o", "json");
  const findings = JSON.parse(out) as { problems: { at: string; message: string }[]; warnings: unknown[] };
  assert.equal(code, 1);
  assert.match(findings.problems[0]!.message, /is the number 1; expected a string: quote it/);
  assert.deepEqual(findings.warnings, []);
});

test("with a cluster, what it does not have is reported too; without one no cluster is reached", async (context) => {
  const kubeconfig = join(folder, "kubeconfig");
  const ready = Promise.withResolvers<void>();
  const serving = run(["cluster", "--kubeconfig", kubeconfig], { out: () => ready.resolve(), err: () => {}, paint: plainPaint });
  await ready.promise;
  context.after(async () => {
    process.emit("SIGINT");
    assert.equal(await serving, 0);
  });
  const widget = "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n";
  const elsewhere = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: nowhere}\n";
  const yaml = object('{werf.io/weight: "x", argocd.argoproj.io/sync-wave: "1"}') + widget + elsewhere;
  const { code, out } = await lint(yaml, "--kubeconfig", kubeconfig, "--context", "sluice");
  assert.equal(code, 1);
  const expected = [
    /^error: app\.yaml:7: widget\/w: the cluster knows no kind example\.com\/v1 Widget: check the spelling, apply its CustomResourceDefinition/,
    /^error: app\.yaml:11: secret\/s: there is no namespace nowhere: create it first, or apply a Namespace manifest with it$/,
    /^error: app\.yaml:5: configmap\/a: werf\.io\/weight is "x"; expected an integer/,
    /^warning: app\.yaml:5: configmap\/a: argocd\.argoproj\.io\/sync-wave is an annotation of Argo CD/,
    /^3 errors, 1 warning$/,
  ];
  const lines = out.split("\n");
  assert.equal(lines.length, expected.length, out);
  for (const [at, line] of lines.entries()) assert.match(line, expected[at]!);
  assert.match((await lint(widget + elsewhere)).out, /^2 objects, nothing to complain of$/);
});

const broken = object("{werf.io/weight: 5, werf.io/wieght: '1'}");
const waiting = (on: string) =>
  `---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  annotations:\n    werf.io/deploy-dependency-a: state=ready,kind=ConfigMap,name=${on}\n    werf.io/weight: x\n`;

test("an unquoted annotation hides no other problem", async () => {
  const { code, out } = await lint(broken + waiting("a") + waiting("none").replace("name: s", "name: t"));
  assert.equal(code, 1);
  const expected = [
    /^error: app\.yaml:5: metadata\.annotations\["werf\.io\/weight"\] is the number 5; expected a string: quote it$/,
    // What waits for the broken object is not reported: it is there.
    /^error: app\.yaml:13: secret\/s: werf\.io\/weight is "x"; expected an integer/,
    /^error: app\.yaml:20: secret\/t: werf\.io\/deploy-dependency-a is "state=ready,kind=ConfigMap,name=none", and no object of the release fits/,
    /^error: app\.yaml:21: secret\/t: werf\.io\/weight is "x"/,
    /^warning: app\.yaml:5: configmap\/a: werf\.io\/wieght is no annotation of werf/,
    /^4 errors, 1 warning$/,
  ];
  const lines = out.split("\n");
  assert.equal(lines.length, expected.length, out);
  for (const [at, line] of lines.entries()) assert.match(line, expected[at]!);
});

test("a document that cannot be read hides no other problem, and may be what another waits for", async () => {
  const { out } = await lint(`kind: [${waiting("none")}`.replace("[---", "[\n---"));
  assert.match(out, /^error: app\.yaml:\d+: [^]*\nerror: app\.yaml:\d+: secret\/s: werf\.io\/weight is "x"[^\n]*\n2 errors, 0 warnings$/);
});

test("plan, deploy, apply and check report all problems at once, with or without a cluster that answers", async () => {
  const file = join(folder, "all.yaml");
  writeFileSync(
    file,
    `${broken}---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: nowhere, annotations: {werf.io/weight: "x"}}\n`,
  );
  const kubeconfig = join(folder, "nobody.yaml");
  const clusters = [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }];
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters,
      contexts: [{ name: "c", context: { cluster: "c", user: "" } }],
      "current-context": "c",
    }),
  );
  for (const command of [["plan", "web"], ["deploy", "web"], ["apply"]]) {
    const here = await runSluice(...command, file, "--embedded");
    assert.equal(here.code, 1, here.out);
    assert.match(
      here.err,
      /all\.yaml:5: metadata\.annotations[^]*secret\/s: there is no namespace nowhere[^]*secret\/s: werf\.io\/weight is "x"/,
    );
    const nowhere = await runSluice(...command, file, "--kubeconfig", kubeconfig);
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.err, /all\.yaml:5: metadata\.annotations[^]*secret\/s: werf\.io\/weight is "x"/);
    assert.doesNotMatch(nowhere.err, /127\.0\.0\.1/);
  }
  assert.match((await runSluice("check", file, "--kubeconfig", kubeconfig)).err, /quote it[^]*werf\.io\/weight is "x"/);
});

const hook = (name: string, weight: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  annotations:\n    werf.io/weight: ${weight}\n    argocd.argoproj.io/sync-wave: "1"\n`;

test("problems in a chart have the template's file and the object, and hide none", async () => {
  const chart = join(folder, "chart");
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: web\nversion: 0.1.0\n");
  writeFileSync(join(chart, "values.yaml"), "");
  writeFileSync(
    join(chart, "templates", "hooks.yaml"),
    ["{{- if true }}", hook("a", '"x"'), "---", hook("b", "5"), "---", hook("a", '"1"'), "{{- end }}"].join("\n"),
  );
  const linted = await runSluice("lint", chart);
  const at = "web/templates/hooks.yaml";
  const problems = [
    `${at}: configmap/b: metadata.annotations["werf.io/weight"] is the number 5; expected a string: quote it`,
    `${at}: configmap/a: werf.io/weight is "x"; expected an integer in quotes, for example "1"`,
    `${at}: configmap/a is there twice, first at ${at}: remove or rename one of them`,
  ];
  assert.deepEqual(
    linted.out.split("\n").filter((line) => line.startsWith("error")),
    problems.map((each) => `error: ${each}`),
  );
  assert.match(linted.out, /\nwarning: web\/templates\/hooks\.yaml: configmap\/b: argocd/);
  for (const command of ["plan", "deploy"]) {
    const { code, err } = await runSluice(command, "web", chart, "--embedded");
    assert.equal(code, 1);
    for (const problem of problems) assert.ok(err.includes(problem), err);
  }
});

test("an object of a chart whose hook has no known event, which Helm leaves out, is told by every command that renders it", async () => {
  const chart = join(folder, "unknown-hook");
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: web\nversion: 0.1.0\n");
  writeFileSync(join(chart, "templates", "a.yaml"), object("{helm.sh/hook: pre-instal}"));
  const warning = 'warning: web/templates/a.yaml: configmap/a: helm.sh/hook is "pre-instal"; expected';
  assert.ok((await runSluice("lint", chart)).out.includes(warning));
  for (const command of ["template", "deploy"]) {
    const { code, err } = await runSluice(command, "web", chart, ...(command === "deploy" ? ["--embedded"] : []));
    assert.equal(code, 0);
    assert.ok(err.startsWith(warning) && err.includes("the object is left out, as by Helm"), err);
  }
});
