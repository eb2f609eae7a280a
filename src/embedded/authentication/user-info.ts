/** Who makes a request. Models apiserver pkg/authentication/user/user.go */
export type UserInfo = {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

export const allAuthenticated = "system:authenticated";
export const allUnauthenticated = "system:unauthenticated";
export const anonymousName = "system:anonymous";

/** Members may do everything: the API server itself and its administrators. */
export const privilegedGroup = "system:masters";

export const credentialIdKey = "authentication.kubernetes.io/credential-id";

export const anonymousUser: UserInfo = { username: anonymousName, groups: [allUnauthenticated] };

/** The user of callers in this process. */
export const inProcessUser: UserInfo = { username: "admin", groups: [privilegedGroup, allAuthenticated] };

/** A user as the API writes it: without what is empty. */
export function userInfoFields({ username, uid = "", groups, extra = {} }: UserInfo): Readonly<Record<string, unknown>> {
  return {
    ...(username === "" ? {} : { username }),
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

const prefix = "system:serviceaccount:";

export function serviceAccountUsername(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** Namespace and name of a service account's user name. Models apiserver pkg/authentication/serviceaccount/util.go SplitUsername */
export function splitServiceAccountUsername(username: string): { namespace: string; name: string } | undefined {
  if (!username.startsWith(prefix)) return undefined;
  const [namespace = "", name = "", ...more] = username.slice(prefix.length).split(":");
  const valid = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
  if (more.length > 0 || !valid.test(namespace) || !/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(name)) return undefined;
  return { namespace, name };
}
