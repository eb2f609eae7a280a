import { Option } from "commander";

/** The name under which commander hands over an option: `-n, --namespace <name>` is `namespace`, `--no-hooks` is `hooks`. */
type OptionName<Syntax extends string> = Syntax extends `${string}--no-${infer Long}`
  ? CamelCase<FirstWord<Long>>
  : Syntax extends `${string}--${infer Long}`
    ? CamelCase<FirstWord<Long>>
    : never;

type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;
type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Text;

/** What an option holds: `Text` where it takes a value (`<name>`), a boolean where it takes none, either where it may (`[what]`). */
export type OptionValue<Syntax extends string, Text = string> = Syntax extends `${string}<${string}`
  ? Text
  : Syntax extends `${string}[${string}`
    ? Text | boolean
    : boolean;

/** `given` options are always there. The others are absent from the command line's options unless the user names them. */
export type OptionPresence = "given" | "optional";

/** A `--no-x` option is true by default. Every other option has no default of its own. */
export type OwnPresence<Syntax extends string> = Syntax extends `${string}--no-${string}` ? "given" : "optional";

/** The field that an option adds to the options of its command. */
export type OptionField<Syntax extends string, Value, Present extends OptionPresence> = Present extends "given"
  ? { readonly [Name in OptionName<Syntax>]: Value }
  : { readonly [Name in OptionName<Syntax>]?: Value };

/** A commander Option that knows the type of its value. */
export class TypedOption<Syntax extends string, Value, Present extends OptionPresence> {
  readonly option: Option;

  constructor(option: Option) {
    this.option = option;
  }

  choices<const Choice extends string>(choices: readonly Choice[]): TypedOption<Syntax, OptionValue<Syntax, Choice>, Present> {
    return new TypedOption(this.option.choices(choices));
  }

  argParser<Parsed>(parse: (text: string, previous: Parsed) => Parsed): TypedOption<Syntax, OptionValue<Syntax, Parsed>, Present> {
    return new TypedOption(this.option.argParser(parse));
  }

  /** `text` is what the help shows in place of the value. */
  default(value: Value, text?: string): TypedOption<Syntax, Value, "given"> {
    return new TypedOption(this.option.default(value, text));
  }

  /** Leaves the option without a default, and has the help say what that means. */
  absent(text: string): TypedOption<Syntax, Value, Present> {
    return new TypedOption(this.option.default(undefined, text));
  }

  conflicts(names: readonly string[]): TypedOption<Syntax, Value, Present> {
    return new TypedOption(this.option.conflicts([...names]));
  }
}

/** Declares an option; its name and type follow from `syntax`. */
export function typedOption<const Syntax extends string>(
  syntax: Syntax,
  description: string,
): TypedOption<Syntax, OptionValue<Syntax>, OwnPresence<Syntax>> {
  return new TypedOption(new Option(syntax, description));
}
