import { Fault } from "../../core/fault/index.ts";
import { isFields, type Fields } from "../../core/object/index.ts";
import type { Machine } from "./machine.ts";
import { readYaml, writeYaml } from "../../lang/yaml/index.ts";

/** Writes the new tokens of a user's auth-provider back to its kubeconfig file, as kubectl does. */
export async function persistAuthProvider(
  machine: Pick<Machine, "read" | "write">,
  user: { readonly file: string; readonly name: string },
  config: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await rewrite(machine, user, config);
  } catch (cause) {
    throw new Fault(`keep the new tokens of user "${user.name}" in ${user.file}`, cause, { final: true });
  }
}

async function rewrite(
  machine: Pick<Machine, "read" | "write">,
  user: { readonly file: string; readonly name: string },
  config: Readonly<Record<string, string>>,
): Promise<void> {
  const document = readYaml(await machine.read(user.file), user.file, { duplicateKeys: "last wins" });
  if (!isFields(document) || !Array.isArray(document["users"])) return;
  const users = document["users"].map((entry: unknown) =>
    isFields(entry) && entry["name"] === user.name ? withConfig(entry, config) : entry,
  );
  await machine.write(user.file, writeYaml({ ...document, users }));
}

function withConfig(entry: Fields, config: Readonly<Record<string, string>>): Fields {
  const user = isFields(entry["user"]) ? entry["user"] : {};
  const provider = isFields(user["auth-provider"]) ? user["auth-provider"] : {};
  return { ...entry, user: { ...user, "auth-provider": { ...provider, config } } };
}
