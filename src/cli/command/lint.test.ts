import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { plain } from "../../view/index.ts";
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
    paint: plain,
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
