import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import type { ProgramOutline } from "./program-outline.ts";
import { powershellScript } from "./powershell.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript } as const;

/** The shells that have a completion script. */
export type Shell = keyof typeof scripts;

/** The completion script of a shell. */
export function completionScript(shell: Shell, outline: ProgramOutline): string {
  return scripts[shell](outline);
}
