import type { Clock } from "../../core/clock/index.ts";
import { isFields, stringAt, subdomainProblems } from "../../core/object/index.ts";
import { readJson, type Cluster } from "../../kube/index.ts";
import type { ActionList } from "../action/action-list.ts";
import type { SignInRequest } from "../api/index.ts";
import { Visitor } from "../visitor/visitor.ts";
import type { SignIn, SignInResult } from "./sign-in.ts";
import { tokenExpiryMs } from "./token-expiry.ts";

type TokenSignInOptions = {
  readonly clock: Clock;
  /** What the cluster is called in addresses. */
  readonly context: string;
  /** A client of the cluster whose every request has this token, and nothing else that says who asks. */
  readonly connectAs: (token: string) => Cluster;
  /** What a user has started. Default: nothing can be started. */
  readonly actionsOf?: (user: string) => ActionList;
  /** The longest time of a session. */
  readonly maxSessionMs: number;
};

/** As long as an API server takes headers. */
const maxTokenLength = 32 * 1024;
const maxNamespaces = 50;
const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

/** Signs in visitors with bearer tokens of their own. The API server says who they are. Tokens are kept in memory only. */
export class TokenSignIn implements SignIn {
  readonly mode = "token";
  readonly #options: TokenSignInOptions;

  constructor(options: TokenSignInOptions) {
    this.#options = options;
  }

  async accept(request: SignInRequest, signal: AbortSignal): Promise<SignInResult> {
    if (!("token" in request)) return { refusal: "Sign in with a token.", status: 400 };
    const { token, namespaces = [] } = request;
    const problem = problemOf(token, namespaces);
    if (problem !== undefined) return { refusal: problem, status: 400 };
    const { clock, context, connectAs, actionsOf, maxSessionMs } = this.#options;
    const expiresAtMs = Math.min(tokenExpiryMs(token) ?? Infinity, clock.now() + maxSessionMs);
    if (expiresAtMs <= clock.now()) return { refusal: "This token has expired: get a new one." };
    const cluster = connectAs(token);
    const user = await readUser(cluster, signal);
    if (typeof user !== "string") return user;
    const visitor = new Visitor({
      clock,
      user,
      namespaces,
      contexts: [{ name: context, current: true }],
      open: async () => cluster,
      ...(actionsOf === undefined ? {} : { actions: () => actionsOf(user) }),
    });
    return { visitor, expiresAtMs };
  }
}

function problemOf(token: string, namespaces: readonly string[]): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > maxTokenLength) return "This is no token: copy all of it, and nothing else.";
  if (namespaces.length > maxNamespaces) return `Name at most ${maxNamespaces} namespaces.`;
  const bad = namespaces.find((name) => name.includes(".") || subdomainProblems(name).length > 0);
  return bad === undefined ? undefined : `${JSON.stringify(bad)} is no name of a namespace.`;
}

/** The user that the API server takes the sender for, or why it takes nobody. */
async function readUser(cluster: Cluster, signal: AbortSignal): Promise<string | Exclude<SignInResult, { visitor: Visitor }>> {
  try {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const { status, body } = await cluster.raw({ method: "POST", path, headers, body: JSON.stringify(review), signal });
    if (status === 401) return { refusal: "The cluster does not accept this token: it is wrong, has expired or was withdrawn." };
    const text = await textOf(body);
    if (status >= 300) return { refusal: `The cluster does not say who you are: it answers ${status}.`, status: 502 };
    const answer = readJson(text);
    const user = isFields(answer) ? stringAt(answer, "status.userInfo.username", "") : "";
    return user === "" || user === "system:anonymous" ? { refusal: "The cluster takes this token for nobody's." } : user;
  } catch (error) {
    return { refusal: `The cluster cannot be asked: ${error instanceof Error ? error.message : String(error)}`, status: 502 };
  }
}

async function textOf(body: Awaited<ReturnType<Cluster["raw"]>>["body"]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
