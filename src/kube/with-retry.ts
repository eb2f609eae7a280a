import { RealClock, sleep, type Clock } from "../core/clock/index.ts";
import type { Answer, Exchange, Request } from "../core/exchange/index.ts";
import { retryAfterOf } from "./api-fault.ts";
import { backoffMs } from "./backoff.ts";
import { readText } from "./body.ts";
import { ConnectionFault } from "./connection-fault.ts";

export type RetryOptions = {
  readonly clock?: Clock;
  /** Between 0 and 1. Default: always one half, which is no jitter. */
  readonly random?: () => number;
  /** How often a request is sent at most. Default 10, as client-go does. */
  readonly attempts?: number;
};

/**
 * Sends a request again when that is safe and likely to help: when the server says so (429, or an error with
 * Retry-After), when the request never reached it, and, for requests that may be repeated, when the connection broke.
 * The last answer or fault is what comes out.
 */
export function withRetry(exchange: Exchange, options: RetryOptions = {}): Exchange {
  const { clock = new RealClock(), random = () => 0.5, attempts = 10 } = options;

  return async function send(request) {
    for (let attempt = 1; ; attempt++) {
      let waitMs: number | undefined;
      try {
        const answer = await exchange(request);
        if (answer.status < 429) return answer;
        waitMs = attempt < attempts ? waitAfterAnswer(request, answer, attempt, random) : undefined;
        if (waitMs === undefined) return answer;
        await readText(answer.body); // a body that nobody reads would hold its stream open
      } catch (error) {
        waitMs = attempt < attempts ? waitAfterFault(request, error, attempt, random) : undefined;
        if (waitMs === undefined || request.signal.aborted) throw error;
      }
      await sleep(clock, waitMs, request.signal);
    }
  };
}

/** Beyond what the server asks for itself, an unavailable server is given this many chances. */
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

/** Reading, and applying: it says what should be, so saying it twice changes nothing. A repeated delete could find what it did itself. */
function mayRepeat({ method, headers }: Request): boolean {
  if (method === "GET" || method === "HEAD") return true;
  return method === "PATCH" && headers["content-type"] === "application/apply-patch+yaml";
}
