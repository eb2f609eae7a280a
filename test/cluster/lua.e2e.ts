import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ownAnswer, generateProgram, isQuirk } from "../support/lua/reference.ts";
import { referenceAnswers } from "../support/lua/reference-lua.ts";
import { debianProgram } from "./debian-program.ts";

const programs = 6000;
const batch = 1000;
let lua = "";
let folder = "";

before(async () => {
  lua = await debianProgram("lua5.1", "usr/bin/lua5.1", (line) => process.stdout.write(`${line}\n`));
  folder = mkdtempSync(join(tmpdir(), "sluice-lua-"));
});

after(() => rmSync(folder, { recursive: true, force: true }));

for (let from = 0; from < programs; from += batch) {
  test(`programs ${from} to ${from + batch - 1} say in our Lua what they say in Debian's`, () => {
    const some = Array.from({ length: batch }, (_, index) => generateProgram(100_000 + from + index));
    const answers = referenceAnswers(lua, folder, some);
    assert.equal(answers.length, some.length);
    const different = some.flatMap((program, index) => {
      const [ours, theirs] = [ownAnswer(program), answers[index] ?? ""];
      return ours === theirs || isQuirk(theirs) ? [] : [{ seed: program.seed, ...firstDifference(ours, theirs) }];
    });
    assert.deepEqual(different, []);
  });
}

function firstDifference(ours: string, theirs: string) {
  const [one, other] = [ours.split("\n"), theirs.split("\n")];
  const at = one.findIndex((line, index) => line !== other[index]);
  return { ours: one[at], theirs: other[at] };
}
