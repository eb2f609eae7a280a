import type { Cancel, Clock } from "../../core/clock/index.ts";
import { failedBecause, progressingBecause, type Health } from "../../health/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";

/** Finds out why nobody works on an object, since its controller does not run. Undefined when one runs, or that is not known. */
type AskAttendance = () => Promise<string | undefined>;

/** How to find out whether somebody works on the objects of a kind. Undefined for kinds whose controllers are not known. */
export type AttendanceOf = (kind: Pick<ObjectRef, "group" | "kind">) => AskAttendance | undefined;

/** A controller that runs has mostly looked at an object by then. */
const askAfterMs = 3_000;
/** How long nobody may work on an object: its controller may only just be starting. */
const unattendedMs = 120_000;

/**
 * Asks, while an object is not ready, whether anybody works on it. Nobody is a reason to wait at first, and later a failure. A
 * status that is not there yet does not count as one that never comes before the answer is known.
 */
export class Attendance {
  readonly #clock: Clock;
  readonly #ask: AskAttendance;
  readonly #evaluate: () => void;
  readonly #firstMs: number;
  #state: "unasked" | "asking" | "answered" = "unasked";
  #because: string | undefined;
  #isOver = false;
  #hasEnded = false;
  #cancel: Cancel = () => undefined;

  constructor(clock: Clock, ask: AskAttendance, evaluate: () => void, isSilent: boolean) {
    this.#clock = clock;
    this.#ask = ask;
    this.#evaluate = evaluate;
    this.#firstMs = isSilent ? 0 : askAfterMs;
  }

  apply(health: Health): Health {
    if (health.state !== "progressing") return health;
    if (this.#state === "unasked") {
      this.#state = "asking";
      this.#askAfter(this.#firstMs, () => this.#askAfter(unattendedMs - this.#firstMs, () => (this.#isOver = true)));
    }
    if (this.#because === undefined) return this.#state === "answered" ? health : progressingBecause(health.because);
    const because = `${health.because}: ${this.#because}`;
    return this.#isOver ? failedBecause(because) : progressingBecause(because);
  }

  end(): void {
    this.#hasEnded = true;
    this.#cancel();
  }

  #askAfter(ms: number, onUnattended: () => void): void {
    this.#cancel = this.#clock.after(ms, async () => {
      // A cluster that does not answer says so elsewhere.
      this.#because = await this.#ask().catch(() => undefined);
      if (this.#hasEnded) return;
      this.#state = "answered";
      if (this.#because !== undefined) onUnattended();
      this.#evaluate();
    });
  }
}
