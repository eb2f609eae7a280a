import { failed, progressing, ready, type Health } from "./health.ts";
import type { Sign } from "./sign.ts";

/** Tells whether a summary says that the whole is good, and none says otherwise. */
export function isSettled(signs: readonly Sign[]): boolean {
  const summaries = signs.filter(({ weight }) => weight === "summary");
  return summaries.length > 0 && summaries.every(({ tone }) => tone === "good");
}

/** The worst that is said decides, except for what a good summary has taken into account already. */
export function verdict(signs: readonly Sign[]): Health {
  const summaries = signs.filter(({ weight }) => weight === "summary");
  const counting = isSettled(signs) ? signs.filter((sign) => sign.weight !== "part" && !isOver(sign, summaries)) : signs;
  const bad = counting.find(({ tone }) => tone === "bad");
  if (bad !== undefined) return failed(bad.because);
  const open = [...summaries, ...counting].find(({ tone }) => tone !== "good");
  return open === undefined ? ready : progressing(open.because);
}

/** Some kinds never take a condition of work back. When their state is good, what was said before is history. */
function isOver({ tone, since }: Sign, summaries: readonly Sign[]): boolean {
  if (tone !== "busy" || since === undefined) return false;
  return summaries.some((state) => state.since === undefined) && summaries.some((summary) => (summary.since ?? "") > since);
}
