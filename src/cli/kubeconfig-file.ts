import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { Fault } from "../fault/index.ts";
import { listAt, stringAt } from "../object/index.ts";
import type { Served } from "../server/index.ts";
import { readYaml, writeYaml } from "../yaml/index.ts";

type Entry = { readonly name: string; readonly served: Served };

/** Says first what the file is, so that it is never taken for somebody's own. */
const heading = "# Written by `sluice cluster`, and gone when it ends.\n";

/** Writes how to reach the clusters, for the owner's eyes only. A file that holds anything else is left alone. */
export async function writeKubeconfig(file: string, entries: readonly Entry[]): Promise<void> {
  const objection = objectionToReplace(await textOf(file));
  if (objection !== undefined) throw new Fault(`write the kubeconfig ${file}`, objection, { final: true });
  const temporary = `${file}.${process.pid}.new`;
  try {
    await writeFile(temporary, heading + writeYaml(kubeconfigOf(entries)), { mode: 0o600, flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new Fault(`write the kubeconfig ${file}`, error, { final: true });
  }
}

/** Removes the file if it still is what was written: its credentials are good for nothing any more. */
export async function removeKubeconfig(file: string, entries: readonly Entry[]): Promise<void> {
  if ((await textOf(file)) === heading + writeYaml(kubeconfigOf(entries))) await rm(file, { force: true });
}

function kubeconfigOf(entries: readonly Entry[]): unknown {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": entries[0]?.name ?? "",
    clusters: entries.map(({ name, served }) => ({
      name,
      cluster: { server: served.url, "certificate-authority-data": base64(served.authority) },
    })),
    users: entries.map(({ name, served: { client } }) => ({
      name,
      user: { "client-certificate-data": base64(client.certificate), "client-key-data": base64(client.key) },
    })),
    contexts: entries.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new Fault(`read ${file}`, error, { final: true });
  }
}

function objectionToReplace(text: string): string | undefined {
  if (text.trim() === "" || text.startsWith(heading)) return undefined;
  const names = contextsIn(text);
  const held = names.length > 0 ? `it holds the contexts ${names.join(", ")}` : "it holds something else";
  return `${held}, which would be lost: name a file that does not exist yet`;
}

function contextsIn(text: string): readonly string[] {
  try {
    return listAt(readYaml(text, "kubeconfig"), "contexts").map((context) => stringAt(context, "name", "?"));
  } catch {
    // Whatever it is, it is not ours to replace; the caller says so without naming contexts.
    return [];
  }
}
