/** Credentials and TLS settings for a repository or a registry. */
export type RepositoryAccess = {
  readonly username?: string;
  readonly password?: string;
  /** Send the credentials to every host that charts are on, not only to the repository's. */
  readonly passCredentials?: boolean;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Registries only: HTTP instead of HTTPS. */
  readonly plainHttp?: boolean;
};

/** The header of basic authentication. Empty unless both user name and password are set. */
export function basicHeader({
  username = "",
  password = "",
}: Pick<RepositoryAccess, "username" | "password">): Readonly<Record<string, string>> {
  if (username === "" || password === "") return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
