import type { Answer, Headers } from "../../core/exchange/index.ts";

/** An answer that is JSON. Nobody keeps it: it is one visitor's. */
export function jsonAnswer(value: unknown, status = 200, headers: Headers = {}): Answer {
  return {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body: [JSON.stringify(value)],
  };
}

/** A refusal, which the page shows as it is. */
export function problemAnswer(status: number, message: string, headers: Headers = {}): Answer {
  return jsonAnswer({ message }, status, headers);
}
