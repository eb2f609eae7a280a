import type { Cancel, Clock } from "../core/clock/index.ts";
import type { Answer, Body, Chunk, Exchange, Request } from "../core/exchange/index.ts";
import { orAborted } from "./selection.ts";

/** How long a write that nobody waits for any more may take, until its request is given up. */
const graceMs = 20_000;

/**
 * Sends writes while they are allowed, and knows which of them are under way.
 *
 * Aborting a request does not take back what the server has received of it. A write that was sent is therefore let go to its
 * end, though its caller is told at once that it was aborted: whoever writes next waits for `settled`.
 */
export class WriteGate {
  readonly #assertOpen: () => void;
  readonly #underWay = new Set<Promise<unknown>>();

  /** `assertOpen` is called before every attempt to write. What it throws is thrown instead of sending it. */
  constructor(assertOpen: () => void = () => {}) {
    this.#assertOpen = assertOpen;
  }

  /** Resolves when every write that was sent has been answered or has failed. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  guard(exchange: Exchange, clock: Clock): Exchange {
    return async (request) => {
      if (request.method === "GET" || request.method === "HEAD") return exchange(request);
      request.signal.throwIfAborted();
      this.#assertOpen();
      const sent = send(exchange, request, clock);
      this.#underWay.add(sent);
      const forget = () => void this.#underWay.delete(sent);
      sent.then(forget, forget);
      return orAborted(sent, request.signal);
    };
  }
}

/** Sends a request whose signal ends the answer at once, but the wait for the answer only after a time of grace. */
async function send(exchange: Exchange, request: Request, clock: Clock): Promise<Answer> {
  const { signal } = request;
  const stop = new AbortController();
  let isAnswered = false;
  let cancel: Cancel | undefined;
  const end = () => stop.abort(signal.reason);
  const abort = () => {
    if (isAnswered) end();
    else cancel = clock.after(graceMs, end, { background: true });
  };
  const release = () => signal.removeEventListener("abort", abort);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const answer = await exchange({ ...request, signal: stop.signal });
    isAnswered = true;
    if (signal.aborted) end();
    if (!isComplete(answer.body)) return { ...answer, body: releasing(answer.body, release) };
    release();
    return answer;
  } catch (error) {
    release();
    throw error;
  } finally {
    cancel?.();
  }
}

function isComplete(body: Body): body is readonly Chunk[] {
  return Array.isArray(body);
}

async function* releasing(body: AsyncIterable<Chunk>, release: () => void): AsyncIterable<Chunk> {
  try {
    yield* body;
  } finally {
    release();
  }
}
