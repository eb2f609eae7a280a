import type { Cancel, Clock } from "./clock.ts";
import { Heap } from "./heap.ts";

type Timer = { at: number; order: number; fire: (() => void) | undefined; background: boolean };

/**
 * Time that advances only on request: a day takes a moment, and a program sees the same times in every run.
 *
 * Timers fire by time, then by creation. Between two instants all ready promises continue first, so awaiting code and
 * timers always interleave in the same order.
 */
export class VirtualClock implements Clock {
  readonly #timers = new Heap<Timer>((a, b) => a.at - b.at || a.order - b.order);
  #now: number;
  #order = 0;
  #foreground = 0;
  #jumping = false;
  readonly #jump: boolean;

  /** `jump`: advance to the next timer whenever nothing else can happen. Otherwise time waits for `advance` or `settle`. */
  constructor({ start = Date.UTC(2030, 0, 1), jump = false }: { start?: number; jump?: boolean } = {}) {
    this.#now = start;
    this.#jump = jump;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, fire: () => void, { background = false }: { background?: boolean } = {}): Cancel {
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, fire, background };
    this.#timers.push(timer);
    if (!background) this.#foreground++;
    if (this.#jump) this.#startJumping();
    return () => this.#drop(timer);
  }

  /** Advances by `ms` and fires the timers that fall due. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await idle();
    for (let next = this.#peek(); next !== undefined && next.at <= until; next = this.#peek()) {
      this.#fireAllAt(next.at);
      await idle();
    }
    this.#now = until;
  }

  /** Jumps from timer to timer until only background timers are left or `withinMs` have passed. Returns whether none is left. */
  async settle({ withinMs = Infinity }: { withinMs?: number } = {}): Promise<boolean> {
    const until = this.#now + withinMs;
    await idle();
    while (this.#foreground > 0) {
      const next = this.#peek()!;
      if (next.at > until) return false;
      this.#fireAllAt(next.at);
      await idle();
    }
    return true;
  }

  /** Jumps until `work` has settled, and returns its result. Fails when no timer is left that could settle it. */
  async until<T>(work: Promise<T>): Promise<T> {
    const outcome = { settled: false };
    const settle = () => {
      outcome.settled = true;
    };
    work.then(settle, settle);
    await idle();
    while (!outcome.settled) {
      const next = this.#peek();
      if (next === undefined) throw new Error("the clock has no timer left, and what is waited for has not happened");
      this.#fireAllAt(next.at);
      await idle();
    }
    return work;
  }

  #startJumping(): void {
    if (this.#jumping) return;
    this.#jumping = true;
    void this.#jumpOn();
  }

  async #jumpOn(): Promise<void> {
    while (this.#foreground > 0) await this.settle();
    this.#jumping = false;
  }

  #peek(): Timer | undefined {
    let next = this.#timers.peek();
    while (next !== undefined && next.fire === undefined) {
      this.#timers.pop();
      next = this.#timers.peek();
    }
    return next;
  }

  /** Fires all timers of one instant in one turn, including those they schedule for the same instant. */
  #fireAllAt(at: number): void {
    this.#now = Math.max(this.#now, at);
    for (let next = this.#peek(); next !== undefined && next.at <= this.#now; next = this.#peek()) {
      this.#timers.pop();
      const { fire } = next;
      this.#drop(next);
      fire?.();
    }
  }

  #drop(timer: Timer): void {
    if (timer.fire === undefined) return;
    timer.fire = undefined;
    if (!timer.background) this.#foreground--;
  }
}

/** Resolves after all ready promises have continued: a macrotask runs after all microtasks. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
