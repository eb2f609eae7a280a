import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";

const pattern = /^(.*)@(.*) \(process (\d+), .*\)$/;

/** Names this process among all that may work on a release, in words for those who wait for it. */
export function processIdentity(command: string): string {
  return `${userName()}@${hostname()} (process ${process.pid}, ${command}, ${randomUUID().slice(0, 8)})`;
}

/** Knows of the processes of this machine, and of this user, whether they have ended. */
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

/** Whoever runs in a container may have no name there. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "somebody");
  }
}
