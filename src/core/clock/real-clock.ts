import type { Cancel, Clock } from "./clock.ts";

/** setTimeout fires at once for longer delays, so these are split. */
const longestMs = 2 ** 31 - 1;

/** The machine's own time, or that time accelerated by `speed` from creation on. */
export class RealClock implements Clock {
  readonly #speed: number;
  readonly #startedAt = Date.now();

  constructor({ speed = 1 }: { speed?: number } = {}) {
    this.#speed = speed;
  }

  now(): number {
    const real = Date.now();
    return this.#speed === 1 ? real : this.#startedAt + (real - this.#startedAt) * this.#speed;
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
