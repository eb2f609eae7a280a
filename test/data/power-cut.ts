import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

/**
 * Takes from the logs what a power cut could take: of what no fsync has confirmed, all or the end from some byte on. Returns how
 * many bytes that were.
 */
export function cutPower(data: string, synced: string, random: () => number): number {
  const confirmed = new Map<string, number>();
  for (const line of existsSync(synced) ? readFileSync(synced, "utf8").split("\n") : []) {
    const [, path, length] = /^(.*) (\d+)$/.exec(line) ?? [];
    if (path !== undefined) confirmed.set(path, Math.max(confirmed.get(path) ?? 0, Number(length)));
  }
  let taken = 0;
  for (const name of readdirSync(data).filter((each) => /^log-\d+$/.test(each))) {
    const path = join(data, name);
    const kept = confirmed.get(path);
    // A log of an earlier run, or one that its process has not begun to use.
    if (kept === undefined) continue;
    const unconfirmed = statSync(path).size - kept;
    const lost = random() < 0.5 ? unconfirmed : Math.floor(random() * (unconfirmed + 1));
    truncateSync(path, statSync(path).size - lost);
    taken += lost;
  }
  rmSync(synced, { force: true });
  return taken;
}
