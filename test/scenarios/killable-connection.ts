import { sleep, type Clock } from "../../src/core/clock/index.ts";
import type { Answer, Exchange, Request } from "../../src/core/exchange/index.ts";

/** When to kill a process: after so many finished steps, or after so many writes before the response of the last one arrives. */
export type KillPoint = { readonly steps: number } | { readonly writes: number };

export type KillableConnectionOptions = {
  /** Kills the connection after so many writes. Default: never. */
  readonly lastWrite?: number;
  /** Delays every write by a tick of this clock, so that observers see a step before the next one starts. Default: no delay. */
  readonly slow?: Clock;
};

/**
 * The connection of one process to a cluster, which can be cut for good: no further request arrives and no further
 * response comes, as if the process was killed.
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

  /** How many writes were sent, without dry runs. */
  get writes(): number {
    return this.#writes;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves when it is killed. */
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
