import type { Tone } from "./tone.ts";

/** One thing that a status says of its object. */
export type Sign = {
  readonly tone: Tone;
  /** The reason to give when this sign decides. */
  readonly because: string;
  /** It speaks for the whole object and not for a part of it. */
  readonly whole: boolean;
  /** When it came to be so, as far as the status tells. */
  readonly since?: string;
};
