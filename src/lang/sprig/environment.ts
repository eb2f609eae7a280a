import type { Zone } from "./time/zone.ts";

/** The clock and the randomness of the functions. */
export type Environment = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns `count` random bytes. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** The local time zone. Default: UTC. */
  readonly zone?: Zone;
};
