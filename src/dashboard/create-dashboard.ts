import type { Clock } from "../core/clock/index.ts";
import type { Answer, Handler, IncomingRequest } from "../core/exchange/index.ts";
import type { ActionHandler } from "./actions.ts";
import type { TaskRunner } from "../worker/index.ts";
import { problemAnswer } from "./http/answers.ts";
import { isAllowedHost, isCrossSite } from "./http/check-request.ts";
import { PageFiles, type PageFile } from "./http/page-files.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { sessionSecretOf } from "./http/session-cookie.ts";
import { RequestAnswers } from "./request-answers.ts";
import { SessionAnswers } from "./session/session-answers.ts";
import { RunOver, SessionStore } from "./session/session-store.ts";
import type { SignIn } from "./session/sign-in.ts";
import { StreamAnswers, type StreamLimits } from "./stream/stream-answers.ts";

type DashboardOptions = {
  readonly clock: Clock;
  readonly signIn: SignIn;
  readonly page: readonly PageFile[];
  /** The names that the dashboard may be called by, such as `localhost:8080`. Without a port: by any. */
  readonly hosts: () => readonly string[];
  readonly version: string;
  /** Whether streams and answers are compressed, for browsers that are not on this machine. Default false. */
  readonly compress?: boolean;
  readonly limits?: StreamLimits;
  /** Runs scripts of others in processes with limits. Default: they are not run. */
  readonly tasks?: TaskRunner;
  /** What can be done with POST, by name. Default: nothing. */
  readonly actions?: Readonly<Record<string, ActionHandler>>;
};

/** A dashboard: what answers its requests, and its end. */
type Dashboard = {
  readonly handler: Handler;
  /** How many streams are open. */
  readonly streams: () => number;
  /** Ends all sessions and requests. Pages are told when a run is over that the dashboard was there for. Default: it was for none. */
  readonly close: (options?: { readonly isRunOver?: boolean }) => void;
  /** Resolves when all streams have ended after that, or when the time is up. */
  readonly ended: (ms: number) => Promise<void>;
};

/** Answers requests of the page, each as the visitor who is signed in. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const { clock, signIn, page, hosts, version, compress = false, limits = {}, actions = {}, tasks } = options;
  const sessions = new SessionStore({ clock });
  const files = new PageFiles(page);
  const streams = new StreamAnswers({ clock, limits, compress });
  const ended = new AbortController();
  const requests = new RequestAnswers({ clock, actions, compress, signal: ended.signal, tasks });
  const sessionAnswers = new SessionAnswers({ signIn, sessions, version, clock });

  async function answer(request: IncomingRequest): Promise<Answer> {
    const { method, headers } = request;
    const [path = ""] = request.path.split("?", 1);
    // Probes come to the address of a pod, and learn nothing.
    if (path === "/healthz" || path === "/readyz") return plain(200, "ok\n");
    if (!isAllowedHost(headers["host"], hosts()))
      return plain(
        421,
        "This dashboard is not called by this name. Call it by the address that it has printed, or by one of its --hosts.\n",
      );
    if (!path.startsWith("/api/"))
      return method === "GET" || method === "HEAD" ? files.answer(path, headers) : plain(405, "only to be read\n");
    if (isCrossSite(method, headers)) return problemAnswer(403, "This request comes from another site.");
    if (path === "/api/session") return sessionAnswers.answer(request);
    const session = sessions.find(sessionSecretOf(request));
    if (session === undefined) return problemAnswer(401, "Nobody is signed in.");
    if (path === "/api/stream") return method === "GET" ? streams.answer(request, session) : problemAnswer(405, "A stream is read.");
    return requests.answer(request, session);
  }

  return {
    handler: async (request) => {
      const { status, headers, body } = await answer(request);
      return { status, headers: { ...securityHeaders, ...headers }, body: request.method === "HEAD" ? [] : body };
    },
    streams: () => streams.count,
    ended: (ms) => streams.ended(ms),
    close: ({ isRunOver = false } = {}) => {
      sessions.endAll(isRunOver ? new RunOver() : undefined);
      ended.abort(new Error("the dashboard has ended"));
    },
  };
}

function plain(status: number, text: string): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" }, body: [text] };
}
