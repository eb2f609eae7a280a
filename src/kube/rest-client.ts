import { jsonValueOf, type Answer, type Body, type Exchange, type Headers } from "../core/exchange/index.ts";
import { Fault } from "../core/fault/index.ts";
import { AnswerTooLargeFault } from "./answer-limit.ts";
import { apiFaultOf } from "./api-fault.ts";
import { readText } from "./body.ts";
import { ConnectionFault } from "./connection-fault.ts";
import { readJson } from "./json.ts";

/** One request. `doing` starts the message of every fault. */
export type RestRequest = {
  readonly doing: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string;
  /** Told how long an answer is before it is read as JSON; may throw. */
  readonly measure?: (length: number) => void;
  readonly signal?: AbortSignal | undefined;
};

/** Sends requests. Every response that is not a success is thrown as a fault. */
export type RestClient = {
  /** Reads the response as JSON. */
  json(call: RestRequest): Promise<unknown>;
  /** Returns the response before its body has arrived. */
  open(call: RestRequest): Promise<Answer>;
};

const accept: Headers = { accept: "application/json" };
const never = new AbortController().signal;

/** `warn` receives the text of each Warning header. */
export function restClientOver(exchange: Exchange, warn?: (warning: string) => void): RestClient {
  async function open(call: RestRequest): Promise<Answer> {
    const answer = await send(call);
    if (warn !== undefined && answer.headers["warning"] !== undefined) for (const text of warningsIn(answer.headers["warning"])) warn(text);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw apiFaultOf(call.doing, { status: answer.status, headers: answer.headers, text: await readRefusal(answer.body, call.signal) });
  }

  async function send({ doing, method, path, headers = accept, body, signal = never }: RestRequest): Promise<Answer> {
    try {
      return await exchange(body === undefined ? { method, path, headers, signal } : { method, path, headers, body, signal });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw prefixFault(doing, error);
    }
  }

  async function json(call: RestRequest): Promise<unknown> {
    const answer = await open(call);
    const value = jsonValueOf(answer.body);
    if (value !== undefined) return value;
    let text: string;
    try {
      text = await readText(answer.body);
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason;
      throw prefixFault(call.doing, error);
    }
    call.measure?.(text.length);
    return parse(call.doing, answer, text);
  }

  return { json, open };
}

/** The text of a refusal. A server may close the connections of strangers before the text has arrived: its status says enough. */
async function readRefusal(body: Body, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await readText(body);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ConnectionFault) return "";
    throw error;
  }
}

/** Prefixes the message of a fault with what was being done. The type stays the same, so callers can still match it. */
export function prefixFault(doing: string, error: unknown): unknown {
  if (error instanceof Fault && error.message.startsWith(doing)) return error;
  if (error instanceof AnswerTooLargeFault) return new AnswerTooLargeFault(`${doing}: ${error.message}`);
  if (!(error instanceof ConnectionFault)) return error instanceof Fault ? new Fault(doing, error) : error;
  return new ConnectionFault(`${doing}: ${error.message}`, {
    code: error.code,
    unsent: error.unsent,
    transient: error.transient,
    cause: error,
  });
}

function parse(doing: string, answer: Answer, text: string): unknown {
  try {
    return readJson(text);
  } catch (cause) {
    const type = answer.headers["content-type"] ?? "no content type";
    if (/html/.test(type)) throw new Fault(`${doing}: the answer is a web page, which no API server sends: check the server's address`);
    throw new Fault(`${doing}: the answer (${type}, ${text.length} characters) is no JSON`, cause);
  }
}

/** The texts of a Warning header: `299 - "unknown field \"spec.foo\""`, several joined by commas. */
function warningsIn(header: string): string[] {
  return [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
}
