import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { buildK9s } from "./client-programs.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { projectRoot, runProgram } from "./run-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

// k9s, built from its Go module, in a terminal on the embedded cluster and on a real one: it shows the same.

const kubectl = process.env[environmentVariables.kubectl] ?? "";
const folder = makeTemporaryFolder();
const embedded = join(folder, "kubeconfig");
const real = process.env[environmentVariables.kubeconfig] ?? "";
const namespace = `k9s-${process.pid}`;
const log = (line: string) => void process.stderr.write(`${line}\n`);
const cluster = spawn(process.execPath, [join(projectRoot, "src", "cli", "main.ts"), "cluster", "--kubeconfig", embedded], {
  stdio: ["ignore", "pipe", "inherit"],
});

async function kubectlRun(kubeconfig: string, args: string): Promise<void> {
  const { code, out, err } = await runProgram(kubectl, ["kubectl", ...args.split(" ")], { env: { KUBECONFIG: kubeconfig, HOME: folder } });
  assert.equal(code, 0, `kubectl ${args}: ${out}${err}`);
}

/** k9s in a terminal of its own. */
function startK9s(program: string, kubeconfig: string) {
  const command = `stty cols 180 rows 50; exec ${program} --kubeconfig ${kubeconfig} -n ${namespace} --headless --logoless -c pods`;
  const homes = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder };
  const child = spawn("script", ["-qfec", command, "/dev/null"], { env: { ...process.env, ...homes, TERM: "xterm", SHELL: "/bin/sh" } });
  let screen = "";
  const checks = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    for (const check of checks) check();
  });
  const ended = once(child, "exit");
  return {
    ended,
    /** Types keys, and waits until all of the texts are drawn after that. */
    async type(keys: string, ...texts: readonly string[]): Promise<void> {
      const from = screen.length;
      const drawn = () => screen.slice(from);
      child.stdin.write(keys);
      await new Promise<void>((resolve, reject) => {
        const tooLong = setTimeout(() => reject(new Error(`k9s does not show ${texts.join(", ")}: ${visible(drawn())}`)), 120_000);
        const check = () => {
          if (!texts.every((text) => visible(drawn()).includes(text))) return;
          clearTimeout(tooLong);
          checks.delete(check);
          resolve();
        };
        checks.add(check);
        check();
      });
    },
    stop: () => void child.kill("SIGKILL"),
  };
}

/** A character, and the sequence that repeats it. */
const repetition = new RegExp(`(.)${String.fromCodePoint(0x1b)}\\[(\\d+)b`, "g");

/** Text of a terminal without the sequences that steer it. */
function visible(text: string): string {
  const repeated = text.replaceAll(repetition, (_, character: string, times: string) => character.repeat(Number(times) + 1));
  return stripVTControlCharacters(repeated);
}

describe("k9s", () => {
  before(async () => {
    await once(createInterface({ input: cluster.stdout }), "line");
    for (const kubeconfig of [embedded, real]) {
      await kubectlRun(kubeconfig, `create namespace ${namespace}`);
      await kubectlRun(kubeconfig, `run web -n ${namespace} --image=example.com/good:1`);
      await kubectlRun(kubeconfig, `wait pod web -n ${namespace} --for=condition=Ready --timeout=120s`);
    }
  });
  after(async () => {
    await kubectlRun(real, `delete namespace ${namespace} --wait=false`);
    cluster.kill();
    await once(cluster, "exit");
    rmSync(folder, { recursive: true, force: true });
  });

  test("lists pods, shows one as YAML, lists another kind, and quits", async () => {
    const program = await buildK9s(log);
    for (const kubeconfig of [embedded, real]) {
      const terminal = startK9s(program, kubeconfig);
      try {
        // A terminal draws only what differs from before, so that short texts are looked for.
        await terminal.type("", "web", "Running");
        await terminal.type("y", "apiVersion: v1", "kind: Pod");
        await terminal.type("\u001b", "Running");
        await terminal.type(":namespaces\r", "kube-system");
        await terminal.type(":quit\r");
        assert.deepEqual(await terminal.ended, [0, null]);
      } finally {
        terminal.stop();
      }
    }
  });
});
