import type { ManagedCluster } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { fieldsAt, isFields, listAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { readYaml, writeYaml } from "../../lang/yaml/index.ts";
import { parseDuration } from "../../release/order/index.ts";
import { kubeconfigIn } from "./kubeconfig-secret.ts";
import { requestToken } from "./request-token.ts";

/** What a token says of itself, in seconds since 1970. */
type TokenClaims = { readonly subject: string; readonly issuedAt: number; readonly expiresAt: number };

/** A token is renewed after this part of its lifetime at the latest. */
const latestShare = 0.8;
/** No token is renewed more often: not by a short interval, and not where the clock of the cluster is behind. */
const pauseMs = 60_000;

/**
 * Renews the token in the kubeconfig of a cluster that asks for it (`tokenRequestRenewalOption`), when it is due. Returns how long
 * until it is due again; undefined when the cluster does not ask for it.
 */
export async function renewTokenIfDue(
  hub: Cluster,
  managed: ManagedCluster,
  secret: KubeObject | undefined,
  connected: Cluster,
  signal: AbortSignal,
): Promise<number | undefined> {
  const option = managed.tokenRenewal;
  if (option === undefined || secret === undefined) return undefined;
  const { kubeconfigKeyName: key = managed.kubeconfig.key ?? Object.keys(mapAt(secret, "data")).toSorted()[0] ?? "" } = option;
  const found = kubeconfigIn(secret, { ...managed, kubeconfig: { ...managed.kubeconfig, key } });
  if ("because" in found) throw new Fault(found.because);
  const config = readYaml(found.text, "the kubeconfig of the cluster");
  const claims = claimsOf(stringAt(userOf(config), "user.token", ""));
  const intervalMs = durationOf("renewTokenRequestInterval", option.renewTokenRequestInterval);
  const now = hub.clock.now();
  const renewedAt = Date.parse(stringAt(managed.object, "status.lastReconciledTokenRequestAt", "")) || 0;
  const dueAt = claims === undefined ? now : Math.max(dueAtOf(claims, intervalMs), renewedAt + pauseMs);
  if (dueAt > now) return dueAt - now;
  const account = accountOf(option, claims);
  const durationMs = option.tokenDuration === undefined ? 2 * intervalMs : durationOf("tokenDuration", option.tokenDuration);
  const expirationSeconds = Math.max(600, Math.ceil(durationMs / 1000));
  const { token } = await requestToken(connected, account, { expirationSeconds, signal });
  const data = { ...mapAt(secret, "data"), [key]: Buffer.from(writeYaml(withToken(config, token))).toString("base64") };
  // The resourceVersion makes the write fail where somebody has put another kubeconfig there.
  await hub.replace({ ...secret, data }, { signal });
  const ref = {
    group: "lib.projectsveltos.io",
    version: "v1beta1",
    kind: "SveltosCluster",
    namespace: managed.namespace,
    name: managed.name,
  };
  const status = { lastReconciledTokenRequestAt: new Date(now).toISOString().replace(/\.\d+Z$/, "Z") };
  await hub.patch(ref, { type: "merge", patch: { status } }, { subresource: "status", signal });
  const renewed = claimsOf(token);
  return Math.max(pauseMs, renewed === undefined ? intervalMs : dueAtOf(renewed, intervalMs) - now);
}

function dueAtOf({ issuedAt, expiresAt }: TokenClaims, intervalMs: number): number {
  return issuedAt * 1000 + Math.min(intervalMs, latestShare * (expiresAt - issuedAt) * 1000);
}

function durationOf(field: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new Fault(`spec.tokenRequestRenewalOption.${field}: found ${JSON.stringify(text)}, expected a duration such as 1h`, undefined, {
    final: true,
  });
}

/** The ServiceAccount that the option names, or that of the present token. */
function accountOf(
  { saNamespace = "", saName = "" }: NonNullable<ManagedCluster["tokenRenewal"]>,
  claims: TokenClaims | undefined,
): { readonly namespace: string; readonly name: string } {
  const [, namespace = "", name = ""] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(claims?.subject ?? "") ?? [];
  const account = { namespace: saNamespace === "" ? namespace : saNamespace, name: saName === "" ? name : saName };
  if (account.namespace !== "" && account.name !== "") return account;
  throw new Fault(
    "its kubeconfig holds no token of a ServiceAccount: name the account in spec.tokenRequestRenewalOption.saNamespace and saName",
    undefined,
    { final: true },
  );
}

function userNameOf(config: unknown): string {
  const current = stringAt(config, "current-context", "");
  return stringAt(
    listAt(config, "contexts").find((context) => stringAt(context, "name") === current),
    "context.user",
    "",
  );
}

function userOf(config: unknown): Fields | undefined {
  return listAt(config, "users").find((user) => stringAt(user, "name") === userNameOf(config));
}

/** The same kubeconfig with another token, which takes the place of all other credentials of its user. */
function withToken(config: unknown, token: string): Fields {
  const name = userNameOf(config);
  const users = listAt(config, "users").filter((user) => stringAt(user, "name") !== name);
  return { ...fieldsAt({ config }, "config"), users: [...users, { name, user: { token } }] };
}

function claimsOf(token: string): TokenClaims | undefined {
  const [, payload = ""] = token.split(".");
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const [issuedAt, expiresAt] = [numberAt(claims, "iat", 0), numberAt(claims, "exp", 0)];
    return isFields(claims) && expiresAt > 0 ? { subject: stringAt(claims, "sub", ""), issuedAt, expiresAt } : undefined;
  } catch {
    return undefined; // no JSON Web Token: it says nothing of its life
  }
}
