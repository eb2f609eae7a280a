import type { RepositoryAccess } from "../repository-access.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";
import { readTextIfExists } from "../store/file.ts";
import { tlsOptionsOf } from "../store/tls-options.ts";
import { withRegistryAuth } from "./registry-auth.ts";
import { askHelper } from "./credential-helper.ts";
import { credentialLocationIn, readDockerConfig, serverAddressOf, type Credential } from "./docker-config.ts";
import { Registry } from "./registry.ts";

/** Opens a registry with the given credentials, otherwise with those of Helm's and then docker's configuration. */
export async function openRegistry(registry: string, access: RepositoryAccess, environment: RepositoryEnvironment): Promise<Registry> {
  const tls = await tlsOptionsOf(access);
  const isPlain = access.plainHttp === true;
  const http = withRegistryAuth(environment.http, { identify: () => credentialFor(registry, access, environment), tls, isPlain });
  return new Registry(http, { registry, isPlain, clock: environment.clock, warn: environment.warn });
}

async function credentialFor(
  registry: string,
  access: RepositoryAccess,
  environment: RepositoryEnvironment,
): Promise<Credential | undefined> {
  const { username = "", password = "" } = access;
  if (username !== "" && password !== "") return { kind: "password", username, password };
  const { registryConfig, dockerConfig } = environment.paths;
  for (const file of [registryConfig, dockerConfig]) {
    const credential = await credentialIn(file, registry, environment);
    if (credential !== undefined) return credential;
  }
  return undefined;
}

async function credentialIn(file: string, registry: string, { env, signal }: RepositoryEnvironment): Promise<Credential | undefined> {
  const location = credentialLocationIn(readDockerConfig(readTextIfExists(file) ?? "", file), serverAddressOf(registry));
  if (location.where === "here") return location.credential;
  return location.where === "helper" ? askHelper(location.helper, location.server, env, signal) : undefined;
}
