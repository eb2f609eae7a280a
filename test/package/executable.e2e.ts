/** The executables, unpacked into an empty folder and run with an empty home and no path. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { noteName } from "../../tools/package/single-executable.ts";
import { noteIn, readElf } from "../../tools/package/elf-note.ts";
import { healthyFleet, runFleet } from "../built/run-fleet.ts";
import { behaviour, runStandalone, runReleases } from "../built/run-commands.ts";
import { runProcess, startService, type SluiceCommand } from "../built/run-process.ts";
import { runProgram } from "../cluster/run-program.ts";
import { runSluice } from "../support/command-line.ts";
import { environment, packages } from "./packages.ts";
import { testFolders, unpack } from "./test-folders.ts";
import { unpackImage } from "./unpack-image.ts";

const { executable, version } = packages();
const { make } = testFolders();
const kubectl = process.env[environment.kubectl] ?? "";
/** All that the program may link to. */
const libraries = /^\s*(linux-vdso\.so\.1|lib(dl|stdc\+\+|m|gcc_s|pthread|c)\.so\.\d|\/lib64\/ld-linux-x86-64\.so\.2)\b/;
const chart = join(import.meta.dirname, "..", "..", "tools", "build", "warm-up");

const folderFor = (architecture: string) => join(make(architecture), `sluice-${version}-linux-${architecture}`);
const beside = ["LICENSE", "LICENSE-node.txt", "README.md", "THIRD-PARTY-LICENSES.txt", "completions", "sluice"];

describe("for linux-x64", () => {
  const folder = folderFor("x64");
  const file = join(folder, "sluice");
  const program: SluiceCommand = { command: [file], env: { HOME: make("home") } };
  before(() => unpack(executable("x64"), make("x64")));

  test("has with it what belongs to it", () => {
    assert.deepEqual(readdirSync(folder).toSorted(), beside);
    assert.deepEqual(readdirSync(join(folder, "completions")).toSorted(), ["_sluice", "sluice.bash", "sluice.fish", "sluice.ps1"]);
    const licences = readFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const name of ["commander", "picocolors", "re2js", "Kubernetes"]) assert.match(licences, new RegExp(name));
  });

  test("links to the C and C++ libraries alone", async () => {
    const { out } = await runProgram("ldd", [file]);
    assert.deepEqual(
      out
        .trimEnd()
        .split("\n")
        .filter((line) => !libraries.test(line)),
      [],
    );
  });

  test("says what the sources say", async () => {
    const [ours, theirs] = [
      await runStandalone((args) => runProcess(program, args), make("alone")),
      await runStandalone((args) => runSluice(...args), make("alone-source")),
    ];
    for (const [name, outcome] of Object.entries(theirs)) assert.equal(ours[name], outcome, name);
  });

  test("says its version", async () => {
    assert.equal((await runProcess(program, ["--version"])).out, `${version}\n`);
    const told = JSON.parse((await runProcess(program, ["version", "-o", "json"])).out) as Record<string, string>;
    assert.deepEqual([told["version"], told["node"]], [version, "24.21.0"]);
  });

  test("serves a cluster to kubectl, and does with releases what the sources do", async () => {
    const kubeconfig = join(make("cluster"), "kubeconfig");
    const rules = join(make("cluster"), "rules.yaml");
    writeFileSync(rules, behaviour);
    const flags = ["--clusters", "2", "--speed", "20", "--behaviour", rules];
    const { end } = await startService(program, ["cluster", "--kubeconfig", kubeconfig, ...flags], /kubectl/);
    try {
      const ours = await runReleases((args) => runProcess(program, args), make("releases"), { kubeconfig, context: "sluice-1" });
      const theirs = await runReleases((args) => runSluice(...args), make("releases-source"), { kubeconfig, context: "sluice-2" });
      for (const [name, outcome] of Object.entries(theirs)) assert.equal(ours[name], outcome, name);
      const { out } = await runProgram(kubectl, ["kubectl", "--kubeconfig", kubeconfig, "get", "deployments", "-o", "name"]);
      assert.equal(out, "deployment.apps/web\n");
    } finally {
      assert.equal(await end(), 0);
    }
  });

  test("runs a controller and an agent", async () => {
    assert.deepEqual(await runFleet(program, make("fleet")), healthyFleet);
  });

  test("shows its demo", async () => {
    const { code, out } = await runProcess(program, ["demo"]);
    assert.match(out, /Everything is healthy after/);
    assert.equal(code, 0);
  });

  test("has completions that a shell reads", async () => {
    const script = `source ${join(folder, "completions", "sluice.bash")} && complete -p sluice`;
    const { code, out, err } = await runProgram("bash", ["--norc", "-c", script]);
    assert.deepEqual([code, out.trim().endsWith(" sluice")], [0, true], err);
  });
});

describe("for linux-arm64", () => {
  const folder = folderFor("arm64");
  before(() => unpack(executable("arm64"), make("arm64")));

  test("is a program for that machine with Sluice inside", () => {
    assert.deepEqual(readdirSync(folder).toSorted(), beside);
    const file = readFileSync(join(folder, "sluice"));
    const { machine, interpreter } = readElf(file);
    assert.deepEqual([machine, interpreter], ["arm64", "/lib/ld-linux-aarch64.so.1"]);
    const inside = noteIn(file, noteName);
    assert.ok(inside !== undefined);
    assert.ok(inside.includes("program.cjs"));
    // Code that was compiled on another machine would not fit.
    assert.ok(!inside.includes(".code\0") && !inside.includes("x64.code"));
  });

  test("runs where that machine is imitated", async () => {
    const root = make("arm64-root");
    await unpackImage(root, "arm64");
    const told = await runProgram("qemu-aarch64-static", ["-L", root, join(folder, "sluice"), "--version"]);
    assert.deepEqual([told.code, told.out], [0, `${version}\n`], told.err);
    const rendered = await runProgram("qemu-aarch64-static", ["-L", root, join(folder, "sluice"), "render", chart]);
    assert.deepEqual([rendered.code, rendered.out.trimEnd()], [0, (await runSluice("render", chart)).out.trimEnd()], rendered.err);
  });
});
