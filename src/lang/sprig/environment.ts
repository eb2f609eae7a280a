import type { Zone } from "./time/zone.ts";

/** What the functions are handed of the world outside. */
export type Environment = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** So many bytes of chance. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** The time zone in which a date is meant that says none; UTC where nothing else is known. */
  readonly zone?: Zone;
};
