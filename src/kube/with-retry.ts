import { RealClock, sleep, type Clock } from "../core/clock/index.ts";
import type { Answer, Exchange, Request } from "../core/exchange/index.ts";
import { retryAfterOf } from "./api-fault.ts";
import { backoffMs } from "./backoff.ts";
import { readText } from "./body.ts";
import { ConnectionFault } from "./connection-fault.ts";

type RetryOptions = {
  readonly clock?: Clock;
  /** Between 0 and 1. Default: always one half, which means no jitter. */
  readonly random?: () => number;
  /** The maximum number of attempts for a request. Default 10, as in client-go. */
  readonly attempts?: number;
  /** Waits after a connection fault. Default: for the whole time, by the clock. */
  readonly backOff?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/**
 * Retries a request when that is safe and likely to help: when the server asks for it (429, or an error with
 * Retry-After), when the request never reached the server, and, for idempotent requests, when the connection broke.
 * Returns or throws the last result.
 */
export function withRetry(exchange: Exchange, options: RetryOptions = {}): Exchange {
  const { clock = new RealClock(), random = () => 0.5, attempts = 10 } = options;
  const pause = (ms: number, signal: AbortSignal) => sleep(clock, ms, signal);
  const { backOff = pause } = options;

  return async function send(request) {
    for (let attempt = 1; ; attempt++) {
      let waitMs: number | undefined;
      let wait = pause;
      try {
        const answer = await exchange(request);
        if (answer.status < 429) return answer;
        waitMs = attempt < attempts ? waitAfterAnswer(request, answer, attempt, random) : undefined;
        if (waitMs === undefined) return answer;
        await readText(answer.body); // an unread body would hold its stream open
      } catch (error) {
        wait = backOff;
        waitMs = attempt < attempts ? waitAfterFault(request, error, attempt, random) : undefined;
        if (waitMs === undefined || request.signal.aborted) throw error;
      }
      await wait(waitMs, request.signal);
    }
  };
}

/** The maximum number of attempts for an unavailable server that does not ask for a retry. */
const unaskedAttempts = 4;

function waitAfterAnswer(request: Request, answer: Answer, attempt: number, random: () => number): number | undefined {
  const asked = retryAfterOf(answer.headers);
  // Models client-go rest/with_retry.go checkWait
  if (asked !== undefined && (answer.status === 429 || answer.status >= 500)) return asked + backoffMs(1, random);
  if (answer.status === 429) return backoffMs(attempt, random);
  if (answer.status === 503 && mayRepeat(request) && attempt < unaskedAttempts) return backoffMs(attempt, random);
  return undefined;
}

function waitAfterFault(request: Request, error: unknown, attempt: number, random: () => number): number | undefined {
  if (!(error instanceof ConnectionFault) || !error.transient || attempt >= unaskedAttempts + 2) return undefined;
  return error.unsent || mayRepeat(request) ? backoffMs(attempt, random) : undefined;
}

/** Whether a request is idempotent: reads and server-side apply. A repeated delete could find its own effect. */
function mayRepeat({ method, headers }: Request): boolean {
  if (method === "GET" || method === "HEAD") return true;
  return method === "PATCH" && headers["content-type"] === "application/apply-patch+yaml";
}
