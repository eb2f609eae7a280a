import type { Tone } from "./tone.ts";

/**
 * How much a sign weighs. A `summary` speaks for the whole object. A `claim` speaks for the whole too, but of one thing only
 * (accepted, synced), so that it must hold beside the summary. A `part` speaks for a part, and a summary that is good
 * has taken it into account.
 */
export type Weight = "summary" | "claim" | "part";

/** One thing that a status says of its object. */
export type Sign = {
  readonly tone: Tone;
  readonly weight: Weight;
  /** The reason to give when this sign decides. */
  readonly because: string;
  /** When it came to be so, as far as the status tells. */
  readonly since?: string;
};
