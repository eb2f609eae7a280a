import { Fault } from "../../core/fault/index.ts";
import { stringAt } from "../../core/object/index.ts";
import { basicHeader } from "../repository-access.ts";
import {
  redactedUrl,
  sameOrigin,
  type TlsOptions,
  type HttpClient,
  type HttpClientResponse,
  type HttpClientRequest,
} from "../../http/index.ts";
import { readChallenge, type Challenge } from "./challenge.ts";
import type { Credential } from "./docker-config.ts";

/** Finds the credential for a registry. Called once, when the registry asks for one. */
type ResolveCredential = () => Promise<Credential | undefined>;

type RegistryAuthOptions = { readonly identify: ResolveCredential; readonly tls: TlsOptions; readonly isPlain: boolean };

type Headers = Readonly<Record<string, string>>;

const maxTokenBytes = 2 ** 20;
const clientId = "sluice";

/** Answers the authentication challenges of a registry. Later requests reuse the result. */
export function withRegistryAuth(http: HttpClient, options: RegistryAuthOptions): HttpClient {
  const authorizer = new RegistryAuthorizer(http, options);
  return async (request) => {
    const first = await http(authorizer.authorize(request));
    const challenge = first.status === 401 ? readChallenge(first.headers["www-authenticate"] ?? "") : undefined;
    if (challenge === undefined) return first;
    // Credentials are for the registry. Another host, to which it redirects, gets none, and names nobody who does.
    if (first.redirectedTo !== undefined && !sameOrigin(first.redirectedTo, request.url)) return first;
    await authorizer.answerChallenge(challenge, request.url);
    return http(authorizer.authorize(request));
  };
}

class RegistryAuthorizer {
  readonly #http: HttpClient;
  readonly #options: RegistryAuthOptions;
  #identity: Promise<Credential | undefined> | undefined;
  #authorization: Headers = {};

  constructor(http: HttpClient, options: RegistryAuthOptions) {
    this.#http = http;
    this.#options = options;
  }

  authorize(request: HttpClientRequest): HttpClientRequest {
    return { ...request, tls: this.#options.tls, headers: { ...request.headers, ...this.#authorization } };
  }

  async answerChallenge(challenge: Challenge, url: string): Promise<void> {
    const credential = await (this.#identity ??= this.#options.identify());
    if (challenge.scheme === "basic") this.#authorization = basicAuthorization(credential, url);
    else if (credential?.kind === "access") this.#authorization = bearer(credential.token);
    else this.#authorization = bearer(await this.#token(challenge, credential, url));
  }

  /**
   * Models the token protocols of distribution, and oras-go registry/remote/auth: a refresh token is posted, a password
   * sent as basic authentication.
   */
  async #token(challenge: Extract<Challenge, { scheme: "bearer" }>, credential: Credential | undefined, url: string): Promise<string> {
    const realm = this.#realm(challenge.realm, url, credential !== undefined);
    const request =
      credential?.kind === "refresh" ? refreshRequest(realm, challenge, credential.token) : tokenRequest(realm, challenge, credential);
    const answer = await this.#http({ ...request, tls: this.#tlsFor(realm, url), maxBytes: maxTokenBytes });
    if (answer.status !== 200) throw registryFault(`get a token from ${redactedUrl(realm.href)}`, answer);
    const token = tokenIn(answer);
    if (token === "") throw new Fault(`get a token from ${redactedUrl(realm.href)}`, "there is none in the answer", { final: true });
    return token;
  }

  /** A registry may name any server for tokens. Credentials require TLS, unless the registry itself is plain HTTP. */
  #realm(text: string, url: string, hasCredential: boolean): URL {
    if (!URL.canParse(text))
      throw new Fault(`${redactedUrl(url)} asks for a token from ${JSON.stringify(text)}, which is no address`, undefined, { final: true });
    const realm = new URL(text);
    if (realm.protocol !== "https:" && hasCredential && !this.#options.isPlain)
      throw new Fault(
        `${redactedUrl(url)} asks for credentials to be sent to ${redactedUrl(text)}, which is not protected by TLS: they are not`,
        undefined,
        { final: true },
      );
    return realm;
  }

  /** A client certificate is only sent to the registry itself. */
  #tlsFor(realm: URL, url: string): TlsOptions {
    const { certificate: _certificate, key: _key, ...others } = this.#options.tls;
    return realm.host === new URL(url).host ? this.#options.tls : others;
  }
}

function basicAuthorization(credential: Credential | undefined, url: string): Headers {
  if (credential?.kind === "password") return basicHeader(credential);
  const advice = "sign in with helm registry login, or name yourself with --username and --password";
  throw new Fault(`${redactedUrl(url)} asks who you are, and there are no credentials for it: ${advice}`, undefined, { final: true });
}

function tokenRequest(realm: URL, { service, scope }: { service: string; scope: string }, credential: Credential | undefined) {
  const url = new URL(realm);
  if (service !== "") url.searchParams.set("service", service);
  for (const each of scope.split(" ").filter((text) => text !== "")) url.searchParams.append("scope", each);
  return { url: url.href, headers: credential?.kind === "password" ? basicHeader(credential) : {} };
}

function refreshRequest(realm: URL, { service, scope }: { service: string; scope: string }, token: string) {
  const form = new URLSearchParams({ grant_type: "refresh_token", client_id: clientId, refresh_token: token, service, scope });
  return {
    url: realm.href,
    method: "POST" as const,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  };
}

function tokenIn({ body }: HttpClientResponse): string {
  try {
    const answer: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    return stringAt(answer, "access_token", "") || stringAt(answer, "token", "");
  } catch {
    return "";
  }
}

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

/** The fault for an error of a registry, with its own message if there is one. */
export function registryFault(doing: string, { status, statusText, body }: HttpClientResponse): Fault {
  const message = errorMessageIn(Buffer.from(body).toString("utf8"));
  const advice = status === 401 || status === 403 ? ": check your credentials (helm registry login, or --username and --password)" : "";
  return new Fault(`${doing}: ${statusText}${message === "" ? "" : `: ${message}`}${advice}`, undefined, {
    final: status >= 400 && status < 500,
  });
}

/** Models the error format of the distribution specification. */
function errorMessageIn(text: string): string {
  try {
    const { errors = [] } = JSON.parse(text) as { errors?: unknown };
    if (!Array.isArray(errors)) return "";
    const each = errors.map((error: unknown) => stringAt(error, "message", "") || stringAt(error, "code", ""));
    return each.filter((message) => message !== "").join("; ");
  } catch {
    return "";
  }
}
