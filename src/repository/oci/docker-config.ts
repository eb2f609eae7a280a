import { Fault } from "../../core/fault/index.ts";
import { fieldsAt, isFields, mapAt, stringAt } from "../../core/object/index.ts";

/** A credential for a registry: a user name and password, a refresh token, or an access token. */
export type Credential =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  | { readonly kind: "refresh"; readonly token: string }
  | { readonly kind: "access"; readonly token: string };

/** Where a configuration stores the credential of a registry. */
type CredentialLocation =
  | { readonly where: "here"; readonly credential: Credential }
  | { readonly where: "helper"; readonly helper: string; readonly server: string }
  | { readonly where: "nowhere" };

const dockerHub = "https://index.docker.io/v1/";

/** The key of a registry in credential stores. Models oras-go registry/remote/credentials ServerAddressFromRegistry */
export function serverAddressOf(registry: string): string {
  return registry === "docker.io" || registry === "registry-1.docker.io" ? dockerHub : registry;
}

/** Parses a docker `config.json`. An invalid file is refused, because it was meant to be used. */
export function readDockerConfig(text: string, file: string): unknown {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch (error) {
    throw new Fault(`read the credentials of ${file}`, error, { final: true });
  }
  throw new Fault(`read the credentials of ${file}`, "it is no JSON object", { final: true });
}

/** Finds the credential of a registry. The helper for this registry comes first, then the default helper, then the file. */
export function credentialLocationIn(config: unknown, registry: string): CredentialLocation {
  const server = serverAddressOf(registry);
  const helper = mapAt(config, "credHelpers")[server] ?? stringAt(config, "credsStore", "");
  if (helper !== "") return { where: "helper", helper, server };
  const auths = fieldsAt(config, "auths");
  const key = Object.keys(auths).find((each) => each === server) ?? Object.keys(auths).find((each) => hostOf(each) === server);
  const credential = key === undefined ? undefined : credentialIn(auths[key]);
  return credential === undefined ? { where: "nowhere" } : { where: "here", credential };
}

function credentialIn(entry: unknown): Credential | undefined {
  const identity = stringAt(entry, "identitytoken", "");
  if (identity !== "") return { kind: "refresh", token: identity };
  const access = stringAt(entry, "registrytoken", "");
  if (access !== "") return { kind: "access", token: access };
  const [fromAuth, passwordFromAuth] = userIn(stringAt(entry, "auth", ""));
  const username = fromAuth || stringAt(entry, "username", "");
  const password = passwordFromAuth || stringAt(entry, "password", "");
  return username === "" || password === "" ? undefined : { kind: "password", username, password };
}

/** `user:password` in base64. */
function userIn(auth: string): readonly [string, string] {
  const text = Buffer.from(auth, "base64").toString("utf8").replace(/\0+$/, "");
  const colon = text.indexOf(":");
  return colon < 0 ? ["", ""] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** Old files use URLs as keys. */
function hostOf(key: string): string {
  return key.replace(/^https?:\/\//, "").split("/", 1)[0] ?? "";
}
