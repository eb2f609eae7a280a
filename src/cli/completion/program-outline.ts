import type { Argument, Command, Option } from "commander";

/** What completes a value. */
export type ValueCompletion =
  | { readonly by: "words"; readonly words: readonly string[] }
  | { readonly by: "files" }
  /** Names of releases, read from the cluster. */
  | { readonly by: "releases" }
  | { readonly by: "nothing" };

export type FlagOutline = {
  readonly long: string;
  readonly short?: string;
  readonly description: string;
  /** Present when the flag takes a value; `optional` when the value may be left out. */
  readonly value?: { readonly name: string; readonly optional: boolean; readonly completes: ValueCompletion };
};

export type ArgumentOutline = { readonly name: string; readonly variadic: boolean; readonly completes: ValueCompletion };

export type CommandOutline = {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly FlagOutline[];
  readonly arguments: readonly ArgumentOutline[];
};

/** The commands, flags and arguments of a program, as completion scripts need them. */
export type ProgramOutline = {
  readonly program: string;
  readonly flags: readonly FlagOutline[];
  readonly commands: readonly CommandOutline[];
};

const help: FlagOutline = { long: "--help", short: "-h", description: "display help for command" };

/** Reads the outline from commander's own declarations. */
export function outlineOf(program: Command): ProgramOutline {
  const visible = program.createHelp().visibleCommands(program);
  const named = visible.filter((command) => command.name() !== "help").map(commandOutline);
  const words = named.map(({ name }) => name);
  const helper: CommandOutline = {
    name: "help",
    description: "display help for command",
    flags: [],
    arguments: [{ name: "command", variadic: false, completes: { by: "words", words } }],
  };
  return { program: program.name(), flags: [...program.options.map(flagOutline), help], commands: [...named, helper] };
}

function commandOutline(command: Command): CommandOutline {
  const own = ownOutline(command);
  if (command.commands.length === 0) return own;
  const group = groupOutline(command);
  // A command with a meaning of its own completes as that one, with the flags of all.
  return own.arguments.length === 0 ? group : { ...own, flags: mergedFlags([own, group]) };
}

function ownOutline(command: Command): CommandOutline {
  return {
    name: command.name(),
    description: command.description(),
    flags: [...command.options.filter(({ hidden }) => !hidden).map(flagOutline), help],
    arguments: command.registeredArguments.map(argumentOutline),
  };
}

/** A command with subcommands. The name of a subcommand comes first, and the flags of all subcommands are offered with all their values. */
function groupOutline(group: Command): CommandOutline {
  const members = group.commands.map(commandOutline);
  const words = members.map(({ name }) => name);
  return {
    name: group.name(),
    description: group.description(),
    flags: mergedFlags(members),
    arguments: [{ name: "command", variadic: false, completes: { by: "words", words } }, ...secondArgument(members)],
  };
}

/** The flags of several commands, each once, with all its values. */
function mergedFlags(members: readonly CommandOutline[]): readonly FlagOutline[] {
  const flags = Map.groupBy(
    members.flatMap((member) => member.flags),
    ({ long }) => long,
  );
  return [...flags.values()].map((same) => same.reduce(withValuesOf));
}

/** What follows the name of a subcommand, where that of any is a chart or a release. */
function secondArgument(members: readonly CommandOutline[]): readonly ArgumentOutline[] {
  const firsts = members.flatMap((member) => member.arguments.slice(0, 1));
  const found = firsts.find(({ name }) => name === "chart" || name === "release");
  return found === undefined ? [] : [{ ...found, variadic: false }];
}

function withValuesOf(flag: FlagOutline, other: FlagOutline): FlagOutline {
  const [ours, theirs] = [flag.value?.completes, other.value?.completes];
  if (flag.value === undefined || ours?.by !== "words" || theirs?.by !== "words") return other;
  return { ...flag, value: { ...flag.value, completes: { by: "words", words: [...new Set([...ours.words, ...theirs.words])] } } };
}

function flagOutline(option: Option): FlagOutline {
  const { long = "", short, description, required, optional } = option;
  const name = /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1] ?? "";
  return {
    long,
    ...(short === undefined ? {} : { short }),
    description,
    ...(required || optional ? { value: { name, optional, completes: completesBy(name, option.argChoices) } } : {}),
  };
}

function argumentOutline(argument: Argument): ArgumentOutline {
  const name = argument.name();
  return { name, variadic: argument.variadic, completes: completesBy(name, argument.argChoices) };
}

function completesBy(name: string, choices: readonly string[] | undefined): ValueCompletion {
  if (choices !== undefined) return { by: "words", words: choices };
  if (["file", "folder", "source", "chart"].includes(name)) return { by: "files" };
  return name === "release" ? { by: "releases" } : { by: "nothing" };
}

/** The flags of a command that take the next word as their value. */
export function valuedFlags({ flags }: CommandOutline): readonly string[] {
  return flags.filter(({ value }) => value?.optional === false).flatMap(spellingsOf);
}

/** The ways to write a flag. */
export function spellingsOf({ long, short }: FlagOutline): readonly string[] {
  return short === undefined ? [long] : [short, long];
}
