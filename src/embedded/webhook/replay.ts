import type { HttpsReply } from "../../core/exchange/index.ts";

/** A call that was made, under the uid of its review. `reply` is there once the webhook has answered. */
export type ReviewCall = { readonly uid: string; readonly done: Promise<void>; reply?: HttpsReply };

/** How long a write may take, and wait for webhooks. Models apiserver pkg/endpoints/handlers/rest.go requestTimeoutUpperBound */
export const longestWriteMs = 34_000;

/** Thrown by work that needs an answer which is not there yet. Whoever runs the work waits, and runs it again. */
export class PendingWebhooks extends Error {
  readonly calls: readonly ReviewCall[];

  constructor(calls: readonly ReviewCall[]) {
    super("webhooks have been called and have not answered");
    this.calls = calls;
  }

  /** Resolves when all of them have answered, which the work has then waited for. */
  async answered(work: Replay): Promise<void> {
    await Promise.all(this.calls.map(({ done }) => done));
    work.spend(Math.max(0, ...this.calls.map(({ reply }) => reply?.tookMs ?? 0)));
  }
}

/**
 * Work of the synchronous API server that webhooks take part in: a request, or the reconciliation of a key. It runs until it needs
 * an answer, and from its start again when the answer is there. It draws the same random numbers then and sees the same time, so
 * that it makes the same objects and asks the webhooks the same.
 */
export class Replay {
  readonly calls = new Map<string, ReviewCall>();
  /** How long one request of the work may wait for webhooks. */
  readonly boundMs: number;
  #spentMs = 0;
  readonly #results: unknown[] = [];
  #draws: number[] = [];
  #drawn = 0;
  #step = 0;
  #time: number | undefined;

  constructor(boundMs = longestWriteMs) {
    this.boundMs = boundMs;
  }

  /** How much longer the request may wait; zero or less when it is over. */
  get remainingMs(): number {
    return this.boundMs - this.#spentMs;
  }

  /** Notes how long the work has waited. */
  spend(ms: number): void {
    this.#spentMs += ms;
  }

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

  /** Forgets what it has drawn and waited: something was stored, and the next object is another one. */
  commit(): void {
    this.#spentMs = 0;
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
