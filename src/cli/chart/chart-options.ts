import { Option, type Command } from "commander";

/** Flags that may be given several times; their order counts. */
export function repeatableOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly string[]) => [...before, text]).default([], "none");
}

/** What the flags say about values. */
export type ValueFlags = {
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly setString: readonly string[];
  readonly setJson: readonly string[];
  readonly setFile: readonly string[];
  readonly setLiteral: readonly string[];
};

/** The flags by which a user gives values to a chart. */
export function addValueOptions(command: Command): Command {
  return command
    .addOption(
      new Option("-f, --values <file>", "values from a YAML file, a URL, or - for standard input; may be repeated, the last one wins")
        .argParser((text: string, before: readonly string[]) => [...before, ...text.split(",")])
        .default([], "none"),
    )
    .addOption(repeatableOption("--set <assignments>", "values on the command line: a.b=c,d[0]=e"))
    .addOption(repeatableOption("--set-string <assignments>", "the same, all of them as strings"))
    .addOption(repeatableOption("--set-json <assignments>", 'the same as JSON: a={"b":1}, or a whole object'))
    .addOption(repeatableOption("--set-file <assignments>", "the same, each the content of a file: a=path"))
    .addOption(repeatableOption("--set-literal <assignment>", "one value, taken as it is"));
}

/** How a chart is to be rendered. */
export type RenderFlags = {
  readonly helm3: boolean;
  readonly skipSchemaValidation: boolean;
  readonly renderSubchartNotes: boolean;
  readonly postRenderer?: string;
  readonly postRendererArgs: readonly string[];
};

/** The flags that say how a chart is rendered. */
export function addRenderOptions(command: Command): Command {
  return command
    .option("--helm-3", "render as Helm 3 did, where it differs from Helm 4", false)
    .option("--skip-schema-validation", "do not hold values against the chart's values.schema.json", false)
    .option("--render-subchart-notes", "show the notes of the charts inside as well", false)
    .option("--post-renderer <command>", "a program that is given all manifests and answers with those to use instead")
    .addOption(repeatableOption("--post-renderer-args <argument>", "an argument of that program; may be repeated"));
}

/** What becomes of the values that were given before. */
export type ReuseFlags = {
  readonly reuseValues: boolean;
  readonly resetValues: boolean;
  readonly resetThenReuseValues: boolean;
};

/** The flags that say which of the values that a release had still count. */
export function addReuseOptions(command: Command): Command {
  return command
    .option("--reuse-values", "keep the values that the release has, and change only those that are given now", false)
    .option("--reset-values", "forget the values that were given before", false)
    .option("--reset-then-reuse-values", "take the chart's new defaults, then what was given before, then what is given now", false);
}
