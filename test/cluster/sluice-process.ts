import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { freePorts } from "./control-plane-process.ts";

const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
const clock = new RealClock();
/** Ends the process when its standard input, a pipe of this process, closes, so that it does not outlive this process. */
const leash = `data:text/javascript,${encodeURIComponent("process.stdin.on('end', () => process.exit(1)).resume().unref()")}`;

/** Sluice in its own process, which does not outlive this one. */
export type SluiceProcess = {
  readonly pid: number;
  /** How it has ended without being told to: an exit code or a signal. Undefined while it runs. */
  endedBy(): string | undefined;
  /** The text of one of its pages: `/metrics`. */
  page(path: string): Promise<string>;
  /** Resolves when the page matches. */
  until(path: string, pattern: RegExp): Promise<void>;
  /** Sends SIGTERM and waits until it has ended. The answer is its exit code. */
  end(): Promise<number | null>;
  /** Stops it as SIGSTOP does, and lets it go on. */
  pause(): void;
  resume(): void;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
};

/** Runs `sluice controller` or `sluice agent`, as the user of a kubeconfig. `log`: an open file for a longer log. */
export async function startSluice(
  command: "controller" | "agent",
  kubeconfig: string,
  { log = "inherit" }: { log?: number | "inherit" } = {},
): Promise<SluiceProcess> {
  const [port] = await freePorts(1);
  const address = `127.0.0.1:${port}`;
  const flags = [command, "--kubeconfig", kubeconfig, "--metrics-address", address, "--log-level", log === "inherit" ? "warn" : "info"];
  const child = spawn(process.execPath, ["--import", leash, main, ...flags], { stdio: ["pipe", "inherit", log] });
  const exited = once(child, "exit");
  let endedBy: string | undefined;
  const unexpected = (code: number | null, signal: NodeJS.Signals | null) => {
    endedBy = String(signal ?? code);
    process.stderr.write(`sluice ${command} has ended by itself: ${endedBy}\n`);
  };
  child.once("exit", unexpected);
  const over = async (signal: NodeJS.Signals) => {
    child.removeListener("exit", unexpected);
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  const page = async (path: string) => (await fetch(`http://${address}${path}`)).text();
  return {
    pid: child.pid ?? 0,
    endedBy: () => endedBy,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    page,
    async until(path, pattern) {
      // The server does not listen before the process has started.
      while (!pattern.test(await page(path).catch(() => ""))) {
        if (child.exitCode !== null) throw new Error(`sluice ${command} has ended with ${child.exitCode}`);
        await sleep(clock, 100);
      }
    },
    end: () => over("SIGTERM"),
    kill: async () => void (await over("SIGKILL")),
  };
}
