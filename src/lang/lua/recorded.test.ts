import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { ownAnswer } from "../../../test/support/lua/reference.ts";

type Recorded = { readonly source: string; readonly runs: boolean; readonly answer: string };

for (const name of ["edge-cases", "generated"]) {
  const lines = readFileSync(join(import.meta.dirname, "recorded", `${name}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  test(`${lines.length} ${name} programs say what they said in Debian's lua5.1`, () => {
    const recorded = lines.map((line) => JSON.parse(line) as Recorded);
    const different = recorded.flatMap(({ source, runs, answer }) => {
      const ours = ownAnswer({ seed: 0, source, runs });
      return ours === answer ? [] : [{ source, ours, answer }];
    });
    assert.deepEqual(different, []);
  });
}
