import { closeSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { sleep, type Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { errorCodeOf } from "./file.ts";

const triesEveryMs = 20;
const longestWaitMs = 10_000;
/** The work takes a moment: who holds on for longer was killed. */
const staleAfterMs = 5000;

/** Does work on a file that no other Sluice does at the same time. It must not wait for anything itself. */
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

/** Given back in the meantime is as good as held since now. */
function heldSince(lock: string): number {
  return statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}
