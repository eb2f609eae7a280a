import { join } from "node:path";

/** The files in which Helm stores repositories and registries. Sluice shares them. */
export type HelmPaths = {
  readonly repositoriesFile: string;
  readonly repositoryCache: string;
  readonly contentCache: string;
  /** GnuPG's public keys. */
  readonly keyring: string;
  readonly registryConfig: string;
  readonly dockerConfig: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Models helm pkg/cli/environment.go and pkg/helmpath */
export function helmPathsIn(env: Environment, home: string, platform: string = "linux"): HelmPaths {
  const defaults = homes(env, home, platform);
  const config = env["HELM_CONFIG_HOME"] || join(env["XDG_CONFIG_HOME"] || defaults.config, "helm");
  const cache = env["HELM_CACHE_HOME"] || join(env["XDG_CACHE_HOME"] || defaults.cache, "helm");
  return {
    repositoriesFile: env["HELM_REPOSITORY_CONFIG"] || join(config, "repositories.yaml"),
    repositoryCache: env["HELM_REPOSITORY_CACHE"] || join(cache, "repository"),
    contentCache: env["HELM_CONTENT_CACHE"] || join(cache, "content"),
    keyring: join(env["GNUPGHOME"] || join(home, ".gnupg"), "pubring.gpg"),
    registryConfig: env["HELM_REGISTRY_CONFIG"] || join(config, "registry", "config.json"),
    dockerConfig: join(env["DOCKER_CONFIG"] || join(home, ".docker"), "config.json"),
  };
}

function homes(env: Environment, home: string, platform: string): { readonly config: string; readonly cache: string } {
  if (platform === "darwin") return { config: join(home, "Library", "Preferences"), cache: join(home, "Library", "Caches") };
  if (platform === "win32") return { config: env["APPDATA"] || home, cache: env["TEMP"] || home };
  return { config: join(home, ".config"), cache: join(home, ".cache") };
}

/** The file names of a repository's cached index. */
export function indexFileName(repository: string): string {
  return repository === "" ? "index.yaml" : `${repository}-index.yaml`;
}

export function chartsFileName(repository: string): string {
  return repository === "" ? "charts.txt" : `${repository}-charts.txt`;
}
