import { LruCache } from "../core/cache/index.ts";
import type { Clock } from "../core/clock/index.ts";

type Entry = { readonly reason: string; readonly times: number; readonly since: number; readonly until: number };

type QuarantineOptions = {
  /** How often is not held against it. Default: never. */
  readonly tolerated?: number;
  /** The first pause, which doubles each time. Default: 10 s, up to 10 minutes. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** When the last time is so long ago, all is forgotten. Default: never. */
  readonly forgottenAfterMs?: number;
};

/** What has ended a worker, and when it is tried again: after a pause that doubles each time. */
export class Quarantine {
  readonly #clock: Clock;
  readonly #options: Required<QuarantineOptions>;
  readonly #entries = new LruCache<string, Entry>({ maxEntries: 10_000 });

  constructor(clock: Clock, options: QuarantineOptions = {}) {
    this.#clock = clock;
    this.#options = { tolerated: 0, firstPauseMs: 10_000, longestPauseMs: 600_000, forgottenAfterMs: Infinity, ...options };
  }

  /** Why a subject is set aside, and until when; undefined when it may be tried. */
  find(subject: string): Entry | undefined {
    const entry = this.#entries.get(subject);
    return entry !== undefined && entry.until > this.#clock.now() ? entry : undefined;
  }

  add(subject: string, reason: string): Entry {
    const { tolerated, firstPauseMs, longestPauseMs, forgottenAfterMs } = this.#options;
    const now = this.#clock.now();
    const before = this.#entries.get(subject);
    const times = before === undefined || now - before.since > forgottenAfterMs ? 1 : before.times + 1;
    const pauseMs = times <= tolerated ? 0 : Math.min(firstPauseMs * 2 ** (times - tolerated - 1), longestPauseMs);
    const entry = { reason, times, since: now, until: now + pauseMs };
    this.#entries.set(subject, entry);
    return entry;
  }

  release(subject: string): void {
    this.#entries.delete(subject);
  }
}
