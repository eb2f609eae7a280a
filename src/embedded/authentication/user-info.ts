/** Who makes a request. Models apiserver pkg/authentication/user/user.go */
export type UserInfo = {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

export const allAuthenticated = "system:authenticated";
export const allUnauthenticated = "system:unauthenticated";
const anonymousName = "system:anonymous";

/** Members may do everything: the API server itself and its administrators. */
const privilegedGroup = "system:masters";

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
