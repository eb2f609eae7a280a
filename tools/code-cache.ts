/**
 * `node tools/code-cache.ts FILE CHART...`: writes the V8 code cache of the rendering program beside it. A function is
 * compiled when it is first called, so charts are rendered before the cache is taken.
 */
import { writeFileSync } from "node:fs";
import { codeCacheFileOf, loadCompiledProgram } from "../src/cli/compiled.ts";
import { tuneForRendering } from "../src/cli/light.ts";

const [file = "", ...charts] = process.argv.slice(2);
tuneForRendering();
const { script, load } = loadCompiledProgram(file);
const { run } = load() as { run: (args: readonly string[]) => Promise<number> };
for (const chart of charts) {
  const code = await run(["render", chart]);
  if (code !== 0) throw new Error(`rendering ${chart} ended with ${code}`);
}
writeFileSync(codeCacheFileOf(file), script.createCachedData());
