import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAt, valueAt, type Fields } from "../../src/core/object/index.ts";
import { readYaml, writeYaml } from "../../src/lang/yaml/index.ts";

/** Writes a kubeconfig of the same user, who impersonates another one, and returns its path. */
export function impersonating(user: string, kubeconfig: string, folder: string): string {
  const config = readYaml(readFileSync(kubeconfig, "utf8"), kubeconfig) as Fields;
  const users = listAt(config, "users").map((entry) => ({ ...entry, user: { ...(valueAt(entry, "user") as Fields), as: user } }));
  const path = join(folder, `${user}.config`);
  writeFileSync(path, writeYaml({ ...config, users }), { mode: 0o600 });
  return path;
}
