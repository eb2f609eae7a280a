import type { Argument, Command, Option } from "commander";

/** What a user has typed before the word to complete: the command, its arguments and its options. */
type TypedLine = {
  readonly command: Command;
  readonly arguments: readonly string[];
  /** The values of options that take one, by their long names. */
  readonly values: Readonly<Record<string, string>>;
};

/** What the word to complete is. */
type Place =
  /** A flag of the command. */
  | { readonly is: "flag" }
  /** The value of an option. `prefix` is what the word has before it: `--output=`. */
  | { readonly is: "value"; readonly option: Option; readonly prefix: string }
  /** An argument of the command, where it takes one more, or the name of a subcommand. */
  | { readonly is: "argument"; readonly argument: Argument | undefined; readonly subcommands: readonly Command[] };

/** An unfinished command line. */
export type UnfinishedLine = TypedLine & { readonly place: Place };

/** Reads an unfinished command line: the words before the one to complete, and that one. */
export function readUnfinishedLine(program: Command, words: readonly string[], word: string): UnfinishedLine {
  const values: Record<string, string> = {};
  const args: string[] = [];
  let command = program;
  let pending: Option | undefined;
  let isOver = false;
  for (const text of words.map(unquoted)) {
    const flag = isOver ? undefined : flagIn(text, command);
    if (pending !== undefined) {
      values[pending.long ?? ""] = text;
      pending = undefined;
    } else if (text === "--" && !isOver) isOver = true;
    else if (flag?.value !== undefined) values[flag.option.long ?? ""] = flag.value;
    else if (flag !== undefined) pending = flag.option.required ? flag.option : undefined;
    else if (isOver || !text.startsWith("-") || text === "-") {
      const next = args.length === 0 && !isOver ? subcommandOf(command, text) : undefined;
      if (next === undefined) args.push(text);
      else command = next;
    }
  }
  return { command, arguments: args, values, place: placeOf(command, args, pending, isOver, word) };
}

function placeOf(command: Command, args: readonly string[], pending: Option | undefined, isOver: boolean, word: string): Place {
  if (pending !== undefined) return { is: "value", option: pending, prefix: "" };
  const flag = isOver || !/^--[^=]+=/.test(word) ? undefined : flagIn(word, command);
  if (flag !== undefined) return { is: "value", option: flag.option, prefix: word.slice(0, word.indexOf("=") + 1) };
  if (!isOver && word.startsWith("-")) return { is: "flag" };
  const all = command.registeredArguments;
  const argument = all[args.length] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined);
  return { is: "argument", argument, subcommands: args.length === 0 && !isOver ? visibleCommands(command) : [] };
}

/** The option that a word names, with its value where it has one: `--output=json`, `-nshop`. */
function flagIn(word: string, command: Command): { readonly option: Option; readonly value?: string } | undefined {
  const [, name = "", value] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? /^(-[^-])(?:=?(.+))?$/s.exec(word) ?? [];
  const option = command.options.find(({ long, short }) => name !== "" && (name === long || name === short));
  if (option === undefined) return undefined;
  return value === undefined || !(option.required || option.optional) ? { option } : { option, value };
}

/** `help` names commands as the program itself does. */
function subcommandOf(command: Command, word: string): Command | undefined {
  if (word === "help" && command.parent === null) return command;
  return command.commands.find((each) => each.name() === word || each.aliases().includes(word));
}

/** The subcommands that the help shows. */
function visibleCommands(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [] : command.createHelp().visibleCommands(command);
}

/** Shells hand over words as they were typed. Only plain quotes are taken off: nothing is expanded. */
function unquoted(word: string): string {
  return /^(["'])([^"'$`\\]*)\1?$/.exec(word)?.[2] ?? word;
}
