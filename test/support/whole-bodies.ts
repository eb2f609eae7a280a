import type { Exchange, Handler } from "../../src/core/exchange/index.ts";

const maxBytes = 16 * 1024 * 1024;
const timeoutMs = 60_000;

/** Serves an exchange that takes its bodies whole. */
export function withWholeBodies(exchange: Exchange): Handler {
  return async ({ body, ...request }) => {
    const whole = typeof body === "object" && "read" in body ? await body.read(maxBytes, timeoutMs) : body;
    return exchange(whole === undefined ? request : { ...request, body: whole });
  };
}
