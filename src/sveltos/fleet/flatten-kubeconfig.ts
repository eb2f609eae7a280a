import { Fault } from "../../core/fault/index.ts";
import { isFields, listAt, stringAt, type Fields } from "../../core/object/index.ts";
import { readYaml, writeYaml } from "../../lang/yaml/index.ts";

/** Reads a file that a kubeconfig names, relative to the kubeconfig itself. */
type ReadFile = (path: string) => Promise<Uint8Array>;

const files = { "certificate-authority": "cluster", "client-certificate": "user", "client-key": "user" } as const;

/**
 * Puts certificates and keys that a kubeconfig names as files into the kubeconfig, as `kubectl config view --flatten`
 * does. Refuses one that needs an exec plugin or an auth provider: it would not work from a Secret.
 */
export async function flattenKubeconfig(kubeconfig: string, name: string, read: ReadFile): Promise<string> {
  const config = readYaml(kubeconfig, name, { duplicateKeys: "last wins" });
  const refuse = (why: string) => new Fault(`${name} ${why}`, undefined, { final: true });
  if (!isFields(config) || listAt(config, "clusters").length === 0) throw refuse("is no kubeconfig: it names no cluster");
  const user = listAt(config, "users").find(
    (entry) => isFields(entry["user"]) && (entry["user"]["exec"] ?? entry["user"]["auth-provider"]) !== undefined,
  );
  if (user !== undefined)
    throw refuse(`gets the credentials of ${stringAt(user, "name", "a user")} from a program: make one with sluice generate kubeconfig`);
  const [clusters, users] = await Promise.all([inlined(config, "clusters", "cluster", read), inlined(config, "users", "user", read)]);
  return writeYaml({ ...config, clusters, users });
}

async function inlined(config: Fields, list: string, part: "cluster" | "user", read: ReadFile): Promise<readonly Fields[]> {
  return Promise.all(listAt(config, list).map(async (entry) => ({ ...entry, [part]: await withData(entry[part], part, read) })));
}

async function withData(value: unknown, part: "cluster" | "user", read: ReadFile): Promise<unknown> {
  if (!isFields(value)) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [field, owner] of Object.entries(files)) {
    const path = stringAt(value, field);
    if (owner !== part || path === undefined) continue;
    delete result[field];
    if (value[`${field}-data`] === undefined) result[`${field}-data`] = Buffer.from(await read(path)).toString("base64");
  }
  const tokenFile = stringAt(value, "tokenFile");
  if (tokenFile === undefined) return result;
  const { tokenFile: _, ...rest } = result;
  return {
    ...rest,
    token: Buffer.from(await read(tokenFile))
      .toString("utf8")
      .trim(),
  };
}
