import { splitWords } from "./split-words.ts";

const completionNouns = new Set("run job task workflow experiment migration backup restore test execution build evaluation".split(" "));
const scheduleNouns = new Set("cron schedule scheduled".split(" "));

/** Whether a kind's name says that its objects run to completion. For them, running is not ready. */
export function runsToCompletion(kind: string): boolean {
  return completionNouns.has(splitWords(kind).at(-1) ?? "") && !runsOnSchedule(kind);
}

/** Whether a kind's name says that it starts others on a schedule. */
export function runsOnSchedule(kind: string): boolean {
  return splitWords(kind).some((word) => scheduleNouns.has(word));
}
