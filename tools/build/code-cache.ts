/**
 * `node --predictable tools/build/code-cache.ts FILE [--light] COMMAND...`: keeps the code that an engine makes of a program
 * beside it. A function is compiled when it is first called, so commands are run before the code is taken: what they use is in
 * it. Each is the words of one command line, parted by blanks.
 */
import { writeFileSync } from "node:fs";
import { codeCacheFileOf, loadCompiledProgram } from "../../src/cli/compiled.ts";
import { tuneForRendering } from "../../src/cli/light.ts";

const [file = "", ...rest] = process.argv.slice(2);
if (rest[0] === "--light") tuneForRendering();
const { script, load } = loadCompiledProgram(file);
const { run } = load() as { run: (args: readonly string[]) => Promise<number> };
for (const command of rest.filter((each) => each !== "--light")) {
  const code = await run(command.split(" "));
  if (code !== 0) throw new Error(`keep the code of ${file}: sluice ${command} ended with ${code}`);
}
writeFileSync(codeCacheFileOf(file), script.createCachedData());
