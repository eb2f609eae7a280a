import type { Cancel, Clock } from "./clock.ts";

/** setTimeout fires at once for longer delays, so these are split. */
const longestMs = 2 ** 31 - 1;

/**
 * The machine's own time, or that time accelerated by `speed` from creation on. With `notBefore` it begins there when the
 * machine's time is earlier.
 */
export class RealClock implements Clock {
  readonly #speed: number;
  readonly #startedAt = Date.now();
  readonly #ahead: number;

  constructor({ speed = 1, notBefore = 0 }: { speed?: number; notBefore?: number } = {}) {
    this.#speed = speed;
    this.#ahead = Math.max(0, notBefore - this.#startedAt);
  }

  now(): number {
    const real = Date.now();
    return this.#ahead + (this.#speed === 1 ? real : this.#startedAt + (real - this.#startedAt) * this.#speed);
  }

  after(ms: number, fire: () => void, { background = false }: { background?: boolean } = {}): Cancel {
    let timer: NodeJS.Timeout;
    const arm = (leftMs: number) => {
      timer = leftMs > longestMs ? setTimeout(() => arm(leftMs - longestMs), longestMs) : setTimeout(fire, leftMs);
      if (background) timer.unref();
    };
    arm(Math.max(0, ms) / this.#speed);
    return () => clearTimeout(timer);
  }
}
