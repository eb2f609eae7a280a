import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { codeCacheFileOf, loadCompiledProgram, loadCompiledRenderer } from "./compiled.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-compiled-"));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, "render.cjs");
const program = "exports.sum = (a, b) => a + b; exports.here = __dirname; exports.sep = require('node:path').sep;\n";

test("a program is loaded with the code that was kept of it", () => {
  writeFileSync(file, program);
  assert.equal(loadCompiledRenderer(folder), undefined);
  const { script } = loadCompiledProgram(file);
  writeFileSync(codeCacheFileOf(file), script.createCachedData());
  const again = loadCompiledRenderer(folder);
  assert.equal(again?.script.cachedDataRejected, false);
  assert.ok(again !== undefined);
  const { sum, here, sep } = again.load() as { sum: (a: number, b: number) => number; here: string; sep: string };
  assert.deepEqual([sum(1, 2), here, sep], [3, folder, "/"]);
});

test("code that an engine does not take is as none", () => {
  // Another text: what this process has compiled already is not asked for again.
  writeFileSync(file, `${program}exports.other = true;\n`);
  writeFileSync(codeCacheFileOf(file), "code of another engine");
  assert.equal(loadCompiledRenderer(folder), undefined);
  const { sum } = loadCompiledProgram(file).load() as { sum: (a: number, b: number) => number };
  assert.equal(sum(1, 2), 3);
});
