import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { buildStern, installJavaScriptClient, installPythonClient } from "./client-programs.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { projectRoot, runProgram } from "./run-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

// Programs that people use, unchanged, on the embedded cluster and on a real one: they print the same.

const kubectl = process.env[environmentVariables.kubectl] ?? "";
const folder = makeTemporaryFolder();
const embedded = join(folder, "kubeconfig");
const real = process.env[environmentVariables.kubeconfig] ?? "";
const namespace = `programs-${process.pid}`;
const scripts = join(import.meta.dirname, "clients");
const log = (line: string) => void process.stderr.write(`${line}\n`);
const cluster = spawn(process.execPath, [join(projectRoot, "src", "cli", "main.ts"), "cluster", "--kubeconfig", embedded], {
  stdio: ["ignore", "pipe", "inherit"],
});

/** What a program prints on each of the clusters. It must end well. */
async function printed(
  run: (kubeconfig: string) => Promise<{ code: number | null; out: string; err: string }>,
): Promise<readonly string[]> {
  return Promise.all(
    [embedded, real].map(async (kubeconfig) => {
      const { code, out, err } = await run(kubeconfig);
      assert.equal(code, 0, `${kubeconfig}: ${out}${err}`);
      return out;
    }),
  );
}

async function kubectlRun(kubeconfig: string, args: readonly string[]): Promise<void> {
  const { code, out, err } = await runProgram(kubectl, ["kubectl", ...args], { env: { KUBECONFIG: kubeconfig, HOME: folder } });
  assert.equal(code, 0, `kubectl ${args.join(" ")}: ${out}${err}`);
}

/** Three pods that write two lines and run on, and are ready. */
const podNames = ["one", "two", "three"];
async function startPods(kubeconfig: string): Promise<void> {
  await kubectlRun(kubeconfig, ["create", "namespace", namespace]);
  for (const name of podNames) {
    const command = ["sh", "-c", `echo first of ${name}; echo second of ${name}; sleep 100000`];
    await kubectlRun(kubeconfig, [
      "run",
      name,
      "-n",
      namespace,
      "--image=example.com/good:1",
      "--labels=app=logs",
      "--command",
      "--",
      ...command,
    ]);
  }
  await kubectlRun(kubeconfig, ["wait", "pod", "-n", namespace, "-l", "app=logs", "--for=condition=Ready", "--timeout=120s"]);
}

/** Runs stern until it has printed `count` lines, and interrupts it then. */
async function followed(program: string, kubeconfig: string, args: readonly string[], count: number): Promise<readonly string[]> {
  const lines: string[] = [];
  const env = { KUBECONFIG: kubeconfig, HOME: folder };
  const flags = ["-n", namespace, "--color=never", "--template", '{{.PodName}} {{.ContainerName}} {{.Message}}{{"\\n"}}', ...args];
  await runProgram(program, flags, {
    env,
    onLine: (line, kill) => {
      lines.push(line);
      if (lines.length === count) kill("SIGINT");
    },
  });
  return lines.sort();
}

describe("programs that people use", () => {
  before(async () => {
    await once(createInterface({ input: cluster.stdout }), "line");
    await Promise.all([embedded, real].map(startPods));
  });
  after(async () => {
    await kubectlRun(real, ["delete", "namespace", namespace, "--wait=false"]);
    cluster.kill();
    await once(cluster, "exit");
    rmSync(folder, { recursive: true, force: true });
  });

  test("the official Python client sees the same in both clusters", async () => {
    const packages = await installPythonClient(log);
    const script = join(scripts, "python-client.py");
    const [mine, theirs] = await printed((kubeconfig) =>
      runProgram("python3", [script, kubeconfig, `${namespace}-py`], { env: { PYTHONPATH: packages } }),
    );
    assert.equal(mine, theirs);
  });

  test("the official JavaScript client sees the same in both clusters", async () => {
    const packages = await installJavaScriptClient(log);
    const script = join(scripts, "javascript-client.mjs");
    const [mine, theirs] = await printed((kubeconfig) => runProgram(process.execPath, [script, packages, kubeconfig, `${namespace}-js`]));
    assert.equal(mine, theirs);
  });

  test("stern follows the logs of several pods, and ends where it does not follow", async () => {
    const program = await buildStern(log);
    const wanted = podNames.flatMap((name) => ["first", "second"].map((word) => `${name} ${name} ${word} of ${name}`)).sort();
    for (const kubeconfig of [embedded, real]) {
      assert.deepEqual(await followed(program, kubeconfig, ["-l", "app=logs"], wanted.length), wanted);
      const some = wanted.filter((line) => line.includes("second of t"));
      assert.deepEqual(await followed(program, kubeconfig, ["^t", "--no-follow", "--include", "second"], Infinity), some);
    }
  });

  for (const websockets of ["true", "false"]) {
    test(`kubectl is refused what needs a running program by name, ${websockets === "true" ? "over WebSocket" : "over SPDY"}`, async () => {
      const refusals: readonly (readonly [string, RegExp])[] = [
        ["exec one -- ls", /pods\/exec of "one" is not served by the embedded cluster: its containers run no programs/],
        ["attach one", /pods\/attach of "one" is not served by the embedded cluster/],
        ["port-forward one 0:80", /pods\/portforward of "one" is not served by the embedded cluster/],
        ["cp one:/etc/hosts hosts", /pods\/exec of "one" is not served by the embedded cluster/],
        ["cp go.mod one:/tmp", /pods\/exec of "one" is not served by the embedded cluster/],
        ["exec one -c none -- ls", /container none is not valid for pod one|container not found/],
        ["top pod one", /Metrics API not available/],
      ];
      const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: websockets, KUBECTL_PORT_FORWARD_WEBSOCKETS: websockets };
      for (const [command, refusal] of refusals) {
        const { code, err } = await runProgram(kubectl, ["kubectl", "-n", namespace, ...command.split(" ")], {
          cwd: join(import.meta.dirname, "stern"),
          env: { ...env, KUBECONFIG: embedded, HOME: folder },
        });
        assert.equal(code, 1, command);
        assert.match(err, refusal, command);
      }
    });
  }
});
