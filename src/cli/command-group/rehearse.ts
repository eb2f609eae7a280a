import { InvalidArgumentError, type Command } from "commander";
import type { Failure } from "../../release/rehearse/index.ts";
import type { RunCommand } from "../interrupt.ts";
import { parseDurationFlag, parseNodeCount } from "../parse-argument.ts";
import { addLimitOptions, historyMaxOption, autoRollbackOption, outputOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import type { OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";
import { addProposalOptions } from "./release.ts";

/** Written down here, since what rehearses is loaded only when it is asked for. */
const failures: readonly Failure[] = ["crash", "pull", "never-ready", "job-fails", "denied"];

/** An object that a flag names, before the plan is known. */
type NamedTarget = { readonly kind: string; readonly name: string };
type NamedFailure = NamedTarget & { readonly how?: Failure };
type NamedDelay = NamedTarget & { readonly ms: number };

export type RehearseFlags = OptionsOf<typeof declareRehearse>;

function declareRehearse(program: Command) {
  return addLimitOptions(addProposalOptions(program.command("rehearse")))
    .description("carry out a deploy in an embedded cluster that is like the live one, in virtual time: when is what ready, and what fails")
    .addOption(historyMaxOption())
    .addOption(autoRollbackOption())
    .addOption(outputOption(["text", "json", "ndjson", "junit", "mermaid", "html"]))
    .option("--behaviour <file>", "how pods behave, instead of what was learnt of them")
    .addOption(
      typedOption("--fail <object>", `KIND/NAME fails, or KIND/NAME=HOW: ${failures.join(", ")}; can be repeated`)
        .argParser((text, before: readonly NamedFailure[]) => [...before, parseFailure(text)])
        .default([], "nothing"),
    )
    .addOption(
      typedOption("--slow <object>", "KIND/NAME=10m takes that long to get ready; can be repeated")
        .argParser((text, before: readonly NamedDelay[]) => [...before, parseDelay(text)])
        .default([], "nothing"),
    )
    .addOption(
      typedOption("--node-down <node>", "a node that is gone, or how many; can be repeated")
        .argParser((text, before: readonly string[]) => [...before, text])
        .default([], "none"),
    )
    .addOption(
      typedOption("--api-errors <share>", "how many requests the API server fails: 5%, or 0.05").argParser(parseShare).default(0, "none"),
    )
    .addOption(typedOption("--every-failure", "also rehearse the failure of each object by itself, and print what follows").default(false))
    .addOption(typedOption("--kill", "also kill the program after every step, carry on, and print what is different").default(false))
    .addOption(typedOption("--nodes <count>", "with --embedded: how many nodes the cluster has; one by default").argParser(parseNodeCount))
    .option("--save-snapshot <file>", "keep what was read of the cluster, without values of Secrets, to rehearse without it")
    .addOption(
      typedOption("--snapshot <file>", "rehearse in the cluster that --save-snapshot kept").conflicts([
        "context",
        "kubeconfig",
        "embedded",
        "saveSnapshot",
      ]),
    );
}

/** Adds the command that rehearses a deploy. */
export function addRehearseCommand(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareRehearse(program).action((name, sources, options) =>
    runCommand(async (signal) => (await import("../command/rehearse.ts")).rehearse(name, sources, options, terminal, signal)),
  );
}

function parseFailure(text: string): NamedFailure {
  const [target, how] = splitValue(text);
  if (how === undefined) return parseTarget(target);
  const known = failures.find((each) => each === how);
  if (known === undefined) throw new InvalidArgumentError(`expected KIND/NAME or KIND/NAME=HOW, where HOW is ${failures.join(", ")}`);
  return { ...parseTarget(target), how: known };
}

function parseDelay(text: string): NamedDelay {
  const [target, duration] = splitValue(text);
  if (duration === undefined) throw new InvalidArgumentError("expected KIND/NAME=DURATION, such as Deployment/web=10m");
  return { ...parseTarget(target), ms: parseDurationFlag(duration) };
}

function splitValue(text: string): readonly [target: string, value?: string] {
  const at = text.indexOf("=");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function parseTarget(text: string): NamedTarget {
  const [, kind, name] = /^([^/\s]+)\/([^/\s]+)$/.exec(text) ?? [];
  if (kind === undefined || name === undefined) throw new InvalidArgumentError("expected KIND/NAME, such as Deployment/web");
  return { kind, name };
}

function parseShare(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const share = Number(digits ?? Number.NaN) / (percent === "%" ? 100 : 1);
  if (share >= 0 && share <= 0.9) return share;
  throw new InvalidArgumentError("expected a share such as 5% or 0.05, at most 90%");
}
