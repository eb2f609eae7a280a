import type { WebhookReply } from "../../core/exchange/index.ts";

/** A call that was made, under the uid of its review. `reply` is there once the webhook has answered. */
export type ReviewCall = { readonly uid: string; readonly done: Promise<void>; reply?: WebhookReply };

/** Thrown by work that needs an answer which is not there yet. Whoever runs the work waits, and runs it again. */
export class PendingWebhooks extends Error {
  readonly calls: readonly ReviewCall[];

  constructor(calls: readonly ReviewCall[]) {
    super("webhooks have been called and have not answered");
    this.calls = calls;
  }

  /** Resolves when all of them have answered. */
  async answered(): Promise<void> {
    await Promise.all(this.calls.map(({ done }) => done));
  }
}

/**
 * Work of the synchronous API server that webhooks take part in: a request, or the reconciliation of a key. It runs until it needs
 * an answer, and from its start again when the answer is there. It draws the same random numbers then and sees the same time, so
 * that it makes the same objects and asks the webhooks the same.
 */
export class Replay {
  readonly calls = new Map<string, ReviewCall>();
  readonly #results: unknown[] = [];
  #draws: number[] = [];
  #drawn = 0;
  #step = 0;
  #time: number | undefined;

  rewind(): void {
    this.#drawn = 0;
    this.#step = 0;
  }

  draw(random: () => number): number {
    const at = this.#drawn++;
    return (this.#draws[at] ??= random());
  }

  timeOr(now: () => number): number {
    return (this.#time ??= now());
  }

  /** Forgets what it has drawn: something was stored, and the next object is another one. */
  commit(): void {
    this.#draws = [];
    this.#drawn = 0;
    this.#time = undefined;
  }

  /** Does a step of the work once, and returns its result when the work runs again. */
  once<T>(step: () => T): T {
    const at = this.#step++;
    if (at < this.#results.length) return this.#results[at] as T;
    const result = step();
    this.#results.push(result);
    return result;
  }
}
