import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
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
    /^error: app\.yaml:7: the cluster knows no kind example\.com\/v1 Widget: check the spelling, apply its CustomResourceDefinition/,
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
