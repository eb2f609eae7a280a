import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuMsOf } from "./process.ts";

/** A controller that runs as a process of its own. */
export type ControllerProcess = {
  /** User and system, in milliseconds, so far. */
  cpuMs(): number;
  /** The most memory that it has had at once, in MiB. */
  peakMiB(): number;
  /** Tells it to end, as Kubernetes does, and waits until it has. */
  end(): Promise<void>;
};

const main = join(import.meta.dirname, "..", "src", "cli", "main.ts");

/** Where the controller's CPU profile goes, if anywhere. */
const profileVariable = "SLUICE_BENCH_PROFILE";

/** Starts `sluice controller` beside the management cluster that a kubeconfig names, as somebody does from outside of it. */
export function startController(kubeconfig: string): ControllerProcess {
  const folder = process.env[profileVariable];
  const profiling = folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
  const flags = ["controller", "--kubeconfig", kubeconfig, "--install-definitions", "--log-level", "warn"];
  const child = spawn(process.execPath, [...profiling, main, ...flags], { stdio: ["ignore", "inherit", "inherit"] });
  const exited = once(child, "exit");
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  process.once("SIGTERM", terminate);
  const pid = child.pid;
  if (pid === undefined) throw new Error("the controller could not be started");
  return {
    cpuMs: () => cpuMsOf(pid),
    peakMiB: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
    async end() {
      child.kill();
      await exited;
      process.removeListener("exit", kill);
      process.removeListener("SIGTERM", terminate);
    },
  };
}

/** A signal alone would end this process without a word to those that it has started. */
function terminate(): void {
  process.exit(143);
}
