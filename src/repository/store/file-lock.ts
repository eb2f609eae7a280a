import { closeSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { sleep, type Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { errorCodeOf } from "./file.ts";

const triesEveryMs = 20;
const longestWaitMs = 10_000;
/** Work under the lock is short. A lock that is held longer belongs to a killed process. */
const staleAfterMs = 5000;

/** Runs work on a file under a lock that excludes other Sluice processes. The work must be synchronous. */
export async function withFileLock<Result>(file: string, clock: Clock, signal: AbortSignal, work: () => Result): Promise<Result> {
  const lock = `${file}.held`;
  mkdirSync(dirname(file), { recursive: true });
  for (const until = clock.now() + longestWaitMs; !tryLock(lock); await sleep(clock, triesEveryMs, signal)) {
    if (heldSince(lock) < clock.now() - staleAfterMs) rmSync(lock, { force: true });
    if (clock.now() > until)
      throw new Fault(`change ${file}`, `another process holds ${lock}: remove it if there is none`, { final: true });
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if (errorCodeOf(error) === "EEXIST") return false;
    throw new Fault(`write ${lock}`, error, { final: true });
  }
}

/** A lock that was just released counts as held since now. */
function heldSince(lock: string): number {
  return statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}
