import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuMsOf } from "./process.ts";

/** A controller in its own process. */
export type ControllerProcess = {
  readonly pid: number;
  hasExited(): boolean;
  /** User and system, in milliseconds, so far. */
  cpuMs(): number;
  /** What it has written and read so far, which is mostly its connections. */
  bytes(): { readonly sent: number; readonly received: number };
  /** The peak memory, in MiB. */
  peakMiB(): number;
  /** Sends SIGTERM, as Kubernetes does, and waits until it has ended. */
  end(): Promise<void>;
};

const main = join(import.meta.dirname, "..", "src", "cli", "main.ts");

/** The folder for the controller's CPU profile, if any. */
const profileVariable = "SLUICE_BENCH_PROFILE";

type ControllerOptions = {
  /** Default: from the source. */
  readonly program?: string;
  /** Default: no probes. */
  readonly metricsAddress?: string;
  /** The file for its log. Default: the output of this process. */
  readonly log?: string;
};

/** Starts `sluice controller` outside of the management cluster that a kubeconfig names. */
export function startController(kubeconfig: string, { program = main, metricsAddress, log }: ControllerOptions = {}): ControllerProcess {
  const folder = process.env[profileVariable];
  const profiling = folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
  const flags = ["controller", "--kubeconfig", kubeconfig, "--install-definitions", "--log-level", "warn"];
  if (metricsAddress !== undefined) flags.push("--metrics-address", metricsAddress);
  const output = log === undefined ? "inherit" : openSync(log, "w");
  const child = spawn(process.execPath, [...profiling, program, ...flags], { stdio: ["ignore", output, output] });
  const exited = once(child, "exit");
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  process.once("SIGTERM", terminate);
  const pid = child.pid;
  if (pid === undefined) throw new Error("the controller could not be started");
  return {
    pid,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    cpuMs: () => cpuMsOf(pid),
    bytes: () => ({ sent: numberIn(`/proc/${pid}/io`, "wchar"), received: numberIn(`/proc/${pid}/io`, "rchar") }),
    peakMiB: () => numberIn(`/proc/${pid}/status`, "VmHWM") / 1024,
    async end() {
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await exited;
      process.removeListener("exit", kill);
      process.removeListener("SIGTERM", terminate);
    },
  };
}

/** A number of a file of the kernel, by its name. */
function numberIn(file: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(file, "utf8"))?.[1]);
}

/** Exits on SIGTERM, so that the exit handlers kill the child processes. */
function terminate(): void {
  process.exit(143);
}
