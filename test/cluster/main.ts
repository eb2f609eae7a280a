/**
 * `npm run test:cluster`: builds a real control plane, starts it, runs the conformance suite and the end-to-end tests on
 * it, and stops it.
 */
import { parseArgs } from "node:util";
import { Fault } from "../../src/core/fault/index.ts";
import { runConformance, recordConformance, type TestTally } from "./run-conformance.ts";
import { runEndToEnd } from "./run-end-to-end.ts";
import { openCurrentContext, startRealCluster, type RealCluster } from "./real-cluster.ts";
import { buildControlPlane } from "./toolchain.ts";

const usage = `usage: node test/cluster/main.ts [--record | --use-current] [--only PATTERN]
  --record       record the real control plane's answers anew instead of comparing with them; with --only, of these cases
  --use-current  run on the current context of the kubeconfig instead of a cluster of our own
  --only         only cases and test files whose name matches`;

const log = (line: string) => void process.stdout.write(`${line}\n`);

const interruptedCode = 130;

type Options = { readonly record: boolean; readonly useCurrent: boolean; readonly only: RegExp };

function optionsFrom(args: readonly string[]): Options | undefined {
  try {
    const options = { record: { type: "boolean" }, "use-current": { type: "boolean" }, only: { type: "string" } } as const;
    const { values } = parseArgs({ args: [...args], options });
    const { record = false, "use-current": useCurrent = false, only = "" } = values;
    return record && useCurrent ? undefined : { record, useCurrent, only: new RegExp(only) };
  } catch {
    return undefined; // an unknown flag or an invalid pattern: the usage is printed
  }
}

async function main(): Promise<number> {
  const options = optionsFrom(process.argv.slice(2));
  if (options === undefined) {
    log(usage);
    return 2;
  }
  return runOnCluster(await buildControlPlane(log), options);
}

async function runOnCluster(program: string, options: Options): Promise<number> {
  const broken: unknown[] = [];
  const underTest = options.useCurrent ? await openCurrentContext() : await startRealCluster(program, (error) => broken.push(error));
  const interruption = closeOnSignal(underTest);
  try {
    const tallies = await runSuites(underTest, program, options, interruption.signal);
    if (interruption.signal.aborted) return interruptedCode;
    for (const error of broken) log(`  FAILED the kubelet: ${error instanceof Error ? error.message : String(error)}`);
    const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
    const failed = tallies.reduce((sum, tally) => sum + tally.failed, broken.length);
    log(`${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    interruption.forget();
    await underTest.close();
  }
}

async function runSuites(underTest: RealCluster, program: string, options: Options, signal: AbortSignal): Promise<TestTally[]> {
  if (options.record) return [await recordConformance(underTest, options.only, log, signal)];
  const conformance = await runConformance(underTest, options.only, log, signal);
  return signal.aborted ? [] : [conformance, await runEndToEnd(underTest, program, options.only, log, signal)];
}

/** Stops the cluster when the process is interrupted, so that no process and no file is left. */
function closeOnSignal(underTest: RealCluster): { readonly signal: AbortSignal; forget(): void } {
  const interrupted = new AbortController();
  const leave = (signal: NodeJS.Signals) => {
    log(`stopped by ${signal}`);
    interrupted.abort();
    underTest.close().finally(() => process.exit(interruptedCode));
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, leave);
  return { signal: interrupted.signal, forget: () => signals.forEach((signal) => process.removeListener(signal, leave)) };
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Fault || !(error instanceof Error) ? String(error).replace(/^Fault: /, "") : error.stack}\n`);
  process.exitCode = 1;
}
