/** What a fleet of two embedded clusters consists of: `sluice-1` is the management cluster, `sluice-2` is managed. */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { runProcess, startService, type Service, type SluiceCommand } from "./run-process.ts";

const withinMs = 60_000;

/** A controller or an agent, and where its pages are. */
export type ServingProgram = Service & { readonly url: string };

/** Serves both clusters with the program. The answer ends it. */
export async function serveClusters(program: SluiceCommand, kubeconfig: string): Promise<Service["end"]> {
  return (await startService(program, ["cluster", "--clusters", "2", "--kubeconfig", kubeconfig], /kubectl/)).end;
}

/** Starts a controller or an agent. */
export async function serving(program: SluiceCommand, args: readonly string[], kubeconfig: string): Promise<ServingProgram> {
  const flags = ["--kubeconfig", kubeconfig, "--metrics-address", "127.0.0.1:0"];
  const service = await startService(program, [...args, ...flags], /"listens"/);
  return { ...service, url: (JSON.parse(service.line) as { url: string }).url };
}

export function becomesReady({ url }: ServingProgram): Promise<void> {
  return becomes(
    async () => (await (await fetch(`${url}/readyz`)).text()) === "ok\n",
    () => "ready",
  );
}

/** Registers `sluice-2` as the cluster `mgmt/c2`, with the label `env=fv`. The answer is the exit code. */
export async function registerSecond(program: SluiceCommand, kubeconfig: string, managed: string): Promise<number | null> {
  const text = readFileSync(kubeconfig, "utf8").replace(/^current-context: .*$/m, "current-context: sluice-2");
  writeFileSync(managed, text, { mode: 0o600 });
  const registering = ["register", "cluster", "c2", "--kubeconfig", managed, "--labels", "env=fv", "-n", "mgmt", "--context", "sluice-1"];
  return (await runProcess(program, [...registering, "--management-kubeconfig", kubeconfig])).code;
}

/** Waits for something that other processes do: there is nothing here that could be watched. */
export async function becomes(isRight: () => Promise<boolean>, what: () => string, patienceMs = withinMs): Promise<void> {
  for (const until = Date.now() + patienceMs; !(await isRight());) {
    if (Date.now() > until) throw new Error(`it is not ${what()} after ${patienceMs / 1000} s`);
    await setTimeout(50);
  }
}
