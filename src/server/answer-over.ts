import type { Http2ServerResponse } from "node:http2";
import type { Clock } from "../core/clock/index.ts";
import type { Handler, IncomingRequest } from "../core/exchange/index.ts";
import { hasBody, RequestBody, type ServerRequest } from "./incoming-body.ts";
import { writeAnswer } from "./write-answer.ts";

type AnswerOptions = {
  readonly clock: Clock;
  /** How long a client may take nothing of an answer. Default: that of `writeAnswer`. */
  readonly stalledMs?: number;
  /** What the handler is asked, without its body; undefined when the request has been refused. */
  readonly requestOf: (signal: AbortSignal) => Omit<IncomingRequest, "body"> | undefined;
  /** What is sent when the handler fails. */
  readonly failure: (error: unknown) => { readonly type: string; readonly text: string };
};

/** Has a handler answer a request. The signal of what it is asked aborts when the client leaves before all is sent. */
export async function answerOver(
  handler: Handler,
  request: ServerRequest,
  response: Http2ServerResponse,
  { clock, stalledMs, requestOf, failure }: AnswerOptions,
): Promise<void> {
  const ended = new AbortController();
  let isAnswered = false;
  // Nobody waits for the end of a whole answer, and an abort that nobody hears is not free.
  response.once("close", () => isAnswered || ended.abort());
  const body = hasBody(request) ? new RequestBody(request, response, clock) : undefined;
  try {
    const sent = requestOf(ended.signal);
    if (sent === undefined) return;
    const answer = await handler(body === undefined ? sent : { ...sent, body });
    const limit = stalledMs === undefined ? {} : { stalledMs };
    await writeAnswer(answer, response, { signal: ended.signal, clock, received: body, ...limit });
    isAnswered = true;
  } catch (error) {
    if (ended.signal.aborted) return;
    const { type, text } = failure(error);
    if (!response.headersSent) response.writeHead(500, { "content-type": type });
    response.end(text);
  }
}
