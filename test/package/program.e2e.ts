/** The program as it is built does what the sources do. */
import assert from "node:assert/strict";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { bundleProgram } from "../../tools/build/bundle-program.ts";
import { runSluice } from "../support/command-line.ts";
import { healthyFleet, runFleet } from "../built/run-fleet.ts";
import { behaviour, runStandalone, runReleases, type Run } from "../built/run-commands.ts";
import { runProcess, startService, type SluiceCommand } from "../built/run-process.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "sluice-built-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder };
const source: SluiceCommand = { command: [process.execPath, join(root, "src", "cli", "main.ts")], env };
const built: SluiceCommand = { command: [process.execPath, join(folder, "dist", "sluice.js")], env };
const runSource: Run = (args) => runSluice(...args);
const runBuilt: Run = (args) => runProcess(built, args);

/** Most of these wait for others most of the time. */
describe("the built program", { concurrency: true }, () => {
  before(() => bundleProgram(join(folder, "dist"), { version, commit: "0123456789", seconds: 0 }));

  test("says what the sources say", async () => {
    const [ours, theirs] = await Promise.all([
      runStandalone(runBuilt, folderFor("alone")),
      runStandalone(runSource, folderFor("alone-source")),
    ]);
    for (const [name, outcome] of Object.entries(theirs)) assert.equal(ours[name], outcome, name);
  });

  test("serves clusters, and does with releases what the sources do", async () => {
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(join(folder, "rules.yaml"), behaviour);
    const flags = ["--clusters", "2", "--speed", "20", "--behaviour", join(folder, "rules.yaml")];
    const { end } = await startService(built, ["cluster", "--kubeconfig", kubeconfig, ...flags], /kubectl/);
    try {
      const [ours, theirs] = await Promise.all([
        runReleases(runBuilt, folderFor("releases"), { kubeconfig, context: "sluice-1" }),
        runReleases(runSource, folderFor("releases-source"), { kubeconfig, context: "sluice-2" }),
      ]);
      for (const [name, outcome] of Object.entries(theirs)) assert.equal(ours[name], outcome, name);
      assert.match(ours["why"] ?? "", /deployment\/web is not ready/);
      assert.equal(ours["a client"], "kube-root-ca.crt settings");
    } finally {
      assert.equal(await end(), 0);
    }
  });

  test("runs a controller and an agent", async () => {
    assert.deepEqual(await runFleet(built, folderFor("fleet")), healthyFleet);
  });

  test("shows its demo", async () => {
    const { code, out, err } = await runProcess(built, ["demo"]);
    assert.match(out, /Everything is healthy after/);
    assert.deepEqual([code, err], [0, ""]);
  });

  test("does the same without code that was kept for this engine", async () => {
    const other = join(folder, "other");
    cpSync(join(folder, "dist"), other, { recursive: true });
    for (const file of globSync("*.code", { cwd: other })) rmSync(join(other, file));
    const hello = join(root, "examples", "hello");
    for (const args of [["render", join(root, "tools", "build", "warm-up")], ["version"], ["plan", "hello", hello, "--embedded"]]) {
      const done = await runProcess({ command: [process.execPath, join(other, "sluice.js")], env }, args);
      assert.deepEqual(done, await runBuilt(args));
      assert.equal(done.code, 0);
    }
  });

  test("says what it was built of", async () => {
    assert.equal((await runProcess(built, ["version"])).out, `sluice ${version}\n`);
    assert.equal((await runProcess(built, ["--version"])).out, `${version}\n`);
    const { commit, ...rest } = await told(source);
    assert.equal(commit, null);
    assert.deepEqual(await told(built), { ...rest, commit: "0123456789" });
  });

  test("has the chart of its own version", async () => {
    const { code, out, err } = await runProcess(built, ["controller", "manifests"]);
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`image: "?sluice:${version}"?$`, "m"));
  });
});

async function told(program: SluiceCommand): Promise<Record<string, unknown>> {
  const { out } = await runProcess(program, ["version", "-o", "json"]);
  return JSON.parse(out) as Record<string, unknown>;
}

function folderFor(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
