import { failed, progressing, ready, type Health } from "./health.ts";
import type { Sign } from "./sign.ts";

/** Tells whether a summary says that the whole is good, and none says otherwise. */
export function isSettled(signs: readonly Sign[]): boolean {
  const summaries = summariesOf(signs);
  return summaries.length > 0 && summaries.every(({ tone }) => tone === "good");
}

/** The worst that is said decides, except for what a good summary has taken into account already. */
export function verdict(signs: readonly Sign[]): Health {
  const counting = isSettled(signs) ? outstanding(signs) : signs;
  const bad = counting.find(({ tone }) => tone === "bad");
  if (bad !== undefined) return failed(bad.because);
  const open = [...summariesOf(signs), ...counting].find(({ tone }) => tone !== "good");
  if (open !== undefined) return progressing(open.because);
  return signs.every(({ weight }) => weight === "step") ? progressing(`${signs.at(-1)?.because}, and no more yet`) : ready;
}

/** What counts beside a good summary. While one part is at work, another that failed may yet be tried again. */
function outstanding(signs: readonly Sign[]): readonly Sign[] {
  const summaries = summariesOf(signs);
  const claims = signs.filter((sign) => (sign.weight === "summary" || sign.weight === "claim") && !isOver(sign, summaries));
  const objections = signs.filter(({ weight }) => weight === "objection");
  const atWork = objections.filter(({ tone }) => tone === "busy");
  return [...claims, ...(atWork.length > 0 ? atWork : objections)];
}

function summariesOf(signs: readonly Sign[]): readonly Sign[] {
  return signs.filter(({ weight }) => weight === "summary");
}

/** Some kinds never take a condition of work back. When their state is good, what was said before is history. */
function isOver({ tone, since }: Sign, summaries: readonly Sign[]): boolean {
  if (tone !== "busy" || since === undefined) return false;
  return summaries.some((state) => state.since === undefined) && summaries.some((summary) => (summary.since ?? "") > since);
}
