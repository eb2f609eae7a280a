import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";

const pattern = /^(.*)@(.*) \(process (\d+), .*\)$/;

/** Identifies this process as the holder of a lock, in words for users who wait for it. */
export function processIdentity(command: string): string {
  return `${userName()}@${hostname()} (process ${process.pid}, ${command}, ${randomUUID().slice(0, 8)})`;
}

/** Tells whether the holder of a lock has ended. Known only of processes of the same machine and user. */
export function hasDied(holder: string): boolean {
  const [, user, host, pid] = pattern.exec(holder) ?? [];
  if (host !== hostname() || user !== userName()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** In a container the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "somebody");
  }
}
