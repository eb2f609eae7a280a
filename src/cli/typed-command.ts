import { Argument, Option, type Command } from "commander";
import type { OptionField, OptionValue, OwnPresence, OptionPresence, TypedOption } from "./typed-option.ts";

/** What an argument holds: `<source...>` is a list, `[release]` may be absent. */
type ArgumentValue<Syntax extends string, Value = string> = Syntax extends `${string}...${string}`
  ? readonly Value[]
  : Syntax extends `[${string}`
    ? Value | undefined
    : Value;

/**
 * A commander Command that knows the types of its arguments and options. Each is declared once, by the text that commander
 * parses (`--namespace <name>`), and its name and type follow from that text, its choices and its parser.
 */
export class TypedCommand<Arguments extends readonly unknown[] = readonly [], Options = unknown> {
  readonly command: Command;

  constructor(command: Command) {
    this.command = command;
  }

  description(text: string): TypedCommand<Arguments, Options> {
    return new TypedCommand(this.command.description(text));
  }

  argument<const Syntax extends string>(
    syntax: Syntax,
    description: string,
  ): TypedCommand<readonly [...Arguments, ArgumentValue<Syntax>], Options> {
    return new TypedCommand(this.command.argument(syntax, description));
  }

  defaultArgument(syntax: `[${string}]`, description: string, value: string): TypedCommand<readonly [...Arguments, string], Options> {
    return new TypedCommand(this.command.argument(syntax, description, value));
  }

  choiceArgument<const Syntax extends string, const Choice extends string>(
    syntax: Syntax,
    description: string,
    choices: readonly Choice[],
  ): TypedCommand<readonly [...Arguments, ArgumentValue<Syntax, Choice>], Options> {
    return new TypedCommand(this.command.addArgument(new Argument(syntax, description).choices(choices)));
  }

  parsedArgument<const Syntax extends string, Value>(
    syntax: Syntax,
    description: string,
    parse: (text: string) => Value,
  ): TypedCommand<readonly [...Arguments, ArgumentValue<Syntax, Value>], Options> {
    return new TypedCommand(this.command.addArgument(new Argument(syntax, description).argParser(parse)));
  }

  option<const Syntax extends string>(
    syntax: Syntax,
    description: string,
  ): TypedCommand<Arguments, Options & OptionField<Syntax, OptionValue<Syntax>, OwnPresence<Syntax>>> {
    return new TypedCommand(this.command.option(syntax, description));
  }

  /** Declares an option without a value that is false unless it is given. */
  flag<const Syntax extends string>(
    syntax: Syntax,
    description: string,
  ): TypedCommand<Arguments, Options & OptionField<Syntax, boolean, "given">> {
    return new TypedCommand(this.command.option(syntax, description, false));
  }

  requiredOption<const Syntax extends string>(
    syntax: Syntax,
    description: string,
  ): TypedCommand<Arguments, Options & OptionField<Syntax, OptionValue<Syntax>, "given">> {
    return new TypedCommand(this.command.requiredOption(syntax, description));
  }

  addOption<Syntax extends string, Value, Present extends OptionPresence>({
    option,
  }: TypedOption<Syntax, Value, Present>): TypedCommand<Arguments, Options & OptionField<Syntax, Value, Present>> {
    return new TypedCommand(this.command.addOption(option));
  }

  /** Declares `--no-wait` beside a `--wait [what]`, whose type already allows false. */
  negation(syntax: `--no-${string}`, description: string): TypedCommand<Arguments, Options> {
    return new TypedCommand(this.command.addOption(new Option(syntax, description)));
  }

  /** Declares another way to write an option. The help does not show it. */
  spelling(syntax: string, name: string): TypedCommand<Arguments, Options> {
    const option = new Option(syntax).hideHelp();
    const command = this.command.addOption(option);
    command.on(`option:${option.name()}`, (value: unknown) => command.setOptionValueWithSource(name, value ?? true, "cli"));
    return new TypedCommand(command);
  }

  /** Sets what the command does. `run` gets the arguments in their order, then the options. */
  action(run: (...values: [...Arguments, Options]) => void | Promise<void>): void {
    this.command.action(run);
  }
}

/** The options that a function declares: on the command that it returns, or as the option that it returns. */
export type OptionsOf<Declare extends (...values: never[]) => unknown> =
  ReturnType<Declare> extends TypedCommand<infer _Arguments, infer Options>
    ? Options
    : ReturnType<Declare> extends TypedOption<infer Syntax, infer Value, infer Present>
      ? OptionField<Syntax, Value, Present>
      : never;
