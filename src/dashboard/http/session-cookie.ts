import type { Headers, IncomingRequest } from "../../core/exchange/index.ts";

type CookieRequest = Pick<IncomingRequest, "headers" | "peer">;

/**
 * The name of the session's cookie. Cookies know no ports: dashboards on one host have names of their own. Over TLS the prefix has
 * the browser refuse a cookie that another host of the domain has set.
 */
function cookieName(request: CookieRequest): string {
  const [, port] = /:(\d+)$/.exec(request.headers["host"] ?? "") ?? [];
  return `${isSecure(request) ? "__Host-" : ""}sluice-session${port === undefined ? "" : `-${port}`}`;
}

/** Whether the browser has reached us over TLS, which a proxy may have ended. */
function isSecure({ headers, peer }: CookieRequest): boolean {
  return peer?.scheme === "https" || headers["x-forwarded-proto"]?.toLowerCase() === "https";
}

/** The secret of the session that a request belongs to. */
export function sessionSecretOf(request: CookieRequest): string | undefined {
  const name = cookieName(request);
  for (const each of (request.headers["cookie"] ?? "").split(/;\s*/)) {
    if (each.startsWith(`${name}=`)) return each.slice(name.length + 1);
  }
  return undefined;
}

/** Gives the browser a session, until it is closed; without a secret it takes the session away. */
export function sessionCookie(request: CookieRequest, secret: string | undefined): Headers {
  const flags = `Path=/; HttpOnly; SameSite=Strict${isSecure(request) ? "; Secure" : ""}`;
  return { "set-cookie": `${cookieName(request)}=${secret ?? ""}; ${flags}${secret === undefined ? "; Max-Age=0" : ""}` };
}
