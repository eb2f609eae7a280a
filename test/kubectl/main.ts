/**
 * `npm run test:kubectl`: runs kubectl's own suite, of the Kubernetes module in the Go module cache, on the embedded cluster.
 * Each function gets a new cluster. What passes is compared with the functions that are known to pass.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildControlPlane, buildKubectl } from "../cluster/toolchain.ts";
import { compareCommands } from "./compare-commands.ts";
import { runFunction, type FunctionResult } from "./run-function.ts";
import { startEmbeddedSuiteCluster, startRealSuiteCluster, type SuiteCluster } from "./suite-cluster.ts";
import { needsInternet, suiteFolder, suiteFunctions } from "./suite-functions.ts";

const usage = `usage: node test/kubectl/main.ts [--real | --commands] [--only PATTERN] [--logs FOLDER]
  --real      on a real control plane instead of the embedded cluster
  --commands  the commands of test/kubectl/commands instead of the suite, on both, and their outputs compared
  --only      only functions or topics whose name matches
  --logs      keep the output of each function there`;

const log = (line: string) => void process.stdout.write(`${line}\n`);

function namesIn(file: string): ReadonlySet<string> {
  const lines = readFileSync(join(import.meta.dirname, "passing", file), "utf8").split("\n");
  return new Set(lines.filter((line) => line !== ""));
}

async function runAll(
  names: readonly string[],
  start: () => Promise<SuiteCluster>,
  tools: { suite: string; programs: readonly string[]; logs: string | undefined },
  atOnce: number,
): Promise<readonly FunctionResult[]> {
  const results: FunctionResult[] = [];
  const left = [...names];
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const cluster = await start();
      try {
        const result = await runFunction(name, cluster, tools);
        results.push(result);
        log(`${result.passed ? "passed" : "failed"} ${result.name}: ${result.asserts} asserts, ${result.seconds} s`);
        if (!result.passed && result.why !== "") log(`  ${result.why.replaceAll("\n", "\n  ")}`);
      } finally {
        await cluster.stop();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Prints the summary; false when what passes is not what is known to pass. */
function summarise(results: readonly FunctionResult[], file: string): boolean {
  const known = namesIn(file);
  const passed = results.filter((result) => result.passed);
  const asserts = results.reduce((sum, result) => sum + result.asserts, 0);
  log(`${passed.length} of ${results.length} functions passed, with ${asserts} asserts`);
  const broken = results.filter((result) => !result.passed && known.has(result.name));
  const fresh = passed.filter((result) => !known.has(result.name) && !needsInternet.includes(result.name));
  if (fresh.length > 0) log(`passing now, to be added to test/kubectl/passing/${file}: ${namesOf(fresh)}`);
  if (broken.length > 0) log(`no longer passing: ${namesOf(broken)}`);
  const onReal = namesIn("real.txt");
  const left = results.filter((result) => !result.passed && onReal.has(result.name));
  if (left.length > 0) log(`known to pass on a real control plane: ${namesOf(left)}`);
  return broken.length === 0 && fresh.length === 0;
}

function namesOf(results: readonly FunctionResult[]): string {
  return results.map(({ name }) => name).join(" ");
}

/** Compares the commands on a real control plane and an embedded cluster, both with access control. */
async function runCommands(tools: { suite: string; programs: readonly string[] }, tokens: string, only: RegExp): Promise<boolean> {
  const real = await startRealSuiteCluster(await buildControlPlane(log), tokens, "RBAC");
  const embedded = await startEmbeddedSuiteCluster("RBAC");
  try {
    return await compareCommands({ real, embedded }, tools, only, log);
  } finally {
    await Promise.all([real.stop(), embedded.stop()]);
  }
}

async function main(): Promise<number> {
  const options = {
    real: { type: "boolean" },
    commands: { type: "boolean" },
    only: { type: "string" },
    logs: { type: "string" },
    help: { type: "boolean" },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help === true) {
    log(usage);
    return 0;
  }
  const { real = false, commands = false, only = "", logs } = values;
  if (logs !== undefined) mkdirSync(logs, { recursive: true });
  const suite = suiteFolder();
  const programs = await buildKubectl(log);
  const file = real ? "real.txt" : "embedded.txt";
  const tokens = join(suite, "hack/testdata/auth-tokens.csv");
  if (commands) return (await runCommands({ suite, programs }, tokens, new RegExp(only))) ? 0 : 1;
  const shared = real ? await startRealSuiteCluster(await buildControlPlane(log), tokens, "AlwaysAllow") : undefined;
  const start = shared === undefined ? () => startEmbeddedSuiteCluster("AlwaysAllow") : async () => ({ ...shared, stop: async () => {} });
  const names = suiteFunctions(suite).filter((name) => new RegExp(only).test(name));
  try {
    log(`kubectl's own suite: ${names.length} functions on ${real ? "a real control plane" : "the embedded cluster"}`);
    const results = await runAll(names, start, { suite, programs, logs }, real ? 1 : Math.min(availableParallelism() + 1, 4));
    return summarise(results, file) ? 0 : 1;
  } finally {
    await shared?.stop();
  }
}

// Listeners of "exit" end what the functions have started.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));

process.exitCode = await main();
