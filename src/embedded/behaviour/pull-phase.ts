import type { ImagePull } from "./behaviour.ts";
import type { Chance } from "./chance.ts";
import { sample } from "./duration.ts";

const firstBackoffMs = 10_000;
const longestBackoffMs = 300_000;

/** From a failed pull to the kubelet reporting the back-off: one round of its event loop. */
const nextSyncMs = 1000;

/** The back-off after `failures` failures, for images and for crashed containers. Models client-go util/flowcontrol/backoff.go */
export function kubeletBackoffMs(failures: number): number {
  return Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
}

/** The state of an image pull: which attempt, since when, until when. */
type PullPhase = {
  readonly state: "pulling" | "failed" | "waiting" | "pulled";
  readonly attempt: number;
  readonly from: number;
  readonly until: number;
  /** How long this try takes or took. */
  readonly tookMs: number;
};

/** The state at `now` of a pull that began at `begin`. It follows from the times alone, so nothing is stored. */
export function pullPhase(pull: ImagePull, begin: number, now: number, chance: Chance, container: string): PullPhase {
  let from = begin;
  for (let attempt = 0; ; attempt++) {
    const tookMs = sample(pull.after, chance(`pull ${container} ${attempt}`));
    const until = from + tookMs;
    const fails = pull.fail !== undefined && attempt < (pull.times ?? Infinity);
    if (!fails && now >= until) return { state: "pulled", attempt, from, until, tookMs };
    if (now < until) return { state: "pulling", attempt, from, until, tookMs };
    if (now < until + nextSyncMs) return { state: "failed", attempt, from: until, until: until + nextSyncMs, tookMs };
    const retry = until + kubeletBackoffMs(attempt + 1);
    if (now < retry) return { state: "waiting", attempt, from: until + nextSyncMs, until: retry, tookMs };
    from = retry;
  }
}
