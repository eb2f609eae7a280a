import type { Clock } from "../../core/clock/index.ts";
import { matchKeyOf, type ReportOutline } from "./report-outline.ts";

/** More are forgotten, the oldest first. */
const maxSeen = 2000;

/** When objects began to match while somebody looked. Reports do not tell it. */
export class SeenMatches {
  readonly #clock: Clock;
  readonly #times = new Map<string, number>();
  #hasBegun = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What there was at first is known: whatever comes from now on is new. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** Compares a report with what it was before. */
  compare(before: ReportOutline | undefined, after: ReportOutline | undefined): void {
    if (!this.#hasBegun || after === undefined) return;
    const known = new Set(before?.refs.map(matchKeyOf));
    for (const ref of after.refs) if (!known.has(matchKeyOf(ref))) this.#add(keyOf(after.cluster, after.source, matchKeyOf(ref)));
  }

  /** When an object was seen to appear; undefined when it was there before. */
  at(cluster: string, source: string, match: string): number | undefined {
    return this.#times.get(keyOf(cluster, source, match));
  }

  #add(key: string): void {
    this.#times.delete(key);
    this.#times.set(key, this.#clock.now());
    if (this.#times.size > maxSeen) this.#times.delete(this.#times.keys().next().value!);
  }
}

function keyOf(cluster: string, source: string, match: string): string {
  return JSON.stringify([cluster, source, match]);
}
