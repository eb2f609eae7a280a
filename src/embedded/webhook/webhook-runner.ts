import type { SendHttpsPost, HttpsPost, HttpsReply } from "../../core/exchange/index.ts";
import { StatusError } from "../status-error.ts";
import { PendingWebhooks, Replay, type ReviewCall } from "./replay.ts";

/** How often a request may wait for webhooks. Others may change its object as often meanwhile, which makes it ask again. */
const maxRounds = 1000;

/** A review to be made: `key` is all that decides the answer, `call` the request with a uid of its own, within the time that is left. */
export type Review = { readonly key: string; readonly call: (uid: string, leftMs: number) => HttpsPost | HttpsReply };

/** A review that was answered. */
export type Reviewed = { readonly uid: string; readonly reply: HttpsReply };

/** The webhooks of a request took longer than a request may take. Models apimachinery pkg/api/errors NewTimeoutError */
export class DeadlineExceeded extends StatusError {
  /** How long it might have taken. */
  readonly boundMs: number;

  constructor(boundMs: number) {
    super(504, "Timeout", "Timeout: request did not complete within requested timeout - context deadline exceeded", {});
    this.boundMs = boundMs;
  }
}

type SettleOptions = {
  readonly signal: AbortSignal;
  /** How long the work may wait for webhooks. Default: as long as a write may take. */
  readonly boundMs?: number | undefined;
};

/** Runs work that webhooks take part in, and calls them. */
export class WebhookRunner {
  readonly #call: SendHttpsPost;
  readonly #random: () => number;
  readonly #newUid: () => string;
  readonly #now: () => number;
  #current: Replay | undefined;

  constructor(parts: { call: SendHttpsPost; random: () => number; newUid: () => string; now: () => number }) {
    this.#call = parts.call;
    this.#random = parts.random;
    this.#newUid = parts.newUid;
    this.#now = parts.now;
  }

  /** A random number, the same one whenever the work of a replay runs again. */
  readonly random = (): number => this.#current?.draw(this.#random) ?? this.#random();

  /** The time, the same one whenever the work of a replay runs again. */
  readonly now = (): number => this.#current?.timeOr(this.#now) ?? this.#now();

  commit(): void {
    this.#current?.commit();
  }

  once<T>(step: () => T): T {
    return this.#current === undefined ? step() : this.#current.once(step);
  }

  /** Runs work once. Throws PendingWebhooks when it needs answers that are not there. */
  run<T>(replay: Replay, work: () => T): T {
    const outer = this.#current;
    this.#current = replay;
    replay.rewind();
    try {
      return work();
    } finally {
      this.#current = outer;
    }
  }

  /** Runs work until it has all the answers that it needs. */
  async settle<T>(work: () => T, { signal, boundMs }: SettleOptions): Promise<T> {
    const replay = new Replay(boundMs);
    for (let round = 0; ; round++) {
      try {
        return this.run(replay, work);
      } catch (error) {
        if (!(error instanceof PendingWebhooks) || round === maxRounds) throw error;
        await error.answered(replay);
        signal.throwIfAborted();
      }
    }
  }

  /**
   * The answers to reviews, which are made at the same time. Throws PendingWebhooks until all of them are there, and
   * DeadlineExceeded when that took too long.
   */
  answers(reviews: readonly Review[]): readonly Reviewed[] {
    const replay = this.#current ?? new Replay();
    if (reviews.length > 0 && replay.remainingMs <= 0) throw new DeadlineExceeded(replay.boundMs);
    const calls = reviews.map((review) => this.#callOf(replay, review));
    const answered = calls.flatMap(({ uid, reply }) => (reply === undefined ? [] : [{ uid, reply }]));
    if (answered.length < calls.length) throw new PendingWebhooks(calls.filter(({ reply }) => reply === undefined));
    return answered;
  }

  #callOf(replay: Replay, { key, call }: Review): ReviewCall {
    const known = replay.calls.get(key);
    if (known !== undefined) return known;
    const uid = this.#newUid();
    const request = call(uid, replay.remainingMs);
    const made: ReviewCall =
      "url" in request
        ? { uid, done: this.#call(request).then((reply) => void (made.reply = reply)) }
        : { uid, done: Promise.resolve(), reply: request };
    replay.calls.set(key, made);
    return made;
  }
}
