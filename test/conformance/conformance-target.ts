import { RealClock, sleep, type Clock, type VirtualClock } from "../../src/core/clock/index.ts";
import type { ScriptedWebhook } from "./scripted-webhook.ts";
import type { Answer, Body, Exchange, Request } from "../../src/core/exchange/index.ts";

/** A cluster under test and its clock. */
export type ConformanceTarget = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Awaits `work`, and advances the clock where time is virtual. */
  drive<T>(work: Promise<T>): Promise<T>;
  /** The webhook that cases configure. */
  readonly webhook?: ScriptedWebhook;
};

/** A cluster in real time. */
export function realTimeTarget(exchange: Exchange, webhook: ScriptedWebhook): ConformanceTarget {
  return { exchange, clock: new RealClock(), drive: (work) => work, webhook };
}

const isDone = () => true;
const realClock = new RealClock();

/**
 * A cluster in virtual time. The clock stops while a response is on its way (`responseMs`: how long nothing happens on a socket
 * before one counts as not coming; zero in process) and advances in small steps while the cluster has work to do.
 */
export function virtualTimeTarget(
  exchange: Exchange,
  clock: VirtualClock,
  { responseMs = 0, webhook }: { responseMs?: number; webhook?: ScriptedWebhook } = {},
): ConformanceTarget {
  const stepMs = 100;
  return {
    exchange,
    clock,
    ...(webhook === undefined ? {} : { webhook }),
    async drive(work) {
      const settled = work.then(isDone, isDone);
      await clock.advance(0);
      while (!(await Promise.race([settled, responseMs > 0 ? idle(responseMs) : undefined]))) await clock.advance(stepMs);
      return work;
    },
  };
}

/** Waits until this process, which is both ends of the socket, was idle for most of `ms`. */
async function idle(ms: number): Promise<void> {
  for (;;) {
    const before = performance.eventLoopUtilization();
    await sleep(realClock, ms);
    if (performance.eventLoopUtilization(before).active < ms / 2) return;
  }
}

/**
 * Repeats a request while its status is one of `early`. A CRD is established before its storage is ready (429) and before all
 * of the server serves it (404), and there is nothing to watch for that.
 */
export async function requestWithRetry(target: ConformanceTarget, request: Request, early: readonly number[] = [429]): Promise<Answer> {
  for (;;) {
    const answer = await target.exchange(request);
    if (!early.includes(answer.status)) return answer;
    await readBody(answer.body);
    await sleep(target.clock, 100, request.signal);
  }
}

/** The text of a body in pieces. A piece may end within a character. */
async function* bodyText(body: Body): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body) yield typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
}

/** Reads a whole body, as JSON where it is JSON and as text where it is not. */
export async function readBody(body: Body): Promise<unknown> {
  let text = "";
  for await (const piece of bodyText(body)) text += piece;
  try {
    return JSON.parse(text);
  } catch {
    return text; // not every answer is JSON: logs, /healthz, unknown paths
  }
}

/** Reads the JSON values of a body of lines. */
export async function* readJsonLines(body: Body): AsyncGenerator<unknown> {
  let rest = "";
  for await (const piece of bodyText(body)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
  }
}
