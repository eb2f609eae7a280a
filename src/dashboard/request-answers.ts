import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Clock } from "../core/clock/index.ts";
import type { Answer, IncomingRequest } from "../core/exchange/index.ts";
import { isApiFault, isUnauthorized } from "../kube/index.ts";
import type { ActionHandler } from "./actions.ts";
import { jsonAnswer, problemAnswer } from "./http/answers.ts";
import { faultAnswer } from "./http/fault-answer.ts";
import { readJsonBody } from "./http/read-json-body.ts";
import type { TaskRunner } from "../worker/index.ts";
import { requests } from "./requests.ts";
import type { Session } from "./session/session-store.ts";

type RequestAnswerOptions = {
  /** Runs scripts of others in processes with limits. */
  readonly tasks?: TaskRunner | undefined;
  readonly clock: Clock;
  readonly actions: Readonly<Record<string, ActionHandler>>;
  readonly compress: boolean;
  /** Aborts when the dashboard ends. */
  readonly signal: AbortSignal;
};

const pattern = /^\/api\/c\/([^/]+)\/(?:(\w+)|actions\/([\w-]+))$/;
const maxActionBytes = 64 * 1024;
/** Less is not worth compressing. */
const minZippedLength = 2048;
const zip = promisify(gzip);

/** Answers `/api/c/CONTEXT/NAME` and `/api/c/CONTEXT/actions/NAME`, as the visitor of a session. */
export class RequestAnswers {
  readonly #options: RequestAnswerOptions;

  constructor(options: RequestAnswerOptions) {
    this.#options = options;
  }

  async answer(request: IncomingRequest, session: Session): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.path, "http://localhost");
    const [, word = "", name, action] = pattern.exec(pathname) ?? [];
    const context = decoded(word);
    if (name === undefined && action === undefined) return problemAnswer(404, "There is no such request.");
    if (!session.visitor.hasContext(context)) return problemAnswer(404, `There is no cluster ${context} here.`);
    try {
      if (action !== undefined) return await this.#act(request, session, context, action);
      return await this.#read(request, session, context, { name: name ?? "", query: searchParams });
    } catch (error) {
      if (isApiFault(error) && isUnauthorized(error)) session.visitor.reportUnauthorized();
      return faultAnswer(error);
    }
  }

  async #read(
    { method, headers, signal }: IncomingRequest,
    { visitor }: Session,
    context: string,
    { name, query }: { readonly name: string; readonly query: URLSearchParams },
  ): Promise<Answer> {
    if (method !== "GET") return problemAnswer(405, "This is only to be read.");
    const read = Object.hasOwn(requests, name) ? requests[name] : undefined;
    if (read === undefined) return problemAnswer(404, "There is no such request.");
    const { cluster, openManaged } = await visitor.visit(context);
    const answer = jsonAnswer(await read(query, { cluster, openManaged, signal, tasks: this.#options.tasks }));
    return this.#options.compress && /\bgzip\b/.test(headers["accept-encoding"] ?? "") ? zipped(answer) : answer;
  }

  async #act(request: IncomingRequest, { visitor }: Session, context: string, name: string): Promise<Answer> {
    if (request.method !== "POST") return problemAnswer(405, "An action is done with POST.");
    const { actions, clock, signal } = this.#options;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) return problemAnswer(404, "There is no such action.");
    const body = await readJsonBody(request, action.maxBytes ?? maxActionBytes);
    if ("refusal" in body) return body.refusal;
    const { cluster } = await visitor.visit(context);
    return jsonAnswer((await action.run(body.value, { cluster, context, user: visitor.user, clock, signal })) ?? {});
  }
}

async function zipped(answer: Answer): Promise<Answer> {
  const [text] = Array.isArray(answer.body) ? answer.body : [];
  if (typeof text !== "string" || text.length < minZippedLength) return answer;
  return { ...answer, headers: { ...answer.headers, "content-encoding": "gzip", vary: "accept-encoding" }, body: [await zip(text)] };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return ""; // no context has this name
  }
}
