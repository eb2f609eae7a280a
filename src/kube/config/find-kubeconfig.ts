import { delimiter, isAbsolute, join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import { mergeKubeconfigs, readKubeconfig, type ClusterEntry, type ContextEntry, type Kubeconfig, type UserEntry } from "./kubeconfig.ts";
import type { Machine } from "./machine.ts";

/** Reads the kubeconfig: the given file, those of KUBECONFIG, or the one in the home folder. Undefined when there is none. `flag` names the file, for errors. */
export async function findKubeconfig(machine: Machine, asked?: string, flag = "--kubeconfig"): Promise<Kubeconfig | undefined> {
  if (asked !== undefined) {
    const file = absolute(machine, asked);
    const config = await readIfThere(machine, file);
    if (config === undefined) throw final(`there is no kubeconfig ${file}: check the path given with ${flag}`);
    return config;
  }
  const listed = [...new Set((machine.env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== ""))];
  const files = listed.length > 0 ? listed.map((file) => absolute(machine, file)) : [join(machine.home, ".kube", "config")];
  const found = (await Promise.all(files.map((file) => readIfThere(machine, file)))).filter((config) => config !== undefined);
  if (found.length > 0) return mergeKubeconfigs(found);
  if (listed.length === 0) return undefined;
  throw final(`KUBECONFIG names ${files.join(" and ")}, but no such file exists: correct it or unset it`);
}

function absolute(machine: Machine, file: string): string {
  return isAbsolute(file) ? file : join(machine.folder, file);
}

async function readIfThere(machine: Machine, file: string): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await machine.read(file);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new Fault(`the kubeconfig ${file} cannot be read`, cause, { final: true });
  }
  return readKubeconfig(text, file);
}

/** A context with its cluster and user. */
export type SelectedContext = { readonly context: ContextEntry; readonly cluster: ClusterEntry; readonly user: UserEntry | undefined };

/** The given context, or the current one, with its cluster and user. `flag` is the flag that selects it, for errors. */
export function chooseContext(config: Kubeconfig, asked?: string, flag = "--context"): SelectedContext {
  const files = config.files.join(" and ");
  const name = asked ?? config.currentContext;
  if (name === undefined) throw final(`no context is current in ${files}: choose one with ${flag}; ${has("contexts", config.contexts)}`);
  const context = config.contexts.find((entry) => entry.name === name);
  if (context === undefined) throw final(`there is no context "${name}" in ${files}: ${has("contexts", config.contexts)}`);
  const cluster = config.clusters.find((entry) => entry.name === context.cluster);
  if (cluster === undefined)
    throw final(
      `context "${name}" in ${context.file} names the cluster "${context.cluster}", which is not there: ${has("clusters", config.clusters)}`,
    );
  if (cluster.server === "") throw final(`cluster "${cluster.name}" in ${cluster.file} has no server: add its address`);
  const user = config.users.find((entry) => entry.name === context.user);
  if (user === undefined && context.user !== "")
    throw final(`context "${name}" in ${context.file} names the user "${context.user}", who is not there: ${has("users", config.users)}`);
  return { context, cluster, user };
}

function has(what: string, entries: readonly { readonly name: string }[]): string {
  return entries.length === 0 ? `it has no ${what}` : `the ${what} there are ${entries.map(({ name }) => name).join(", ")}`;
}

function final(message: string): Fault {
  return new Fault(message, undefined, { final: true });
}
