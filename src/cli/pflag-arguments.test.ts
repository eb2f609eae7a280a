import assert from "node:assert/strict";
import { test } from "node:test";
import { Command, CommanderError, Option } from "commander";
import { readPflagArguments } from "./pflag-arguments.ts";

/** What a command makes of a line: its arguments, and the options that the line names. */
function parsed(line: string, { separate = false } = {}): readonly [readonly string[], Readonly<Record<string, unknown>>] {
  const program = new Command("sluice").enablePositionalOptions().exitOverride();
  const silent = { writeErr: () => {} };
  const command = program
    .command("install")
    .argument("[words...]")
    .addOption(new Option("--wait [strategy]").choices(["watcher", "hookOnly", "true", "false"]))
    .option("--atomic", "", false)
    .option("--no-hooks")
    .option("-f, --values <file>")
    .option("--description <text>")
    .exitOverride()
    .configureOutput(silent)
    .action(() => {});
  readPflagArguments(command, { "--wait": "watcher" }, { separate });
  program.parse(["install", ...line.split(" ")], { from: "user" });
  return [command.args, command.opts()];
}

const plain = { atomic: false, hooks: true };

const lines: readonly (readonly [line: string, args: readonly string[], options: object])[] = [
  ["--wait web ./c", ["web", "./c"], { wait: "watcher" }],
  ["web ./c --wait", ["web", "./c"], { wait: "watcher" }],
  ["web --wait=hookOnly ./c", ["web", "./c"], { wait: "hookOnly" }],
  ["--wait hookOnly ./c", ["hookOnly", "./c"], { wait: "watcher" }],
  ["--atomic=true web", ["web"], { atomic: true }],
  ["--atomic=T web", ["web"], { atomic: true }],
  ["--atomic=false web", ["web"], {}],
  ["--atomic web", ["web"], { atomic: true }],
  ["--no-hooks=false web", ["web"], {}],
  ["--no-hooks=1 web", ["web"], { hooks: false }],
  ["-f=a=b.yaml web", ["web"], { values: "a=b.yaml" }],
  ["-f a.yaml web", ["web"], { values: "a.yaml" }],
  ["--values=a.yaml web", ["web"], { values: "a.yaml" }],
  ["--description --wait web", ["web"], { description: "--wait" }],
  ["--description=--atomic=true web", ["web"], { description: "--atomic=true" }],
  ["web -- --wait --atomic=true", ["web", "--wait", "--atomic=true"], {}],
];

for (const [line, args, options] of lines) test(`install ${line}`, () => assert.deepEqual(parsed(line), [args, { ...plain, ...options }]));

test("a choice may stand by itself where that is allowed", () => {
  assert.deepEqual(parsed("--wait hookOnly web", { separate: true }), [["web"], { ...plain, wait: "hookOnly" }]);
  assert.deepEqual(parsed("--wait web", { separate: true }), [["web"], { ...plain, wait: "watcher" }]);
});

for (const line of ["--atomic=perhaps web", "--wait=nonsense web", "--atomic= web"])
  test(`install ${line} is refused`, () => assert.throws(() => parsed(line), CommanderError));
