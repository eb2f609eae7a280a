import { connect } from "node:net";
import { rm } from "node:fs/promises";
import { Fault } from "../core/fault/index.ts";
import { readTextFile } from "../core/file/index.ts";
import { listAt, stringAt } from "../core/object/index.ts";
import type { ServedExchange } from "../server/index.ts";
import { readYaml, writeYaml } from "../lang/yaml/index.ts";
import { codeOf, writePrivateFile, writeErrorText } from "./private-file.ts";

type Entry = { readonly name: string; readonly served: ServedExchange };

/** The first line marks the file as ours, so that it is never mistaken for a user's own. */
const heading = "# Written by `sluice cluster`, and gone when it ends.\n";

/** Writes a kubeconfig that only its owner can read. Refuses to replace a file with other content, or one of a cluster that still runs. */
export async function writeKubeconfig(file: string, entries: readonly Entry[]): Promise<void> {
  const own = new Set(entries.map(({ served }) => served.url));
  const objection = await objectionToReplace(await textOf(file), own);
  if (objection !== undefined) throw new Fault(`write the kubeconfig ${file}`, objection, { final: true });
  try {
    await writePrivateFile(file, heading + writeYaml(kubeconfigOf(entries)));
  } catch (error) {
    throw new Fault(`write the kubeconfig ${file}`, writeErrorText(error, file), { final: true });
  }
}

/** Removes the file if nobody has changed it: its credentials are no longer valid. */
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
    return await readTextFile(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw new Fault(`write the kubeconfig ${file}`, writeErrorText(error, file), { final: true });
  }
}

/** `own` are the addresses of the clusters that the file is written for: a killed cluster may have had the same ones. */
async function objectionToReplace(text: string, own: ReadonlySet<string>): Promise<string | undefined> {
  if (text.trim() === "") return undefined;
  const { contexts, servers } = contentsOf(text);
  if (text.startsWith(heading)) {
    // A cluster that was killed leaves its file behind. It may be replaced when no server in it answers.
    const others = servers.filter((server) => !own.has(server));
    const answers = await Promise.all(others.map(isAnswering));
    const running = others.find((_, index) => answers[index]);
    if (running === undefined) return undefined;
    return `it is of another sluice cluster, which still runs at ${running}: end that one first, or name another file`;
  }
  const held = contexts.length > 0 ? `it holds the contexts ${contexts.join(", ")}` : "it holds something else";
  return `${held}, which would be lost: name a file that does not exist yet`;
}

function contentsOf(text: string): { readonly contexts: readonly string[]; readonly servers: readonly string[] } {
  try {
    const config = readYaml(text, "kubeconfig");
    return {
      contexts: listAt(config, "contexts").map((context) => stringAt(context, "name", "?")),
      servers: listAt(config, "clusters").flatMap((cluster) => stringAt(cluster, "cluster.server") ?? []),
    };
  } catch {
    // A file that is no YAML must not be replaced. The caller refuses it without naming contexts.
    return { contexts: [], servers: [] };
  }
}

/** Tells whether something listens there. On loopback the connection succeeds or fails at once. */
function isAnswering(server: string): Promise<boolean> {
  const { hostname, port } = new URL(server);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}
