import { RealClock, sleep, type Clock, type VirtualClock } from "../../src/core/clock/index.ts";
import type { Answer, Body, Exchange, Request } from "../../src/core/exchange/index.ts";

/** A cluster under test, and how its time passes. */
export type ConformanceTarget = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Awaits `work`, moving the clock on where time does not pass by itself. */
  drive<T>(work: Promise<T>): Promise<T>;
};

/** A cluster whose time is everybody's. */
export function realTimeTarget(exchange: Exchange): ConformanceTarget {
  return { exchange, clock: new RealClock(), drive: (work) => work };
}

const isDone = () => true;

/**
 * A cluster in virtual time. Time stands still while an answer is on its way (`patienceMs`: how long that may take on a
 * socket; none in process) and goes on in small steps while the cluster has to do something first.
 */
export function virtualTimeTarget(
  exchange: Exchange,
  clock: VirtualClock,
  { patienceMs = 0 }: { patienceMs?: number } = {},
): ConformanceTarget {
  const real = new RealClock();
  const stepMs = 100;
  return {
    exchange,
    clock,
    async drive(work) {
      const settled = work.then(isDone, isDone);
      await clock.advance(0);
      while (!(await Promise.race([settled, patienceMs > 0 ? sleep(real, patienceMs) : undefined]))) await clock.advance(stepMs);
      return work;
    },
  };
}

/**
 * Asks again while the answer is one of `early`: a definition is established before its storage is (429), and before
 * every part of the server has heard of it (404). There is nothing to watch for that.
 */
export async function requestWithRetry(target: ConformanceTarget, request: Request, early: readonly number[] = [429]): Promise<Answer> {
  for (;;) {
    const answer = await target.exchange(request);
    if (!early.includes(answer.status)) return answer;
    await readBody(answer.body);
    await sleep(target.clock, 100, request.signal);
  }
}

/** The text of a body, piece by piece, whatever the pieces end in the middle of. */
export async function* bodyText(body: Body): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body) yield typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
}

/** A whole body, as JSON where it is JSON and as text where it is not. */
export async function readBody(body: Body): Promise<unknown> {
  let text = "";
  for await (const piece of bodyText(body)) text += piece;
  try {
    return JSON.parse(text);
  } catch {
    return text; // not every answer is JSON: logs, /healthz, unknown paths
  }
}

/** The JSON values of a body of lines. */
export async function* readJsonLines(body: Body): AsyncGenerator<unknown> {
  let rest = "";
  for await (const piece of bodyText(body)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
  }
}
