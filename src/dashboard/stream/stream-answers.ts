import type { Clock } from "../../core/clock/index.ts";
import type { Answer, IncomingRequest } from "../../core/exchange/index.ts";
import { viewAt } from "../api/index.ts";
import { problemAnswer } from "../http/answers.ts";
import type { Session } from "../session/session-store.ts";
import type { Visitor } from "../visitor/visitor.ts";
import type { OpenView } from "../visitor/live-views.ts";
import { gzipTexts } from "./gzip-texts.ts";
import { positionsIn } from "./stream-position.ts";
import { StreamAlarm, streamTexts } from "./stream-texts.ts";
import { ViewReader } from "./view-reader.ts";

export type StreamLimits = {
  /** Default 50: the tabs of one browser. */
  readonly perSession?: number;
  /** Default 1,200. */
  readonly inAll?: number;
};

/** The views of one page. */
const maxViews = 8;

type StreamAnswerOptions = { readonly clock: Clock; readonly limits: StreamLimits; readonly compress: boolean };

/** Answers `/api/stream?view=…&view=…`: views as they are, and every change of them. */
export class StreamAnswers {
  readonly #options: StreamAnswerOptions;
  readonly #counts = new Map<Session, number>();
  #count = 0;
  #onNone: (() => void) | undefined;

  constructor(options: StreamAnswerOptions) {
    this.#options = options;
  }

  /** How many streams are open. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when no stream is open, or when the time is up. */
  async ended(ms: number): Promise<void> {
    if (this.#count === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onNone = resolve;
    const cancel = this.#options.clock.after(ms, resolve);
    await promise;
    cancel();
  }

  answer({ headers, path, signal }: IncomingRequest, session: Session): Answer {
    const paths = new URL(path, "http://localhost").searchParams.getAll("view");
    const refusal = this.#refusal(paths, session);
    if (refusal !== undefined) return refusal;
    const views = openViews(paths, session.visitor);
    if ("message" in views) return problemAnswer(views.status, views.message);
    const alarm = new StreamAlarm();
    const from = positionsIn(headers["last-event-id"]);
    const readers = views.opened.map((view, at) => new ViewReader(paths[at] ?? "", view, from[at], alarm.ring));
    const isReady = () => views.opened.every(({ live }) => live.hasNews);
    const onEnd = this.#begin(readers, session);
    // A browser that leaves before the answer has begun ends it too.
    signal.addEventListener("abort", onEnd, { once: true });
    const texts = streamTexts(readers, alarm, { clock: this.#options.clock, session, signal, isReady, onEnd });
    const isZipped = this.#options.compress && /\bgzip\b/.test(headers["accept-encoding"] ?? "");
    return {
      status: 200,
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store, no-transform",
        // Asks nginx to pass on what arrives.
        "x-accel-buffering": "no",
        ...(isZipped ? { "content-encoding": "gzip", vary: "accept-encoding" } : {}),
      },
      body: isZipped ? gzipTexts(texts) : texts,
    };
  }

  #refusal(paths: readonly string[], session: Session): Answer | undefined {
    const { perSession = 50, inAll = 1200 } = this.#options.limits;
    if (paths.length === 0 || paths.length > maxViews) return problemAnswer(400, `Ask for 1 to ${maxViews} views.`);
    if ((this.#counts.get(session) ?? 0) >= perSession)
      return problemAnswer(
        429,
        `This session has ${perSession} pages open, which is the most it may have. Close some of them.`,
        retryLater,
      );
    if (this.#count >= inAll)
      return problemAnswer(503, `${inAll} pages of all visitors are open, which is the most there may be.`, retryLater);
    return undefined;
  }

  /** Counts a stream until the returned function is called. */
  #begin(readers: readonly ViewReader[], session: Session): () => void {
    let isOpen = true;
    this.#add(session, 1);
    return () => {
      if (isOpen) this.#add(session, -1);
      isOpen = false;
      for (const reader of readers) reader.close();
    };
  }

  #add(session: Session, change: 1 | -1): void {
    this.#count += change;
    if (this.#count === 0) this.#onNone?.();
    const count = (this.#counts.get(session) ?? 0) + change;
    if (count === 0) this.#counts.delete(session);
    else this.#counts.set(session, count);
  }
}

const retryLater = { "retry-after": "10" };

type OpenedViews = { readonly opened: readonly OpenView[] } | { readonly status: number; readonly message: string };

function openViews(paths: readonly string[], visitor: Visitor): OpenedViews {
  const opened: OpenView[] = [];
  const refuse = (status: number, message: string): OpenedViews => {
    for (const view of opened) view.close();
    return { status, message };
  };
  for (const path of paths) {
    const view = viewAt(path);
    if (view === undefined) return refuse(404, "There is no such view.");
    if (!visitor.hasContext(view.context)) return refuse(404, `There is no cluster ${view.context} here.`);
    const open = visitor.view(path, view);
    if (open === undefined) return refuse(429, "This session looks at too many views at once. Close some pages.");
    opened.push(open);
  }
  return { opened };
}
