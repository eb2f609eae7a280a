import type { Argument, Command, Option } from "commander";
import type { Candidate } from "./candidate.ts";
import type { UnfinishedLine } from "./command-line.ts";

/** Names that are read when they are asked for. */
export type NameSource =
  | "contexts"
  | "fleetContexts"
  | "namespaces"
  | "releases"
  | "revisions"
  | "clusters"
  | "profiles"
  | "subjects"
  | "repositories";

/** What completes a word: words that are known, names that have to be read, files. */
export type LineCompletion = {
  readonly candidates: readonly Candidate[];
  readonly names?: NameSource;
  readonly files?: boolean;
  /** Stands before each name: `--context=`. */
  readonly prefix?: string;
};

/** Says what completes the last word of a command line. Reads nothing. */
export function completeLine({ command, place }: UnfinishedLine): LineCompletion {
  switch (place.is) {
    case "flag":
      return { candidates: flagsOf(command.options) };
    case "value":
      return { ...valueCompletion(place.option, place.prefix), prefix: place.prefix };
    case "argument": {
      const shown = place.subcommands.filter((each) => each.name() !== "help" || command.parent === null);
      const named = shown.map((each) => ({ value: each.name(), description: each.description() }));
      const own = place.argument === undefined ? { candidates: [] } : argumentCompletion(place.argument, command);
      return { ...own, candidates: [...named, ...own.candidates] };
    }
  }
}

function flagsOf(options: readonly Option[]): readonly Candidate[] {
  const shown = options.filter(({ hidden }) => !hidden);
  const flags = shown.flatMap(({ long, short, description }) => [long, short].flatMap((value) => (value ? [{ value, description }] : [])));
  return [...flags, { value: "--help", description: "display help for command" }];
}

const namesOfOptions: Readonly<Record<string, NameSource>> = {
  "--context": "contexts",
  "--kube-context": "contexts",
  "--fleet-cluster-context": "fleetContexts",
  "--namespace": "namespaces",
  "--cluster": "clusters",
  "--profile": "profiles",
  "--revision": "revisions",
};

const namesOfArguments: Readonly<Record<string, NameSource>> = {
  release: "releases",
  revision: "revisions",
  cluster: "clusters",
  subject: "subjects",
  repository: "repositories",
};

const files = new Set(["file", "folder", "source", "chart"]);

function valueCompletion(option: Option, prefix: string): LineCompletion {
  if (option.argChoices !== undefined) return { candidates: option.argChoices.map((value) => ({ value: `${prefix}${value}` })) };
  const names = namesOfOptions[option.long ?? ""];
  const placeholder = /<([^>.]+)/.exec(option.flags)?.[1] ?? "";
  return { candidates: [], ...(names === undefined ? { files: files.has(placeholder) } : { names }) };
}

function argumentCompletion(argument: Argument, { registeredArguments }: Command): LineCompletion {
  if (argument.argChoices !== undefined) return { candidates: argument.argChoices.map((value) => ({ value })) };
  const before = registeredArguments[registeredArguments.indexOf(argument) - 1];
  // `diff revision <revision> [other]`: the other is of the same kind.
  const name = argument.name() === "other" && before !== undefined ? before.name() : argument.name();
  const names = namesOfArguments[name];
  // `install [name] <chart>` may begin with the chart.
  const mayBeChart = name === "name" && registeredArguments.some((each) => each.name() === "chart");
  return { candidates: [], ...(names === undefined ? { files: files.has(name) || mayBeChart } : { names }) };
}
