import { splitWords } from "./split-words.ts";

/**
 * How much a signal counts. A `summary` is about the whole object. A `claim` is about the whole too, but about one
 * aspect (accepted, synced), so it must hold beside the summary. A `part` is about a part, and a good summary covers
 * it. An `objection` is a part that contradicts a summary. A `step` is only a beginning: alone it does not make an
 * object ready.
 */
export type SignalWeight = "summary" | "claim" | "part" | "objection" | "step";

const summaries = new Set("ready available healthy succeeded complete completed compliant finished successful".split(" "));
const claims = new Set("synced reconciled accepted programmed established valid applied deployed installed admitted".split(" "));

/** The weight of a good name. A compound is about a part: `BackupReady`. */
export function weightOfName(name: string): SignalWeight {
  const [word = "", ...more] = splitWords(name);
  if (more.length > 0) return "part";
  return summaries.has(word) ? "summary" : claims.has(word) ? "claim" : "part";
}

const beginnings = new Set(
  "approved created initialized launched planned registered requested scheduled started submitted triggered".split(" "),
);

/** Whether a condition of this name only reports an intermediate step. As a phase the same word is the current state. */
export function isBeginning(type: string): boolean {
  return beginnings.has(splitWords(type).join(" "));
}
