import { valuedFlags, type CommandOutline, type ValueCompletion, type FlagOutline, type ProgramOutline } from "./program-outline.ts";

/** A completion script for fish 3.0 and later. */
export function fishScript({ program, flags, commands }: ProgramOutline): string {
  const lines = [
    `# fish completion for ${program}: ${program} completion fish | source`,
    `function __${program}_releases`,
    "    set -l words (commandline -opc)",
    "    $words[1] __complete releases -- $words[2..-1] 2>/dev/null",
    "end",
    "# Tells whether a command is being typed, and so many of its arguments are there.",
    `function __${program}_at`,
    "    set -l words (commandline -opc)[2..-1]",
    "    set -l command",
    "    set -l skip 0",
    "    set -l count 0",
    "    for word in $words",
    "        if test $skip = 1",
    "            set skip 0",
    '        else if string match -q -- "-*" $word',
    "            contains -- $word $argv[3..-1]; and set skip 1",
    '        else if test -z "$command"',
    "            set command $word",
    "        else",
    "            set count (math $count + 1)",
    "        end",
    "    end",
    '    test "$command" = "$argv[1]"; or return 1',
    "    test $argv[2] = any; or test $count = $argv[2]",
    "end",
    `complete -c ${program} -f`,
    ...flags.map((flag) => flagLine(program, "__fish_use_subcommand", flag)),
    ...commands.map(({ name, description }) => `complete -c ${program} -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`),
    ...commands.flatMap((command) => commandLines(program, command)),
  ];
  return lines.join("\n");
}

function commandLines(program: string, command: CommandOutline): readonly string[] {
  const at = (count: string) => quoted([`__${program}_at`, command.name, count, ...valuedFlags(command)].join(" "));
  const values = command.arguments.flatMap(({ variadic, completes }, place) => {
    const action = actionOf(program, completes);
    return action === "" ? [] : [`complete -c ${program} -n ${at(variadic ? "any" : String(place))} ${action}`];
  });
  return [...command.flags.map((flag) => flagLine(program, at("any"), flag)), ...values];
}

function flagLine(program: string, condition: string, { long, short, description, value }: FlagOutline): string {
  const parts = [`complete -c ${program} -n ${condition}`, `-l ${long.replace(/^--/, "")}`];
  if (short !== undefined) parts.push(`-s ${short.replace(/^-/, "")}`);
  if (value?.optional === false) parts.push("-r");
  const action = value === undefined ? "" : actionOf(program, value.completes);
  return [...parts, ...(action === "" ? [] : [action]), `-d ${quoted(description)}`].join(" ");
}

function actionOf(program: string, completes: ValueCompletion): string {
  if (completes.by === "words") return `-a ${quoted(completes.words.join(" "))}`;
  if (completes.by === "files") return "-F";
  return completes.by === "releases" ? `-a '(__${program}_releases)'` : "";
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
