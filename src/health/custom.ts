import { fieldsAt, type KubeObject } from "../object/index.ts";
import { failed, progressing, ready, readyWith, type Health, type KindFacts } from "./health.ts";
import type { Sign } from "./sign.ts";
import { signsOf } from "./status-signs.ts";
import { suspension } from "./suspension.ts";

/** Judges an object of a kind that nothing is known of, by the conventions that statuses follow. */
export function custom(object: KubeObject, { hasStatus }: KindFacts): Health {
  const suspended = suspension(object);
  if (suspended !== undefined) return readyWith(suspended);
  const status = fieldsAt(object, "status");
  if (Object.keys(status).length === 0) return hasStatus ? silent("no status yet") : ready;
  const signs = signsOf(object);
  if (signs.length > 0) return verdict(signs);
  return "observedGeneration" in status || !hasStatus ? ready : silent("its status does not say how it is doing");
}

function silent(because: string): Health {
  return { state: "progressing", because, silent: true };
}

/** The worst that is said decides, except for what a good summary has taken into account already. */
function verdict(signs: readonly Sign[]): Health {
  const summaries = signs.filter(({ weight }) => weight === "summary");
  const settled = summaries.length > 0 && summaries.every(({ tone }) => tone === "good");
  const counting = settled ? signs.filter((sign) => sign.weight !== "part" && !isOver(sign, summaries)) : signs;
  const working = counting.some(({ tone, weight }) => tone === "busy" && weight === "claim");
  const bad = counting.find(({ tone, wanting }) => tone === "bad" && !(working && wanting === true));
  if (bad !== undefined) return failed(bad.because);
  const open = [...summaries, ...counting].find(({ tone }) => tone !== "good");
  return open === undefined ? ready : progressing(open.because);
}

/** Some kinds never take back that work is under way; then what was said last holds. */
function isOver({ tone, since }: Sign, summaries: readonly Sign[]): boolean {
  return tone === "busy" && since !== undefined && summaries.some((summary) => (summary.since ?? "") > since);
}
