import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../core/clock/index.ts";
import type { Visitor } from "../visitor/visitor.ts";

/** Why a session ends: the run is over that the dashboard was there for. */
export class RunOver extends Error {
  override readonly name = "RunOver";
}

/** Why a session has ended, as its visitor is told. */
const sessionEnds = {
  expired: "Your session has expired. Sign in again.",
  refused: "The cluster no longer accepts your token: it has expired or was withdrawn. Sign in with another one.",
  left: "You have signed out.",
  forgotten: "Your session has ended. Sign in again.",
} as const;

/** A visitor who is signed in. Whatever belongs to the session ends with its signal. */
export class Session {
  readonly visitor: Visitor;
  /** When it ends by itself; undefined: with the dashboard. */
  readonly expiresAtMs: number | undefined;
  readonly #ended = new AbortController();

  constructor(visitor: Visitor, expiresAtMs: number | undefined) {
    this.visitor = visitor;
    this.expiresAtMs = expiresAtMs;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Ends it everywhere: its streams, and what it looks at. The reason is told to the visitor, but for the end of a run. */
  end(because: Error | keyof typeof sessionEnds = "forgotten"): void {
    this.#ended.abort(typeof because === "string" ? new Error(sessionEnds[because]) : because);
    this.visitor.close();
  }

  /** Why it has ended. */
  get endText(): string {
    const { reason } = this.signal;
    return reason instanceof Error ? reason.message : sessionEnds.forgotten;
  }
}

type SessionStoreOptions = {
  readonly clock: Clock;
  /** Default 1,000. */
  readonly maxSessions?: number;
};

/**
 * The sessions of a dashboard, in memory only. Each is found by a secret of 256 bits that only its browser has. The hash of the
 * secret is the key, so that the time of a search says nothing about secrets.
 */
export class SessionStore {
  readonly #clock: Clock;
  readonly #maxSessions: number;
  readonly #sessions = new Map<string, Session>();
  /** Why the latest ones have ended: browsers that come back ask. */
  readonly #ended = new Map<string, string>();

  constructor({ clock, maxSessions = 1000 }: SessionStoreOptions) {
    this.#clock = clock;
    this.#maxSessions = maxSessions;
  }

  get isFull(): boolean {
    return this.#sessions.size >= this.#maxSessions;
  }

  /** Begins a session and returns its secret, which is not kept. */
  begin(visitor: Visitor, expiresAtMs: number | undefined): { readonly secret: string; readonly session: Session } {
    const secret = randomBytes(32).toString("base64url");
    const session = new Session(visitor, expiresAtMs);
    const key = keyOf(secret);
    this.#sessions.set(key, session);
    const cancel =
      expiresAtMs === undefined
        ? () => undefined
        : this.#clock.after(expiresAtMs - this.#clock.now(), () => session.end("expired"), { background: true });
    session.signal.addEventListener("abort", () => {
      cancel();
      this.#sessions.delete(key);
      this.#ended.set(key, session.endText);
      const [oldest] = this.#ended.keys();
      if (this.#ended.size > this.#maxSessions && oldest !== undefined) this.#ended.delete(oldest);
    });
    return { secret, session };
  }

  find(secret: string | undefined): Session | undefined {
    return secret === undefined ? undefined : this.#sessions.get(keyOf(secret));
  }

  /** Why the session of a secret has ended; undefined for whoever had none. */
  endTextOf(secret: string | undefined): string | undefined {
    return secret === undefined ? undefined : (this.#ended.get(keyOf(secret)) ?? sessionEnds.forgotten);
  }

  endAll(because?: Error): void {
    for (const session of this.#sessions.values()) session.end(because);
  }
}

function keyOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
