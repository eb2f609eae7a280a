import { splitWords } from "./split-words.ts";

/**
 * How much a sign weighs. A `summary` speaks for the whole object. A `claim` speaks for the whole too, but of one thing only
 * (accepted, synced), so that it must hold beside the summary. A `part` speaks for a part, and a summary that is good
 * has taken it into account. An `objection` is a part's own word against that. A `step` is no more than a beginning: on its own it does not make an object ready.
 */
export type SignalWeight = "summary" | "claim" | "part" | "objection" | "step";

const summaries = new Set("ready available healthy succeeded complete completed compliant finished successful".split(" "));
const claims = new Set("synced reconciled accepted programmed established valid applied deployed installed admitted".split(" "));

/** How much good news of this name weighs. What is said in more than one word is about a part: `BackupReady`. */
export function weightOfName(name: string): SignalWeight {
  const [word = "", ...more] = splitWords(name);
  if (more.length > 0) return "part";
  return summaries.has(word) ? "summary" : claims.has(word) ? "claim" : "part";
}

const beginnings = new Set(
  "approved created initialized launched planned registered requested scheduled started submitted triggered".split(" "),
);

/** Tells whether a condition of this name only tells how far things have come. As a phase the same word is where they are. */
export function isBeginning(type: string): boolean {
  return beginnings.has(splitWords(type).join(" "));
}
