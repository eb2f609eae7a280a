import type { Command, Option } from "commander";

/** Has the help show the options that the command of Sluice's does not have or describes otherwise, and name it for the others. */
export function showOwnOptions(command: Command, standsFor: string): void {
  command.configureHelp({
    visibleOptions: ({ parent, options }) => {
      const shared = parent?.commands.find((each) => each.name() === standsFor)?.options ?? [];
      return options.filter((option) => !option.hidden && !isAmong(shared, option));
    },
  });
  command.addHelpText("after", `\nIt also takes the options of sluice ${standsFor}, whose help tells of them. See docs/helm.md.`);
}

function isAmong(options: readonly Option[], { long, description }: Option): boolean {
  return options.some((option) => option.long === long && option.description === description);
}
