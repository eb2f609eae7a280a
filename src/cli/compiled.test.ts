import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { codeCacheFileOf, programBeside, programIn } from "./compiled.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-compiled-"));
after(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
const program = "exports.sum = (a, b) => a + b; exports.here = __dirname; exports.sep = require('node:path').sep;\n";

type Sum = { readonly sum: (a: number, b: number) => number; readonly here: string; readonly sep: string };

test("there is no program where none was built", () => {
  assert.equal(programBeside(folder, "sum.cjs"), undefined);
});

test("a program is loaded with the code that was kept of it", () => {
  write("sum.cjs", program);
  write(codeCacheFileOf("sum.cjs"), programIn(folder).compile("sum.cjs").createCachedData());
  assert.equal(programIn(folder).compile("sum.cjs").cachedDataRejected, false);
  const { sum, here, sep } = programBeside(folder, "sum.cjs") as unknown as Sum;
  assert.deepEqual([sum(1, 2), here, sep], [3, folder, "/"]);
});

test("code that an engine does not take is as none", () => {
  // Another text: what this process has compiled already is not asked for again.
  write("sum.cjs", `${program}exports.other = true;\n`);
  write(codeCacheFileOf("sum.cjs"), "code of another engine");
  assert.equal(programBeside(folder, "sum.cjs"), undefined);
  assert.equal((programIn(folder).load("sum.cjs") as Sum).sum(1, 2), 3);
});

test("the files of a program require each other, and each runs once", () => {
  write(
    "left.cjs",
    "exports.times = (exports.times ?? 0) + 1; const right = require('./right.cjs'); exports.both = () => right.name + '!';",
  );
  write("right.cjs", "const left = require('./left.cjs'); exports.name = 'right'; exports.back = () => left.both();");
  const files = programIn(folder);
  const { both, times } = files.load("left.cjs") as { both: () => string; times: number };
  const { back } = files.load("right.cjs") as { back: () => string };
  assert.deepEqual([both(), back(), times, [...files.scripts.keys()]], ["right!", "right!", 1, ["left.cjs", "right.cjs"]]);
});

test("a file that is missing is named, with its folder", () => {
  write("broken.cjs", "require('./gone.cjs');");
  assert.throws(() => programIn(folder).load("broken.cjs"), {
    message: `load gone.cjs of this program: there is no such file in ${folder}: install it anew`,
  });
});
