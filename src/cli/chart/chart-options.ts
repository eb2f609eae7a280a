import { Option, type Command } from "commander";
import { UsageFault } from "../failure.ts";
import type { OptionsOf, TypedCommand } from "../typed-command.ts";
import { typedOption, TypedOption } from "../typed-option.ts";

/** How a chart may be named on the command line. */
export const chartHelp = "a folder, a .tgz, repository/name, a URL, oci://…, or with --repo a name";

type Values = readonly unknown[];

/** An option that may be given several times; the order is kept. */
export function repeatableOption<const Syntax extends string>(
  syntax: Syntax,
  description: string,
): TypedOption<Syntax, readonly string[], "given"> {
  return new TypedOption(new Option(syntax, description).argParser(appended).default([], "none"));
}

function appended(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** Adds the options by which a user gives values to a chart. */
export function addValueOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .addOption(
      typedOption("-f, --values <file>", "values from a YAML file, a URL, or - for standard input; may be repeated, the last one wins")
        .argParser((text, before: readonly string[]) => [...before, ...text.split(",")])
        .default([], "none"),
    )
    .addOption(repeatableOption("--set <assignments>", "values on the command line: a.b=c,d[0]=e"))
    .addOption(repeatableOption("--set-string <assignments>", "the same, all of them as strings"))
    .addOption(repeatableOption("--set-json <assignments>", 'the same as JSON: a={"b":1}, or a whole object'))
    .addOption(repeatableOption("--set-file <assignments>", "the same, each the content of a file: a=path"))
    .addOption(repeatableOption("--set-literal <assignment>", "one value, taken as it is"));
}

/** Adds the options that say how a chart is rendered. */
export function addRenderOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .flag("--helm-3", "render as Helm 3 did, where it differs from Helm 4")
    .flag("--skip-schema-validation", "do not hold values against the chart's values.schema.json, nor fetch what it refers to")
    .flag("--render-subchart-notes", "show the notes of the charts inside as well")
    .option("--post-renderer <command>", "a program that is given all manifests and answers with those to use instead")
    .addOption(repeatableOption("--post-renderer-args <argument>", "an argument of that program; may be repeated"));
}

export function skipCrdsOption() {
  return typedOption("--skip-crds", "leave the definitions in crds/ alone").default(false);
}

/** Adds the options that say which values of the previous revision are kept. */
export function addReuseOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .flag("--reuse-values", "keep the values that the release has, and change only those that are given now")
    .flag("--reset-values", "forget the values that were given before")
    .flag("--reset-then-reuse-values", "take the chart's new defaults, then what was given before, then what is given now");
}

/** Adds the options that say how a repository or a registry is reached. */
export function addRepositoryOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .option("--username <name>", "the name to sign in with")
    .option("--password <password>", "the password to sign in with")
    .option("--ca-file <file>", "trust servers whose certificate these authorities vouch for")
    .option("--cert-file <file>", "the certificate to show to the server")
    .option("--key-file <file>", "the key of that certificate")
    .flag("--insecure-skip-tls-verify", "trust any server");
}

/** Adds the options that select a chart and its version. */
export function addChartOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  command.command.hook("preAction", refuseUnusedKeyring);
  return addRepositoryOptions(command)
    .option("--version <version>", "the version of the chart, or what it has to satisfy (^1.2); the latest by default")
    .flag("--devel", "versions under development will do too, where --version names none")
    .option("--repo <url>", "the repository that the chart is in")
    .flag("--pass-credentials", "sign in on other hosts, too, that the repository keeps its charts on")
    .flag("--plain-http", "reach the registry by HTTP")
    .flag("--verify", "use the chart only if its provenance file (.prov) is signed by a key of the keyring")
    .option("--keyring <file>", keyringHelp);
}

export const keyringHelp = "the public keys that may have signed it (default: pubring.gpg of GnuPG)";

/** Whoever names a keyring expects the chart to be verified. */
export function refuseUnusedKeyring(_program: Command, command: Command): void {
  const { verify, keyring } = command.opts<{ verify?: boolean; keyring?: string }>();
  if (keyring !== undefined && verify !== true)
    throw new UsageFault("--keyring is for --verify, which alone verifies the chart: add it, or leave out --keyring", undefined, {
      final: true,
    });
}

export type ValueFlags = OptionsOf<typeof addValueOptions>;
export type RenderFlags = OptionsOf<typeof addRenderOptions>;
export type ReuseFlags = OptionsOf<typeof addReuseOptions>;
