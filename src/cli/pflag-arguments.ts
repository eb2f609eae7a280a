import { Command, type Option } from "commander";

/** What a flag means when it is written without a value: `--wait` is `--wait=watcher`. */
type BareValues = Readonly<Record<string, string>>;

const truths: Readonly<Record<string, boolean>> = { "1": true, t: true, true: true, "0": false, f: false, false: false };

/**
 * Has a command read its arguments as kubectl and Helm do: a value that may be left out is given after `=`, so that the next
 * word is an argument, and a flag without a value can be `--flag=false`. With `separate` the next word may be the value all the
 * same where it is one of the choices.
 */
export function readPflagArguments(command: Command, bare: BareValues, { separate = false } = {}): void {
  command.parseOptions = (args) => Command.prototype.parseOptions.call(command, withoutPflagForms(args, command, bare, separate));
}

function withoutPflagForms(args: readonly string[], command: Command, bare: BareValues, separate: boolean): string[] {
  const rewritten: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word === "--") return [...rewritten, ...args.slice(at)];
    const [name, value] = partsOf(word);
    const option = command.options.find(({ long, short }) => name === long || name === short);
    if (option === undefined) rewritten.push(word);
    else if (value !== undefined) rewritten.push(...withValue(option, name, value, command));
    else if (option.required && at + 1 < args.length) rewritten.push(word, args[++at]!);
    else if (bare[name] === undefined) rewritten.push(word);
    else if (separate && option.argChoices?.includes(args[at + 1] ?? "") === true) rewritten.push(`${name}=${args[++at]}`);
    else rewritten.push(`${name}=${bare[name]}`);
  }
  return rewritten;
}

function partsOf(word: string): readonly [name: string, value?: string] {
  const end = /^(--[^=]+|-[^-=])=/.exec(word)?.[1]?.length;
  return end === undefined ? [word] : [word.slice(0, end), word.slice(end + 1)];
}

function withValue({ required, optional }: Option, name: string, value: string, command: Command): readonly string[] {
  if (required) return [name, value];
  if (optional) return [`${name}=${value}`];
  const truth = truths[value.toLowerCase()];
  if (truth === undefined) command.error(`error: option '${name}' is on or off: write ${name}, or ${name}=false`);
  return truth ? [name] : [];
}
