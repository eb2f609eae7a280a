import type { Clock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { numberAt, stringAt } from "../../core/object/index.ts";
import { readText } from "../body.ts";
import { SingleFlight } from "../single-flight.ts";
import { basicAuthHeader, bearerAuthHeader, type Credentials } from "./credentials.ts";

type OidcConfig = Readonly<Record<string, string>>;

/** What a token refresh needs: a connection to the provider, and a way to persist the new tokens. */
type OidcOptions = {
  readonly clock: Clock;
  /** Opens an exchange with the server of a URL, and closes it after `use`. */
  reach<T>(url: URL, use: (exchange: Exchange) => Promise<T>): Promise<T>;
  persist(config: OidcConfig): Promise<void>;
};

/** A token counts as expired a little early, so that it does not expire in transit. */
const marginMs = 10_000;

/** The OpenID Connect auth-provider of kubectl. Models client-go plugin/pkg/client/auth/oidc/oidc.go */
export function oidcCredentials(initial: OidcConfig, { clock, reach, persist }: OidcOptions): Credentials {
  let config = initial;
  const refreshing = new SingleFlight<void>();

  async function refresh(): Promise<void> {
    const issuer = config["idp-issuer-url"] ?? "";
    try {
      const endpoint = await tokenEndpoint(issuer);
      const answer = await requestTokens(endpoint);
      const idToken = stringAt(answer, "id_token", "");
      if (idToken === "") throw new Fault("the answer has no id_token: log in again with the scope openid");
      config = { ...config, "id-token": idToken, "refresh-token": stringAt(answer, "refresh_token", config["refresh-token"] ?? "") };
    } catch (cause) {
      throw new Fault(`refresh the OpenID Connect token at ${issuer}`, cause);
    }
    await persist(config);
  }

  async function tokenEndpoint(issuer: string): Promise<URL> {
    const url = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
    const found = await fetchJson(url, "GET", {});
    const endpoint = stringAt(found.body, "token_endpoint", "");
    if (found.status !== 200 || endpoint === "") throw new Fault(`${url.href} answered ${found.status} and names no token_endpoint`);
    return new URL(endpoint);
  }

  /** Sends the client secret in a header, or in the form for providers that require it there. */
  async function requestTokens(endpoint: URL): Promise<unknown> {
    const [id = "", secret = ""] = [config["client-id"], config["client-secret"]];
    const form = { grant_type: "refresh_token", refresh_token: config["refresh-token"] ?? "" };
    const first = await post(endpoint, form, basicAuthHeader(encodeURIComponent(id), encodeURIComponent(secret)));
    if (first.status === 200) return first.body;
    const second = await post(endpoint, { ...form, client_id: id, ...(secret === "" ? {} : { client_secret: secret }) }, {});
    if (second.status === 200) return second.body;
    const why = stringAt(second.body, "error_description", "") || stringAt(second.body, "error", "");
    throw new Fault(`${endpoint.href} answered ${second.status}${why === "" ? "" : ` (${why})`}: log in again`);
  }

  function post(url: URL, form: Record<string, string>, headers: Record<string, string>) {
    const body = new URLSearchParams(form).toString();
    return fetchJson(url, "POST", { ...headers, "content-type": "application/x-www-form-urlencoded" }, body);
  }

  function fetchJson(url: URL, method: string, headers: Record<string, string>, body?: string) {
    return reach(url, async (exchange) => {
      const { signal } = new AbortController();
      const request = { method, path: url.pathname + url.search, headers: { accept: "application/json", ...headers }, signal };
      const answer = await exchange(body === undefined ? request : { ...request, body });
      return { status: answer.status, body: parsed(await readText(answer.body)) };
    });
  }

  return {
    async headers() {
      if (!isValid(config["id-token"] ?? "", clock.now())) {
        if (!config["refresh-token"])
          throw new Fault("the id-token has expired and there is no refresh-token: log in again", undefined, { final: true });
        await refreshing.run(refresh, { join: true });
      }
      return bearerAuthHeader(config["id-token"] ?? "");
    },
    async renew(sent) {
      if (!config["refresh-token"]) return false;
      if (sent["authorization"] === bearerAuthHeader(config["id-token"] ?? "")["authorization"])
        await refreshing.run(refresh, { join: true });
      return true;
    },
  };
}

function isValid(token: string, now: number): boolean {
  const payload = token.split(".")[1];
  if (payload === undefined) return false;
  const expires = numberAt(parsed(Buffer.from(payload, "base64url").toString("utf8")), "exp", 0);
  return now + marginMs < expires * 1000;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // reported by the fields that are missing
  }
}
