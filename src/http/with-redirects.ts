import { Fault } from "../core/fault/index.ts";
import { sameOrigin, redactedUrl } from "./url.ts";
import type { HttpClient, HttpClientResponse, HttpClientRequest } from "./http-client.ts";

const maxRedirects = 10;

/**
 * Follows redirects. Credentials are kept for the same origin and for its upgrade to https. Once dropped, they are not
 * sent again. A redirect from https to http is refused, unless certificates are not verified anyway.
 */
export function withRedirects(http: HttpClient): HttpClient {
  return async (request) => {
    let asked = request;
    for (let count = 0; count <= maxRedirects; count++) {
      const answer = await http(asked);
      const location = locationIn(answer);
      if (location === undefined) return asked.url === request.url ? answer : { ...answer, redirectedTo: asked.url };
      asked = redirected(asked, location);
    }
    throw new Fault(`${redactedUrl(request.url)}: stopped after ${maxRedirects} redirects`, undefined, { final: true });
  };
}

function locationIn({ status, headers }: HttpClientResponse): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers["location"] : undefined;
}

function redirected(request: HttpClientRequest, location: string): HttpClientRequest {
  if (!URL.canParse(location, request.url))
    throw new Fault(`${redactedUrl(request.url)} redirects to ${JSON.stringify(location)}, which is no address`, undefined, {
      final: true,
    });
  const url = new URL(location, request.url).href;
  // A posted body is a secret for the original server only.
  if (request.method === "POST")
    throw new Fault(
      `${redactedUrl(request.url)} redirects to ${redactedUrl(url)} what was sent to it alone: it is not sent there`,
      undefined,
      {
        final: true,
      },
    );
  if (request.url.startsWith("https:") && !url.startsWith("https:") && request.tls?.insecure !== true)
    throw new Fault(`${redactedUrl(request.url)} redirects to ${redactedUrl(url)}, which is not protected by TLS`, undefined, {
      final: true,
    });
  request.checkRedirect?.(url);
  if (keepsCredentials(request.url, url)) return { ...request, url };
  const { authorization: _left, ...headers } = request.headers ?? {};
  const { certificate: _certificate, key: _key, ...tls } = request.tls ?? {};
  return { ...request, url, headers, tls };
}

function keepsCredentials(from: string, to: string): boolean {
  if (sameOrigin(from, to)) return true;
  const [one, other] = [new URL(from), new URL(to)];
  const isUpgrade = one.protocol === "http:" && other.protocol === "https:" && one.port === "" && other.port === "";
  return isUpgrade && one.hostname === other.hostname;
}
