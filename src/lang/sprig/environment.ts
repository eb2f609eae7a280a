import type { Zone } from "./time/zone.ts";

/** The clock and the randomness of the functions. */
export type Environment = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns `count` random bytes. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** The local time zone. Default: UTC. */
  readonly zone?: Zone;
  /** Milliseconds of the processor that this process has used. Limits are of these. Default: `now`, for limits of time. */
  readonly cpuMs?: () => number;
};

/** Starts to measure what limits are of: the answer tells how many milliseconds were used since. */
export function startStopwatch({ now, cpuMs = now }: Environment): () => number {
  const startedAt = cpuMs();
  return () => cpuMs() - startedAt;
}
