import type { Cancel, Clock } from "../core/clock/index.ts";
import type { Exchange } from "../core/exchange/index.ts";
import { ConnectionFault } from "./connection-fault.ts";

/** A server that answers once more counts as back after this long without another failure. */
const settleMs = 250;

/**
 * Notices when a server that could not be reached answers again, by whichever request that is. Back-off makes those who
 * failed wait for as long as the outage has lasted; this ends their waits at once.
 */
export class OutageMonitor {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #isOut = false;
  #settling: Cancel | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The exchange with its results observed. Answers of any status count: only the lack of one is an outage. */
  observe(exchange: Exchange): Exchange {
    return (request) =>
      exchange(request).then(
        (answer) => {
          if (this.#isOut) this.#settle();
          return answer;
        },
        (error: unknown) => {
          if (error instanceof ConnectionFault) this.#fail();
          throw error;
        },
      );
  }

  /** Calls back whenever an outage is over, until the signal aborts. */
  onRecovery(listener: () => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  /** Resolves after `ms`, or when an outage is over. Rejects with the signal's reason. */
  backOff(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (then: () => void) => {
        cancel();
        this.#listeners.delete(wake);
        signal?.removeEventListener("abort", abort);
        then();
      };
      const wake = () => end(resolve);
      const abort = () => end(() => reject(signal?.reason));
      const cancel = this.#clock.after(ms, wake);
      this.#listeners.add(wake);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  #fail(): void {
    this.#isOut = true;
    this.#settling?.();
    this.#settling = undefined;
  }

  #settle(): void {
    this.#settling ??= this.#clock.after(settleMs, () => this.#recover(), { background: true });
  }

  #recover(): void {
    this.#settling = undefined;
    this.#isOut = false;
    for (const listener of this.#listeners) listener();
  }
}
