import { splitWords } from "./split-words.ts";

const completionNouns = new Set("run job task workflow experiment migration backup restore test execution build evaluation".split(" "));
const scheduleNouns = new Set("cron schedule scheduled".split(" "));

/** Tells whether a kind is named after something that comes to an end: for its objects, running is not there yet. */
export function runsToCompletion(kind: string): boolean {
  return completionNouns.has(splitWords(kind).at(-1) ?? "") && !runsOnSchedule(kind);
}

/** Tells whether a kind is named after something that starts others at set times. */
export function runsOnSchedule(kind: string): boolean {
  return splitWords(kind).some((word) => scheduleNouns.has(word));
}
