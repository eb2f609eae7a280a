import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";

/** A component of the control plane that runs in its own process. */
export type ControlPlaneProcess = {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** The last lines of its log. */
  logTail(): string;
  /** Sends SIGTERM, and SIGKILL when it has not ended within a few seconds. */
  stop(): Promise<void>;
};

/**
 * Starts `program name …flags`, with its log in `folder`. Its standard input is a pipe of this process, and it ends when the
 * pipe does, so that it does not outlive this process even if that is killed.
 */
export function startControlPlaneProcess(program: string, name: string, flags: readonly string[], folder: string): ControlPlaneProcess {
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, "a");
  const child = spawn(program, [name, ...flags], { stdio: ["pipe", log, log], env: { ...process.env, SLUICE_LEASH: "stdin" } });
  closeSync(log);
  let over = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      over = true;
      resolve();
    };
    child.once("exit", end);
    child.once("error", end);
  });
  return { name, pid: child.pid ?? 0, ended, hasEnded: () => over, logTail: () => tailOf(logFile), stop: () => stopped(child, ended) };
}

async function stopped(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const cancelled = AbortSignal.timeout(5000);
  const kill = () => child.kill("SIGKILL");
  cancelled.addEventListener("abort", kill, { once: true });
  await ended;
  cancelled.removeEventListener("abort", kill);
}

function tailOf(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-15).join("\n");
}

/** Ports that are free on loopback at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve, reject) => {
        server.once("error", reject);
        server.listen(0, "127.0.0.1", () => resolve(server));
      });
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Fault("find a free port", "no address");
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
