import type { Clock } from "../../core/clock/index.ts";
import type { Answer, IncomingRequest } from "../../core/exchange/index.ts";
import { isFields } from "../../core/object/index.ts";
import type { SessionInfo, SignInRequest } from "../api/index.ts";
import { jsonAnswer, problemAnswer } from "../http/answers.ts";
import { readJsonBody } from "../http/read-json-body.ts";
import { sessionCookie, sessionSecretOf } from "../http/session-cookie.ts";
import { AttemptLimit } from "./attempt-limit.ts";
import type { Session, SessionStore } from "./session-store.ts";
import type { SignIn } from "./sign-in.ts";

type SessionAnswerOptions = {
  readonly signIn: SignIn;
  readonly sessions: SessionStore;
  readonly version: string;
  readonly clock: Clock;
};

const maxBodyBytes = 128 * 1024;

/** Answers `/api/session`: who is signed in (GET), signing in (POST) and out (DELETE). */
export class SessionAnswers {
  readonly #options: SessionAnswerOptions;
  readonly #attempts: AttemptLimit;

  constructor(options: SessionAnswerOptions) {
    this.#options = options;
    this.#attempts = new AttemptLimit(options.clock);
  }

  async answer(request: IncomingRequest): Promise<Answer> {
    const { sessions } = this.#options;
    const secret = sessionSecretOf(request);
    const session = sessions.find(secret);
    switch (request.method) {
      case "GET":
        return jsonAnswer(this.#info(session, sessions.endTextOf(secret)));
      case "POST":
        return this.#signIn(request, session);
      case "DELETE":
        session?.end("left");
        return jsonAnswer(this.#info(undefined), 200, sessionCookie(request, undefined));
      default:
        return problemAnswer(405, "A session is read, begun with POST and ended with DELETE.");
    }
  }

  async #signIn(request: IncomingRequest, previous: Session | undefined): Promise<Answer> {
    const address = request.peer?.address ?? "";
    const waitMs = this.#attempts.waitMs(address);
    if (waitMs > 0) return tooManyAttempts(waitMs);
    const { signIn, sessions } = this.#options;
    if (sessions.isFull) return problemAnswer(503, "Too many visitors are signed in. Try again later.");
    const body = await readJsonBody(request, maxBodyBytes);
    if ("refusal" in body) return body.refusal;
    const credentials = credentialsIn(body.value);
    if (credentials === undefined) return problemAnswer(400, "Send a code or a token.");
    const result = await signIn.accept(credentials, request.signal);
    if ("refusal" in result) {
      this.#attempts.addFailure(address);
      return problemAnswer(result.status ?? 401, result.refusal);
    }
    // Whoever signs in anew has left the session before it.
    previous?.end();
    const { secret, session } = sessions.begin(result.visitor, result.expiresAtMs);
    // A token that the cluster does not accept any more is of no use. A kubeconfig can be mended.
    if (signIn.mode === "token") result.visitor.onUnauthorized(() => session.end("refused"));
    return jsonAnswer(this.#info(session), 200, sessionCookie(request, secret));
  }

  #info(session: Session | undefined, ended?: string): SessionInfo {
    const { signIn, version } = this.#options;
    if (session === undefined) return { mode: signIn.mode, version, signedIn: false, ...(ended === undefined ? {} : { ended }) };
    const { user, contexts, namespaces } = session.visitor;
    const until = session.expiresAtMs === undefined ? {} : { expiresAtMs: session.expiresAtMs };
    return { mode: signIn.mode, version, signedIn: true, user, contexts, namespaces, ...until };
  }
}

function tooManyAttempts(waitMs: number): Answer {
  const seconds = Math.ceil(waitMs / 1000);
  return problemAnswer(429, `Too many attempts have failed. Try again in ${seconds} s.`, { "retry-after": String(seconds) });
}

function credentialsIn(value: unknown): SignInRequest | undefined {
  if (!isFields(value)) return undefined;
  const { code, token, namespaces = [] } = value;
  if (typeof code === "string") return { code };
  const isList = Array.isArray(namespaces) && namespaces.every((name) => typeof name === "string");
  return typeof token === "string" && isList ? { token, namespaces } : undefined;
}
