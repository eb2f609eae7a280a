/** How a repository or a registry is reached: who comes, and whom one trusts there. */
export type RepositoryAccess = {
  readonly username?: string;
  readonly password?: string;
  /** The credentials go to whatever host the charts lie on, and not to the repository's alone. */
  readonly passCredentials?: boolean;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Registries only: HTTP instead of HTTPS. */
  readonly plainHttp?: boolean;
};

/** The header of basic authentication, where both halves are there. */
export function basicHeader({
  username = "",
  password = "",
}: Pick<RepositoryAccess, "username" | "password">): Readonly<Record<string, string>> {
  if (username === "" || password === "") return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
