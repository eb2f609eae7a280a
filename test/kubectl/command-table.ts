import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A command line of kubectl. `{ns}` is the namespace of its topic. */
export type CommandLine = {
  readonly line: string;
  /** Why its output is another one on the embedded cluster. Default: it is the same. */
  readonly differs?: string;
};

/** The commands of one file, which run one after the other in a namespace of their own. */
export type CommandTopic = { readonly name: string; readonly commands: readonly CommandLine[] };

const folder = join(import.meta.dirname, "commands");

/** Every file of `commands`: a command in a line, `#` before a comment, `! REASON` before a command whose output differs. */
export function commandTopics(): readonly CommandTopic[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({ name: file.replace(/\.txt$/, ""), commands: commandsIn(readFileSync(join(folder, file), "utf8")) }));
}

function commandsIn(text: string): readonly CommandLine[] {
  const commands: CommandLine[] = [];
  let differs: string | undefined;
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("! ")) {
      differs = line.slice(2);
      continue;
    }
    commands.push(differs === undefined ? { line } : { line, differs });
    differs = undefined;
  }
  return commands;
}
