/** Processes with embedded clusters, as `fleet-host.ts` runs in them. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { HostCommand, HostMessage } from "./fleet-host.ts";

/** By the name of the cluster. */
export type Kubeconfigs = Readonly<Record<string, string>>;

export function startEmbeddedHost(): ChildProcess {
  return fork(join(import.meta.dirname, "fleet-host.ts"), { stdio: "inherit" });
}

export async function serveClusters(host: ChildProcess, names: readonly string[]): Promise<Kubeconfigs> {
  sendCommand(host, { serve: names });
  const [message] = (await once(host, "message")) as [HostMessage];
  if (!("kubeconfigs" in message)) throw new Error("a host has sent another message than its kubeconfigs");
  return message.kubeconfigs;
}

export function sendCommand(host: ChildProcess, what: HostCommand): void {
  host.send(what);
}
