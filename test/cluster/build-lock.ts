import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { sleep, type Clock } from "../../src/core/clock/index.ts";

/** Runs `work` while holding a lock file that names this process. The lock of a process that has ended does not count. */
export async function withBuildLock<T>(path: string, clock: Clock, log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  for (let logged = false; !taken(path); logged = true) {
    const holder = holderOf(path);
    if (holder !== undefined && !isProcessAlive(holder)) rmSync(path, { force: true });
    else if (!logged) log(`waiting for process ${holder ?? "unknown"}, which is building the same`);
    await sleep(clock, 500);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function taken(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function holderOf(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined; // released in the meantime
  }
}

/** Tells whether a process exists; signal 0 is not delivered. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
