import type { Answer, Exchange, Request } from "../../src/exchange/index.ts";

/** When whoever works dies: after so many finished steps, or when so many writes were carried out and the last one's answer is still on its way. */
export type Death = { readonly steps: number } | { readonly writes: number };

/**
 * The way of one process to a cluster, which can be cut for good: from then on nothing that it sends arrives and nothing
 * that it waits for comes, as if the process had been killed.
 */
export class Mortal {
  readonly #exchange: Exchange;
  readonly #lastWrite: number;
  readonly #dead = new AbortController();
  readonly #died = Promise.withResolvers<void>();
  #writes = 0;

  constructor(exchange: Exchange, { lastWrite = Infinity }: { readonly lastWrite?: number } = {}) {
    this.#exchange = exchange;
    this.#lastWrite = lastWrite;
  }

  /** How many writes were sent, dry runs aside. */
  get writes(): number {
    return this.#writes;
  }

  get signal(): AbortSignal {
    return this.#dead.signal;
  }

  /** Resolves when it has died. */
  get died(): Promise<void> {
    return this.#died.promise;
  }

  die(): void {
    this.#dead.abort(new Error("killed"));
    this.#died.resolve();
  }

  readonly exchange: Exchange = async (request) => {
    if (this.#dead.signal.aborted) return forever();
    const isLast = isWrite(request) && ++this.#writes === this.#lastWrite;
    const answer = await this.#exchange({ ...request, signal: AbortSignal.any([request.signal, this.#dead.signal]) });
    if (isLast) this.die();
    return this.#dead.signal.aborted ? forever() : answer;
  };
}

function isWrite({ method, path }: Request): boolean {
  return method !== "GET" && method !== "HEAD" && !path.includes("dryRun=");
}

function forever(): Promise<Answer> {
  return new Promise(() => {});
}
