/**
 * `node --predictable tools/build/code-cache.ts FILE [--light] COMMAND...`: keeps the code that an engine makes of a program
 * beside it, and of all files in its folder that have none yet. A function is compiled when it is first called, so commands are
 * run before the code is taken: what they use is in it. Each is the words of one command line, parted by blanks.
 */
import { existsSync, globSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeCacheFileOf, programIn, type Program } from "../../src/cli/compiled.ts";
import { tuneForRendering } from "../../src/cli/light.ts";

const [file = "", ...rest] = process.argv.slice(2);
if (rest[0] === "--light") tuneForRendering();
const folder = dirname(file);
const program = programIn(folder);
const { run } = program.load(basename(file)) as Program;
for (const command of rest.filter((each) => each !== "--light")) {
  const code = await run(command.split(" "));
  if (code !== 0) throw new Error(`keep the code of ${file}: sluice ${command} ended with ${code}`);
}
for (const name of globSync("*.cjs", { cwd: folder })) {
  const kept = codeCacheFileOf(join(folder, name));
  if (!existsSync(kept)) writeFileSync(kept, (program.scripts.get(name) ?? program.compile(name)).createCachedData());
}
