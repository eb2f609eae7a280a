import type { Command } from "commander";

/**
 * Prepares a command with a meaning of its own for subcommands: `sluice plan web app/` beside `sluice plan delete web`. A flag in
 * front of the subcommand's name would be the command's own, and be lost, so it is refused.
 */
export function allowSubcommands(command: Command): void {
  command
    .enablePositionalOptions()
    .helpCommand(false)
    .hook("preSubcommand", (outer, inner) => {
      const misplaced = outer.options.find((option) => outer.getOptionValueSource(option.attributeName()) === "cli");
      if (misplaced === undefined) return;
      const { long = misplaced.flags } = misplaced;
      outer.error(`error: ${long} stands in front of ${inner.name()}: put flags behind it`);
    });
}
