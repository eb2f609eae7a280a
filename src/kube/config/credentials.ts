import type { Answer, Exchange, Headers, Request } from "../../core/exchange/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { readText } from "../body.ts";
import type { ClientCertificate } from "../transport/index.ts";
import type { Impersonation } from "./kubeconfig.ts";

/** How a client authenticates to a server. */
export type Credentials = {
  /** The current authentication headers. */
  headers(): Headers | Promise<Headers>;
  /** The client certificate for new connections. */
  certificate?(): Promise<ClientCertificate | undefined>;
  /** Renews credentials that the server has rejected. Returns whether there are newer ones. */
  renew?(sent: Headers): Promise<boolean>;
  /** What is obviously wrong with the credentials, for the message when the server rejects them. */
  objection?(): string | undefined;
};

/** Adds credentials to every request. A request that is rejected with 401 is sent once more with renewed ones. */
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

/**
 * Impersonates a user. Groups and extra values are joined into one header, as in every Exchange. The transport splits them again.
 * A request that is made as somebody else already is not sent: one of the two would be forgotten, and with it what is forbidden to it.
 */
export function withImpersonation(exchange: Exchange, as: Impersonation): Exchange {
  const headers: Record<string, string> = { "impersonate-user": as.user };
  if (as.uid !== undefined) headers["impersonate-uid"] = as.uid;
  if (as.groups !== undefined && as.groups.length > 0) headers["impersonate-group"] = as.groups.join(", ");
  for (const [key, values] of Object.entries(as.extra ?? {}))
    headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = values.join(", ");
  return (request) => {
    const other = request.headers["impersonate-user"];
    if (other === undefined) return exchange(withHeaders(request, headers));
    return Promise.reject(
      new Fault(
        `send a request as ${other}`,
        `the kubeconfig impersonates ${as.user} already: use one whose own user may impersonate both`,
        { final: true },
      ),
    );
  };
}
