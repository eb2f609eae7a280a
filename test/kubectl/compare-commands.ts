import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandTopics, type CommandLine, type CommandTopic } from "./command-table.ts";
import { normalisedOutput } from "./normalise-output.ts";
import type { SuiteCluster } from "./suite-cluster.ts";
import { suiteKubeconfig } from "./suite-script.ts";

type Log = (line: string) => void;

type Compared = {
  readonly command: CommandLine;
  readonly real: string;
  readonly embedded: string;
};

/** Runs the commands on both clusters, and tells where their outputs differ; false when one does without a reason for it. */
export async function compareCommands(
  clusters: { readonly real: SuiteCluster; readonly embedded: SuiteCluster },
  tools: { readonly suite: string; readonly programs: readonly string[] },
  only: RegExp,
  log: Log,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-kubectl-"));
  try {
    const [real, embedded] = [clusters.real, clusters.embedded].map((cluster, index) => {
      return kubectlOf(cluster, join(folder, String(index)), tools);
    });
    const topics = commandTopics().filter(({ name }) => only.test(name));
    const compared: Compared[] = [];
    for (const topic of topics) compared.push(...(await compareTopic(topic, real!, embedded!)));
    return told(compared, log);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Kubectl = (namespace: string, line: string) => Promise<string>;

function kubectlOf({ port }: SuiteCluster, home: string, { suite, programs }: { suite: string; programs: readonly string[] }): Kubectl {
  mkdirSync(join(home, ".kube"), { recursive: true });
  writeFileSync(join(home, ".kube/config"), suiteKubeconfig(port));
  const env = { HOME: home, PATH: `${programs.join(":")}:${process.env["PATH"] ?? ""}`, TERM: "dumb" };
  return (namespace, line) =>
    new Promise((resolve, reject) => {
      const args = ["-c", `kubectl -n ${namespace} ${line} 2>&1`];
      const child = spawn("bash", args, { cwd: suite, env, stdio: ["ignore", "pipe", "inherit"] });
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      child.once("error", reject);
      child.once("close", (code) => resolve(`${normalisedOutput(text)}\nexit code ${code}`));
    });
}

async function compareTopic({ name, commands }: CommandTopic, real: Kubectl, embedded: Kubectl): Promise<readonly Compared[]> {
  const namespace = `commands-${name}`;
  const prepare = async (kubectl: Kubectl) => {
    await kubectl(namespace, `create namespace ${namespace}`);
    for (const what of ["serviceaccount/default", "configmap/kube-root-ca.crt"])
      await kubectl(namespace, `wait --for=create ${what} --timeout=60s`);
  };
  await Promise.all([prepare(real), prepare(embedded)]);
  const compared: Compared[] = [];
  for (const command of commands) {
    const line = command.line.replaceAll("{ns}", namespace);
    const [one, other] = await Promise.all([real(namespace, line), embedded(namespace, line)]);
    compared.push({ command, real: one, embedded: other });
  }
  return compared;
}

function told(compared: readonly Compared[], log: Log): boolean {
  const differing = compared.filter(({ real, embedded }) => real !== embedded);
  const unexpected = differing.filter(({ command }) => command.differs === undefined);
  const agreeing = compared.filter(({ command, real, embedded }) => command.differs !== undefined && real === embedded);
  for (const { command, real, embedded } of unexpected)
    log(
      `kubectl ${command.line}\n  real:\n    ${real.replaceAll("\n", "\n    ")}\n  embedded:\n    ${embedded.replaceAll("\n", "\n    ")}`,
    );
  for (const { command } of agreeing) log(`kubectl ${command.line}: the outputs agree, so the reason before it is to be removed`);
  log(`${compared.length - differing.length} of ${compared.length} commands print the same on both clusters`);
  return unexpected.length === 0 && agreeing.length === 0;
}
