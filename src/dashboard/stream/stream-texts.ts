import type { Clock } from "../../core/clock/index.ts";
import { RunOver, type Session } from "../session/session-store.ts";
import type { ViewReader } from "./view-reader.ts";

/** A proxy takes a silent connection for a dead one. */
const keepAliveMs = 20_000;
/** An empty view is not shown before it had the time to be read. */
const firstNewsMs = 1000;
/** How long a browser waits before it connects again, in ms. */
const retryMs = 1000;

type StreamOptions = {
  readonly clock: Clock;
  /** Whether all views have something to show. */
  readonly isReady: () => boolean;
  readonly session: Session;
  /** Aborts when the browser has left. */
  readonly signal: AbortSignal;
  readonly onEnd: () => void;
};

/** Wakes a stream that waits for news. */
export class StreamAlarm {
  #wake: (() => void) | undefined;
  #isRung = false;

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake?.();
  };

  /** Resolves when there are news, or after `ms`; says whether there are news. */
  async next(clock: Clock, ms: number): Promise<boolean> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const cancel = clock.after(ms, resolve, { background: true });
      await promise;
      cancel();
      this.#wake = undefined;
    }
    const isRung = this.#isRung;
    this.#isRung = false;
    return isRung;
  }
}

/** The texts of a stream of server-sent events. Each is made when the one before it was taken. Models the HTML standard, 9.2 */
export async function* streamTexts(readers: readonly ViewReader[], alarm: StreamAlarm, options: StreamOptions): AsyncGenerator<string> {
  const {
    clock,
    session: { signal: session },
    signal,
    isReady,
  } = options;
  for (const each of [session, signal]) each.addEventListener("abort", alarm.ring);
  try {
    yield `retry: ${retryMs}\n\n`;
    const emptyUntil = clock.now() + firstNewsMs;
    while (!session.aborted && !isReady() && !signal.aborted && clock.now() < emptyUntil) await alarm.next(clock, emptyUntil - clock.now());
    while (!signal.aborted && !session.aborted) {
      yield* newsOf(readers);
      if (session.aborted || signal.aborted) break;
      if (!(await alarm.next(clock, keepAliveMs))) yield ": still here\n\n";
    }
    if (session.aborted) {
      // The end of a run is shown, though its news and the end of the session arrive together.
      if (session.reason instanceof RunOver) yield* newsOf(readers);
      yield session.reason instanceof RunOver
        ? "event: over\ndata: {}\n\n"
        : `event: ended\ndata: ${JSON.stringify({ because: options.session.endText })}\n\n`;
    }
  } finally {
    for (const each of [session, signal]) each.removeEventListener("abort", alarm.ring);
    options.onEnd();
  }
}

function* newsOf(readers: readonly ViewReader[]): Generator<string> {
  for (const reader of readers) {
    for (const message of reader.messages()) {
      const isPart = message.type === "reset" && message.more === true;
      const id = isPart ? "" : `id: ${readers.map(({ positionText }) => positionText).join(",")}\n`;
      yield `${id}data: ${JSON.stringify(message)}\n\n`;
    }
  }
}
