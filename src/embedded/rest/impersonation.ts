import type { Headers } from "../../core/exchange/index.ts";
import {
  allAuthenticated,
  allUnauthenticated,
  anonymousName,
  serviceAccountGroups,
  splitServiceAccountUsername,
  type UserInfo,
} from "../authentication/index.ts";
import { accessForbidden, type Authorizer } from "../authorization/index.ts";
import { badRequestError } from "../status-error.ts";

// Models apiserver pkg/endpoints/filters/impersonation/impersonation.go

const extraPrefix = "impersonate-extra-";

/** One thing that a request wants to be: a user, a group, a uid or a value of an extra field. */
type Impersonated = {
  readonly kind: "ServiceAccount" | "User" | "Group" | "UserExtra" | "UID";
  readonly name: string;
  readonly namespace?: string;
  readonly extraKey?: string;
};

const resources = { ServiceAccount: "serviceaccounts", User: "users", Group: "groups", UserExtra: "userextras", UID: "uids" } as const;
const authenticationGroup = "authentication.k8s.io";

/** The user that a request is made as. `requestor` must be allowed to impersonate every part of it. */
export function impersonatedUser(requestor: UserInfo, headers: Headers, authorizer: Authorizer): UserInfo {
  if (!impersonates(headers)) return requestor;
  const wanted = impersonatedBy(headers);
  if (wanted.length === 0) return requestor;
  for (const part of wanted) checkImpersonation(requestor, part, authorizer);
  const username = headers["impersonate-user"] ?? "";
  const account = splitServiceAccountUsername(username);
  const named = wanted.filter(({ kind }) => kind === "Group").map(({ name }) => name);
  const groups = named.length > 0 || account === undefined ? named : serviceAccountGroups(account.namespace);
  const extra: Record<string, string[]> = {};
  for (const { kind, name, extraKey = "" } of wanted) if (kind === "UserExtra") (extra[extraKey] ??= []).push(name);
  return { username, uid: headers["impersonate-uid"] ?? "", groups: withAuthentication(username, groups), extra };
}

/** Most requests do not, and all of them come by here. */
function impersonates(headers: Headers): boolean {
  for (const name in headers) if (name.startsWith("impersonate-")) return true;
  return false;
}

function withAuthentication(username: string, groups: readonly string[]): readonly string[] {
  if (username === anonymousName) return groups.includes(allUnauthenticated) ? groups : [...groups, allUnauthenticated];
  const isSaid = groups.includes(allAuthenticated) || groups.includes(allUnauthenticated);
  return isSaid ? groups : [...groups, allAuthenticated];
}

function checkImpersonation(user: UserInfo, { kind, name, namespace = "", extraKey = "" }: Impersonated, authorizer: Authorizer): void {
  const group = kind === "UserExtra" || kind === "UID" ? authenticationGroup : "";
  const attributes = { user, verb: "impersonate", group, resource: resources[kind], subresource: extraKey, namespace, name };
  const { allowed, reason } = authorizer.authorize(attributes);
  if (!allowed) throw accessForbidden(attributes, reason);
}

function impersonatedBy(headers: Headers): readonly Impersonated[] {
  const username = headers["impersonate-user"] ?? "";
  const groups = listed(headers["impersonate-group"]);
  const extras = Object.entries(headers).filter(([name]) => name.startsWith(extraPrefix));
  const uid = headers["impersonate-uid"] ?? "";
  if (username === "" && groups.length === 0 && extras.length === 0 && uid === "") return [];
  const account = splitServiceAccountUsername(username);
  const user: readonly Impersonated[] =
    account === undefined ? [{ kind: "User", name: username }] : [{ kind: "ServiceAccount", ...account }];
  const wanted: readonly Impersonated[] = [
    ...(username === "" ? [] : user),
    ...groups.map((name): Impersonated => ({ kind: "Group", name })),
    ...extras.flatMap(([header, values]) =>
      listed(values).map((name): Impersonated => ({ kind: "UserExtra", name, extraKey: unescaped(header.slice(extraPrefix.length)) })),
    ),
    ...(uid === "" ? [] : [{ kind: "UID", name: uid } as const]),
  ];
  if (username === "") throw badRequestError(`requested [${wanted.map(printed).join(" ")}] without impersonating a user`);
  return wanted;
}

/** The values of a header that is sent several times. */
function listed(values: string | undefined): readonly string[] {
  return values === undefined ? [] : values.split(", ");
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key; // kept as it is when it is not escaped
  }
}

/** As Go prints an ObjectReference: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath. */
function printed({ kind, name, namespace = "", extraKey = "" }: Impersonated): string {
  const apiVersion = kind === "UserExtra" || kind === "UID" ? `${authenticationGroup}/v1` : "";
  return `{${[kind, namespace, name, "", apiVersion, "", extraKey].join(" ")}}`;
}
