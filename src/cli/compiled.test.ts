import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { codeCacheFileOf, loadCompiledProgram, programBeside } from "./compiled.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-compiled-"));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, "sum.cjs");
const program = "exports.sum = (a, b) => a + b; exports.here = __dirname; exports.sep = require('node:path').sep;\n";

type Sum = { readonly sum: (a: number, b: number) => number; readonly here: string; readonly sep: string };

test("there is no program where none was built", () => {
  assert.equal(programBeside(folder, "sum.cjs"), undefined);
});

test("a program is loaded with the code that was kept of it", () => {
  writeFileSync(file, program);
  writeFileSync(codeCacheFileOf(file), loadCompiledProgram(file).script.createCachedData());
  assert.equal(loadCompiledProgram(file).script.cachedDataRejected, false);
  const { sum, here, sep } = programBeside(folder, "sum.cjs") as unknown as Sum;
  assert.deepEqual([sum(1, 2), here, sep], [3, folder, "/"]);
});

test("code that an engine does not take is as none", () => {
  // Another text: what this process has compiled already is not asked for again.
  writeFileSync(file, `${program}exports.other = true;\n`);
  writeFileSync(codeCacheFileOf(file), "code of another engine");
  assert.equal(programBeside(folder, "sum.cjs"), undefined);
  assert.equal((loadCompiledProgram(file).load() as Sum).sum(1, 2), 3);
});
