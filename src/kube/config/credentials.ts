import type { Answer, Exchange, Headers, Request } from "../../core/exchange/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { readText } from "../body.ts";
import type { ClientCertificate } from "../transport/index.ts";
import type { Impersonation } from "./kubeconfig.ts";

/** Who we are to a server. */
export type Credentials = {
  /** Headers that say so, as they hold now. */
  headers(): Headers | Promise<Headers>;
  /** A certificate that says so, for new connections. */
  certificate?(): Promise<ClientCertificate | undefined>;
  /** The server did not believe what we sent: gets something newer if it can, and answers whether it has. */
  renew?(sent: Headers): Promise<boolean>;
  /** What is plainly wrong with them, for when the server does not believe them. */
  objection?(): string | undefined;
};

/** Puts our credentials on every request; a request that is refused for them (401) is sent once more with newer ones. */
export function withAuthentication(exchange: Exchange, credentials: Credentials): Exchange {
  return async function send(request) {
    const headers = await credentials.headers();
    const answer = await exchange(withHeaders(request, headers));
    if (answer.status !== 401) return answer;
    const objection = credentials.objection?.();
    if (objection !== undefined) throw new Fault(`the server does not know us: ${objection}`, undefined, { final: true });
    if (credentials.renew === undefined) return answer;
    const text = await readText(answer.body);
    if (!(await credentials.renew(headers))) return { ...answer, body: [text] } satisfies Answer;
    return exchange(withHeaders(request, await credentials.headers()));
  };
}

function withHeaders(request: Request, headers: Headers): Request {
  return { ...request, headers: { ...request.headers, ...headers } };
}

export function bearerAuthHeader(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

export function basicAuthHeader(username: string, password: string): Headers {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** Acts as somebody else, where the server lets us. Groups and extra values are joined as the Exchange has it; transports part them again. */
export function withImpersonation(exchange: Exchange, as: Impersonation): Exchange {
  const headers: Record<string, string> = { "impersonate-user": as.user };
  if (as.uid !== undefined) headers["impersonate-uid"] = as.uid;
  if (as.groups !== undefined && as.groups.length > 0) headers["impersonate-group"] = as.groups.join(", ");
  for (const [key, values] of Object.entries(as.extra ?? {}))
    headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = values.join(", ");
  return (request) => exchange(withHeaders(request, headers));
}
