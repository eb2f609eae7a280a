import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { TypedCommand, type OptionsOf } from "./typed-command.ts";
import { typedOption } from "./typed-option.ts";

function declareTry(program: Command) {
  return new TypedCommand(program.command("try"))
    .argument("<release>", "")
    .parsedArgument("[revision]", "", Number)
    .argument("[source...]", "")
    .option("-n, --namespace <name>", "")
    .option("--no-hooks", "")
    .flag("--dry-run", "")
    .addOption(typedOption("-o, --output <format>", "").choices(["text", "json"]).default("text"))
    .addOption(typedOption("--max-count <count>", "").argParser(Number))
    .addOption(typedOption("--wait [what]", "").choices(["all", "hooks"]).default(true))
    .negation("--no-wait", "");
}

/** The names and types that follow from the declaration; a mismatch does not compile. */
type Expected = {
  readonly namespace?: string;
  readonly hooks: boolean;
  readonly dryRun: boolean;
  readonly output: "text" | "json";
  readonly maxCount?: number;
  readonly wait: boolean | "all" | "hooks";
};

async function parsed(line: string): Promise<readonly [string, number | undefined, readonly string[], Expected]> {
  const program = new Command("sluice").exitOverride();
  const found = Promise.withResolvers<readonly [string, number | undefined, readonly string[], Expected]>();
  declareTry(program).action((release, revision, sources, options) => found.resolve([release, revision, sources, options]));
  await program.parseAsync(["try", ...line.split(" ")], { from: "user" });
  return found.promise;
}

test("the options of a command have the names and types of their declarations", async () => {
  const defaults: OptionsOf<typeof declareTry> = { hooks: true, dryRun: false, output: "text", wait: true };
  assert.deepEqual(await parsed("web"), ["web", undefined, [], defaults]);
  assert.deepEqual(await parsed("web 2 a b -n ops --no-hooks --dry-run -o json --max-count 3 --wait hooks"), [
    "web",
    2,
    ["a", "b"],
    { namespace: "ops", hooks: false, dryRun: true, output: "json", maxCount: 3, wait: "hooks" },
  ]);
  assert.equal((await parsed("web --no-wait"))[3].wait, false);
});

test("a value that is no choice, and an option without its declaration, do not compile", () => {
  // @ts-expect-error: yaml is no choice of --output
  const wrong: OptionsOf<typeof declareTry> = { hooks: true, dryRun: false, output: "yaml", wait: true };
  // @ts-expect-error: there is no option --colour
  assert.equal(wrong.colour, undefined);
});
