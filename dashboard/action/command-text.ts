import { commandContext } from "../component/command-context.ts";
import { shellWord } from "../component/shell-word.ts";

/** A command for a shell. */
export function commandText(words: readonly string[], context: string): string {
  const named = commandContext(context);
  const place = named === "" ? [] : ["--context", named];
  return [...words, ...place].map(shellWord).join(" ");
}
