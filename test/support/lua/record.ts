/** Records the answers of Debian's lua5.1, for tests that need Node only: `node test/support/lua/record.ts PATH-OF-LUA`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateProgram, isQuirk } from "./reference.ts";
import { referenceAnswers } from "./reference-lua.ts";
import { edgeCasePrograms } from "./edge-case-programs.ts";

const count = 160;
/** Programs with long output are only compared with the real Lua. */
const longest = 4000;
const [lua = "lua5.1"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "sluice-lua-"));
const target = join(import.meta.dirname, "..", "..", "..", "src", "lang", "lua", "recorded");

try {
  const generated = Array.from({ length: count }, (_, index) => generateProgram(index));
  const written = edgeCasePrograms.map((source, index) => ({ seed: -index - 1, source, runs: true }));
  for (const [name, programs] of [
    ["generated", generated],
    ["edge-cases", written],
  ] as const) {
    const answers = referenceAnswers(lua, folder, programs);
    const lines = programs.flatMap(({ source, runs }, index) => {
      const answer = answers[index] ?? "";
      return isQuirk(answer) || source.length + answer.length > longest ? [] : [JSON.stringify({ source, runs, answer })];
    });
    writeFileSync(join(target, `${name}.jsonl`), `${lines.join("\n")}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
