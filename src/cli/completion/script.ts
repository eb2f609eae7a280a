import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import type { ProgramOutline } from "./program-outline.ts";
import { powershellScript } from "./powershell.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript } as const;

/** The shells that commands can be completed in. */
export type Shell = keyof typeof scripts;

/** What a shell has to run to complete the commands of a program. */
export function completionScript(shell: Shell, outline: ProgramOutline): string {
  return scripts[shell](outline);
}
