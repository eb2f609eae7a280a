import { wordsOf } from "./words.ts";

const errands = new Set("run job task workflow experiment migration backup restore test execution build evaluation".split(" "));
const clocks = new Set("cron schedule scheduled".split(" "));

/** Tells whether a kind is named after something that comes to an end: for its objects, running is not there yet. */
export function endsByItself(kind: string): boolean {
  return errands.has(wordsOf(kind).at(-1) ?? "") && !runsByTheClock(kind);
}

/** Tells whether a kind is named after something that starts others at set times. */
export function runsByTheClock(kind: string): boolean {
  return wordsOf(kind).some((word) => clocks.has(word));
}
