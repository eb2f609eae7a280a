import { Fault } from "../../../src/core/fault/index.ts";

/** A parsed kubectl command: its verb, its operands, and its flags by their long names. */
export type KubectlCommand = {
  readonly verb: string;
  readonly operands: readonly string[];
  readonly flags: ReadonlyMap<string, readonly string[]>;
};

const shortFlags: Readonly<Record<string, string>> = {
  n: "namespace",
  p: "patch",
  l: "selector",
  f: "filename",
  A: "all-namespaces",
  o: "output",
  R: "recursive",
};
const switches = new Set([
  "all",
  "all-namespaces",
  "dry-run",
  "force",
  "force-conflicts",
  "ignore-not-found",
  "local",
  "now",
  "overwrite",
  "record",
  "recursive",
  "server-side",
  "wait",
]);

/** Parses the kubectl commands of a script; each `kubectl` begins one. */
export function parseKubectlCommands(words: readonly string[]): readonly KubectlCommand[] {
  const commands: string[][] = [];
  for (const word of words) {
    if (word === "kubectl") commands.push([]);
    else if (word !== "&&" && word !== ";") {
      const last = commands.at(-1);
      if (last === undefined) throw new Fault(`run ${words.join(" ")}`, "only kubectl commands can be run");
      last.push(word.endsWith(";") ? word.slice(0, -1) : word);
    }
  }
  return commands.map(commandOf);
}

function commandOf(words: readonly string[]): KubectlCommand {
  const operands: string[] = [];
  const flags = new Map<string, string[]>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const flag = flagOf(word);
    if (flag === undefined) {
      operands.push(word);
      continue;
    }
    const value = flag.value ?? (switches.has(flag.name) ? "true" : words[++at]);
    if (value === undefined) throw new Fault(`read kubectl ${words.join(" ")}`, `--${flag.name} has no value`);
    flags.set(flag.name, [...(flags.get(flag.name) ?? []), value]);
  }
  const [verb = "", ...rest] = operands;
  return { verb, operands: rest, flags };
}

/** `--name=value`, `--name`, `-n`, `-nvalue`; undefined for a word that is no flag (`-` alone is standard input). */
function flagOf(word: string): { readonly name: string; readonly value?: string } | undefined {
  const long = /^--([a-z-]+)(?:=(.*))?$/s.exec(word);
  if (long !== null) return { name: long[1]!, ...(long[2] !== undefined && { value: long[2] }) };
  const short = /^-([A-Za-z])(=?)(.*)$/s.exec(word);
  if (short === null) return undefined;
  const name = shortFlags[short[1]!];
  if (name === undefined) throw new Fault(`read kubectl flag ${word}`, "it is not known");
  return { name, ...(short[3] !== "" && { value: short[3]! }) };
}
