/** What a process of its own prints, into pipes that nobody reads and onto disks that are full too. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const program = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
const quiet = { NO_COLOR: undefined, FORCE_COLOR: undefined, GITHUB_ACTIONS: undefined, GITLAB_CI: undefined };

/** What a run prints into a pipe, with this around it. */
async function printed(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<string> {
  const run = spawn(process.execPath, [program, "apply", "-", "--embedded", ...args], {
    env: { ...process.env, ...quiet, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  run.stdin.end(manifest);
  return text(run.stdout);
}

for (const env of [{ CI: "true" }, { GITHUB_ACTIONS: "true", FORCE_COLOR: "1", NO_COLOR: "1" }]) {
  test(`what goes into a pipe is plain, with ${JSON.stringify(env)} around it`, async () => {
    const said = await printed(env);
    assert.match(said, /^\d\d:\d\d:\d\dZ +\d+s {2}ready +configmap\/a in default: created$/m);
    assert.equal(said.startsWith("::group::"), "GITHUB_ACTIONS" in env);
    assert.ok(!said.includes("\u001b"), JSON.stringify(said));
  });
}

for (const other of ["NO_COLOR", "NODE_DISABLE_COLORS"])
  test(`nothing is said of ${other} beside FORCE_COLOR`, async () => {
    const run = spawn(process.execPath, [program, "list", "--kubeconfig", "nowhere"], {
      env: { ...process.env, ...quiet, [other]: "1", FORCE_COLOR: "1" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    assert.match(await text(run.stderr), /^error: there is no kubeconfig \S*nowhere: .*\n$/);
  });

test("an interruption ends a run whose output nobody reads", { timeout: 60_000 }, async () => {
  const script = `${`echo ${"x".repeat(100)};`.repeat(10_000)} sleep 1000`;
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox", command: ["sh", "-c", script] }] } };
  const run = spawn(process.execPath, [program, "apply", "-", "--embedded"], {
    env: { ...process.env, ...quiet },
    stdio: ["pipe", "pipe", "pipe"],
  });
  run.stdin.end(JSON.stringify({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, spec: { template } }));
  const exited = once(run, "exit");
  const said = text(run.stderr);
  // The first lines are read, and the rest is more than a pipe holds.
  run.stdout.on("data", (chunk: Buffer) => {
    if (!chunk.includes(" log ")) return;
    run.stdout.pause();
    run.kill("SIGINT");
  });
  assert.deepEqual(await exited, [130, null]);
  assert.match(await said, /^error: interrupted; what was done stays, and the same command carries it on\.\nNot finished:\n {2}job\/j: /);
});

test("FORCE_COLOR colours what goes into a pipe", async () => {
  assert.ok((await printed({ FORCE_COLOR: "1" })).includes("\u001B[32mready"));
});

test("-o ndjson is JSON whatever is around it", async () => {
  const said = await printed({ FORCE_COLOR: "1", GITHUB_ACTIONS: "true", GITLAB_CI: "true" }, "-o", "ndjson");
  assert.deepEqual(
    said
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type),
    ["planned", "started", "finished", "started", "finished", "done"],
  );
});

test(
  "a full disk ends a deploy in good order, with one line",
  { skip: existsSync("/dev/full") ? false : "there is no /dev/full here" },
  async () => {
    const full = openSync("/dev/full", "w");
    const run = spawn(process.execPath, [program, "deploy", "a", "-", "--embedded"], {
      env: { ...process.env, ...quiet },
      stdio: ["pipe", full, "pipe"],
    });
    run.stdin?.end(manifest);
    const [said, [code]] = await Promise.all([text(run.stderr!), once(run, "close") as Promise<[number]>]);
    closeSync(full);
    assert.match(said, /^error: write standard output: .*ENOSPC.*: nothing more is printed, and the run is stopped$/m);
    assert.doesNotMatch(said, /\n {4}at /);
    assert.equal(code, 1);
  },
);
