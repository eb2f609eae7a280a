import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { powershellScript } from "./powershell.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript } as const;

/** The shells that have a completion script. */
export type Shell = keyof typeof scripts;

/** The completion script of a shell. It has the program say what completes a command line: `sluice __complete`. */
export function completionScript(shell: Shell, program: string): string {
  return scripts[shell](program);
}
