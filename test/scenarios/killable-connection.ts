import { sleep, type Clock } from "../../src/core/clock/index.ts";
import type { Answer, Exchange, Request } from "../../src/core/exchange/index.ts";

/** When whoever works dies: after so many finished steps, or when so many writes were carried out and the last one's answer is still on its way. */
export type KillPoint = { readonly steps: number } | { readonly writes: number };

export type KillableConnectionOptions = {
  /** Dies when so many writes were carried out. Default: never. */
  readonly lastWrite?: number;
  /** Every write is a moment of this clock on its way, so that whoever looks on hears of a step before the next one is taken. Default: none. */
  readonly slow?: Clock;
};

/**
 * The way of one process to a cluster, which can be cut for good: from then on nothing that it sends arrives and nothing
 * that it waits for comes, as if the process had been killed.
 */
export class KillableConnection {
  readonly #exchange: Exchange;
  readonly #lastWrite: number;
  readonly #slow: Clock | undefined;
  readonly #stop = new AbortController();
  readonly #killed = Promise.withResolvers<void>();
  #writes = 0;

  constructor(exchange: Exchange, { lastWrite = Infinity, slow }: KillableConnectionOptions = {}) {
    this.#exchange = exchange;
    this.#lastWrite = lastWrite;
    this.#slow = slow;
  }

  /** How many writes were sent, dry runs aside. */
  get writes(): number {
    return this.#writes;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves when it has died. */
  get killed(): Promise<void> {
    return this.#killed.promise;
  }

  kill(): void {
    this.#stop.abort(new Error("killed"));
    this.#killed.resolve();
  }

  readonly exchange: Exchange = async (request) => {
    if (this.#slow !== undefined && isWrite(request)) await sleep(this.#slow, 1);
    if (this.#stop.signal.aborted) return forever();
    const isLast = isWrite(request) && ++this.#writes === this.#lastWrite;
    const answer = await this.#exchange({ ...request, signal: AbortSignal.any([request.signal, this.#stop.signal]) });
    if (isLast) this.kill();
    return this.#stop.signal.aborted ? forever() : answer;
  };
}

function isWrite({ method, path }: Request): boolean {
  return method !== "GET" && method !== "HEAD" && !path.includes("dryRun=");
}

function forever(): Promise<Answer> {
  return new Promise(() => {});
}
