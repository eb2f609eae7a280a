import type { Tone } from "./tone.ts";
import type { Weight } from "./weight.ts";

/** One thing that a status says of its object. */
export type Sign = {
  readonly tone: Tone;
  readonly weight: Weight;
  /** The reason to give when this sign decides. */
  readonly because: string;
  /** When it came to be so, as far as the status tells. */
  readonly since?: string;
};
