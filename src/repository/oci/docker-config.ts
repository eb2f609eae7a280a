import { Fault } from "../../core/fault/index.ts";
import { fieldsAt, isFields, mapAt, stringAt } from "../../core/object/index.ts";

/** Who one is to a registry: a name with a password, or a token to get others with, or one to show as it is. */
export type Credential =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  | { readonly kind: "refresh"; readonly token: string }
  | { readonly kind: "access"; readonly token: string };

/** Where a configuration keeps the credentials of a registry. */
export type CredentialLocation =
  | { readonly where: "here"; readonly credential: Credential }
  | { readonly where: "helper"; readonly helper: string; readonly server: string }
  | { readonly where: "nowhere" };

const dockerHub = "https://index.docker.io/v1/";

/** What a registry is called where credentials are kept. Models oras-go registry/remote/credentials ServerAddressFromRegistry */
export function serverAddressOf(registry: string): string {
  return registry === "docker.io" || registry === "registry-1.docker.io" ? dockerHub : registry;
}

/** Reads a `config.json` of docker's kind. A file that cannot be read as one is refused, since it was meant to be used. */
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

/** Where the credentials of a registry are. A helper for this registry comes before the one for all, and that before the file. */
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

/** Old files call a registry by an address. */
function hostOf(key: string): string {
  return key.replace(/^https?:\/\//, "").split("/", 1)[0] ?? "";
}
