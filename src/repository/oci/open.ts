import type { Access } from "../access.ts";
import type { Outside } from "../outside.ts";
import { textIn } from "../store/file.ts";
import { trustOf } from "../web/trust.ts";
import { authorized } from "./authorize.ts";
import { askHelper } from "./credential-helper.ts";
import { keepingIn, readDockerConfig, serverAddressOf, type Credential } from "./docker-config.ts";
import { Registry } from "./registry.ts";

/** Opens a registry: as whom one says one is, else as whom Helm's and then docker's configuration know one there. */
export async function openRegistry(registry: string, access: Access, outside: Outside): Promise<Registry> {
  const trust = await trustOf(access);
  const isPlain = access.plainHttp === true;
  const web = authorized(outside.web, { identify: () => credentialFor(registry, access, outside), trust, isPlain });
  return new Registry(web, { registry, isPlain, warn: outside.warn });
}

async function credentialFor(registry: string, access: Access, outside: Outside): Promise<Credential | undefined> {
  const { username = "", password = "" } = access;
  if (username !== "" && password !== "") return { kind: "password", username, password };
  const { registryConfig, dockerConfig } = outside.places;
  for (const file of [registryConfig, dockerConfig]) {
    const credential = await credentialIn(file, registry, outside);
    if (credential !== undefined) return credential;
  }
  return undefined;
}

async function credentialIn(file: string, registry: string, { env, signal }: Outside): Promise<Credential | undefined> {
  const keeping = keepingIn(readDockerConfig(textIn(file) ?? "", file), serverAddressOf(registry));
  if (keeping.where === "here") return keeping.credential;
  return keeping.where === "helper" ? askHelper(keeping.helper, keeping.server, env, signal) : undefined;
}
