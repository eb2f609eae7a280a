import { isFields, stringAt, valueAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { timeMs } from "../timestamp.ts";
import { JsonWebTokens } from "./json-web-token.ts";
import { legacyIssuer, signLegacyToken, validateLegacyToken, type LegacyTokenContext } from "./legacy-tokens.ts";
import { allAuthenticated, credentialIdKey, serviceAccountGroups, serviceAccountUsername, type UserInfo } from "./user-info.ts";

/** What a token is made for. */
export type TokenSpec = {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** After how many seconds its user is told that it is stale. Default: never. */
  readonly warnAfterSeconds?: number;
  readonly account: KubeObject;
  /** The object that the token is bound to: it is valid as long as that exists. */
  readonly bound?: { readonly resource: "pods" | "secrets" | "nodes"; readonly object: KubeObject };
  /** The node of the pod that the token is bound to; without a uid when the node is absent. */
  readonly node?: { readonly name: string; readonly uid?: string };
};

/** The user and the audiences of a valid token; a message for a token that is not; undefined for what is no token of this cluster. */
export type TokenResult =
  | { readonly user: UserInfo; readonly audiences: readonly string[]; readonly warning?: string }
  | string
  | undefined;

/** The issuer of tokens, and the only audience of the API server. */
export const issuer = "https://kubernetes.default.svc";

/** How far clocks may differ, and how long a token outlives what it is bound to. Models go-jose jwt.DefaultLeeway */
const leewayMs = 60_000;

const boundKinds = { pod: "pods", secret: "secrets", node: "nodes" } as const;

/** Issues and validates the tokens of service accounts. Models pkg/serviceaccount/claims.go and jwt.go */
export class ServiceAccountTokens {
  readonly #tokens: JsonWebTokens;
  readonly #read: LegacyTokenContext["read"];
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #legacy: LegacyTokenContext;

  /** `key` is a private key in PEM. Default: a new one. */
  constructor(parts: LegacyTokenContext & { newId: () => string; key?: string }) {
    this.#tokens = new JsonWebTokens(parts.key);
    this.#read = parts.read;
    this.#now = parts.now;
    this.#newId = parts.newId;
    this.#legacy = parts;
  }

  /** The token of a Secret of the type kubernetes.io/service-account-token. It is valid as long as the Secret and the account exist. */
  issueForSecret(account: KubeObject, secret: KubeObject): string {
    return signLegacyToken(this.#tokens, account, secret);
  }

  issue({ audiences, expirationSeconds, warnAfterSeconds, account, bound, node }: TokenSpec): string {
    const { name, namespace = "" } = account.metadata;
    const issued = Math.floor(this.#now() / 1000);
    const kind = bound === undefined ? undefined : singular(bound.resource);
    return this.#tokens.sign({
      aud: audiences,
      exp: issued + expirationSeconds,
      iat: issued,
      iss: issuer,
      jti: this.#newId(),
      "kubernetes.io": {
        namespace,
        ...(node === undefined ? {} : { node }),
        ...(bound === undefined || kind === undefined ? {} : { [kind]: referenceTo(bound.object) }),
        serviceaccount: referenceTo(account),
        ...(warnAfterSeconds === undefined ? {} : { warnafter: issued + warnAfterSeconds }),
      },
      nbf: issued,
      sub: serviceAccountUsername(namespace, name),
    });
  }

  /** Validates a token for any of the audiences. */
  validate(token: string, audiences: readonly string[]): TokenResult {
    const claims = this.#tokens.verify(token, [issuer, legacyIssuer]);
    if (typeof claims !== "object") return claims;
    const own = audiencesOf(claims["aud"]);
    const shared = own.filter((audience) => audiences.includes(audience));
    if (shared.length === 0) return `token audiences ${quoted(own)} is invalid for the target audiences ${quoted(audiences)}`;
    if (claims["iss"] === legacyIssuer) return this.#validateOfSecret(token, claims, shared);
    const kubernetes = isFields(claims["kubernetes.io"]) ? claims["kubernetes.io"] : {};
    const objection = this.#objectionToTime(claims) ?? this.#objectionToAccount(kubernetes) ?? this.#objectionToBound(kubernetes);
    return objection ?? { user: userOf(claims, kubernetes), audiences: shared };
  }

  #validateOfSecret(token: string, claims: Fields, audiences: readonly string[]): TokenResult {
    const result = validateLegacyToken(token, claims, this.#legacy);
    if (typeof result === "string") return result;
    const { namespace, name, uid, warning } = result;
    return { user: accountUser(namespace, name, uid, {}), audiences, ...(warning === undefined ? {} : { warning }) };
  }

  #objectionToTime({ exp, nbf, iat }: Fields): string | undefined {
    const now = this.#now();
    if (typeof nbf === "number" && now + leewayMs < nbf * 1000) return "service account token is not valid yet";
    if (typeof exp === "number" && now - leewayMs > exp * 1000) return "service account token has expired";
    if (typeof iat === "number" && now + leewayMs < iat * 1000) return "service account token is issued in the future";
    return undefined;
  }

  #objectionToAccount(kubernetes: Fields): string | undefined {
    const namespace = stringAt(kubernetes, "namespace", "");
    const name = stringAt(kubernetes, "serviceaccount.name", "");
    const claimed = stringAt(kubernetes, "serviceaccount.uid", "");
    const account = this.#read("serviceaccounts", namespace, name);
    if (account === undefined) return `serviceaccounts ${JSON.stringify(name)} not found`;
    const { uid = "" } = account.metadata;
    if (uid !== claimed) return `service account UID (${uid}) does not match claim (${claimed})`;
    return this.#isGone(account) ? `service account ${namespace}/${name} has been deleted` : undefined;
  }

  #objectionToBound(kubernetes: Fields): string | undefined {
    for (const [kind, resource] of Object.entries(boundKinds)) {
      const reference = kubernetes[kind];
      // A token of a pod names its node for information only.
      if (!isFields(reference) || (kind === "node" && kubernetes["pod"] !== undefined)) continue;
      const namespace = kind === "node" ? "" : stringAt(kubernetes, "namespace", "");
      const object = this.#read(resource, namespace, stringAt(reference, "name", ""));
      if (object === undefined || this.#isGone(object)) return "service account token has been invalidated";
      const claimed = stringAt(reference, "uid", "");
      if (object.metadata.uid !== claimed)
        return `${kind} UID (${object.metadata.uid}) does not match service account ${kind} ref claim (${claimed})`;
    }
    return undefined;
  }

  #isGone({ metadata }: KubeObject): boolean {
    const deleted = timeMs(metadata.deletionTimestamp);
    return deleted !== undefined && deleted < this.#now() - leewayMs;
  }
}

function singular(resource: "pods" | "secrets" | "nodes"): string {
  return resource.slice(0, -1);
}

function referenceTo({ metadata: { name, uid = "" } }: KubeObject): { name: string; uid: string } {
  return { name, uid };
}

function audiencesOf(claim: unknown): readonly string[] {
  const list = Array.isArray(claim) ? claim.map(String) : typeof claim === "string" ? [claim] : [];
  return list.length === 0 ? [issuer] : list;
}

/** A list as Go's %q prints it. */
function quoted(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}

function userOf(claims: Fields, kubernetes: Fields): UserInfo {
  const namespace = stringAt(kubernetes, "namespace", "");
  const extra: Record<string, readonly string[]> = {};
  const add = (key: string, value: unknown) => {
    if (typeof value === "string" && value !== "") extra[key] = [value];
  };
  if (typeof claims["jti"] === "string") add(credentialIdKey, `JTI=${claims["jti"]}`);
  add("authentication.kubernetes.io/node-name", valueAt(kubernetes, "node.name"));
  add("authentication.kubernetes.io/node-uid", valueAt(kubernetes, "node.uid"));
  add("authentication.kubernetes.io/pod-name", valueAt(kubernetes, "pod.name"));
  add("authentication.kubernetes.io/pod-uid", valueAt(kubernetes, "pod.uid"));
  const [name, uid] = [stringAt(kubernetes, "serviceaccount.name", ""), stringAt(kubernetes, "serviceaccount.uid", "")];
  return accountUser(namespace, name, uid, extra);
}

function accountUser(namespace: string, name: string, uid: string, extra: Readonly<Record<string, readonly string[]>>): UserInfo {
  return {
    username: serviceAccountUsername(namespace, name),
    uid,
    groups: [...serviceAccountGroups(namespace), allAuthenticated],
    extra,
  };
}
