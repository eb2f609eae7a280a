/**
 * A process with embedded clusters, each behind its own socket. On command it creates Services in all of them at once, and
 * reports when they have their NetworkPolicies.
 */
import { RealClock } from "../src/core/clock/index.ts";
import { connect, newInformer, type Cluster } from "../src/kube/index.ts";
import { serveExchange, type ServedExchange } from "../src/server/index.ts";
import { startEmbeddedCluster } from "../src/embedded/index.ts";
import { serviceNamed } from "./fleet-service.ts";

export type HostCommand = { readonly serve: readonly string[] } | { readonly services: number };
export type HostMessage = { readonly kubeconfigs: Readonly<Record<string, string>> } | { readonly deployed: number };

const clock = new RealClock();
const clusters: Cluster[] = [];
const networkPolicies = { group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy" };
/** How many NetworkPolicies are reported at once. */
const everyPolicies = 100;

process.on("disconnect", () => process.exit());
process.on("message", (command: HostCommand) => {
  const work = "serve" in command ? open(command.serve) : createServices(command.services);
  work.catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});

async function open(names: readonly string[]): Promise<void> {
  const kubeconfigs: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const { exchange } = startEmbeddedCluster({ clock, seed: index + 1 });
    clusters.push(connect(exchange, { clock }));
    kubeconfigs[name] = kubeconfigOf(name, await serveExchange(exchange, { name, now: new Date(clock.now()) }));
  }
  sendMessage({ kubeconfigs });
}

async function createServices(services: number): Promise<void> {
  let unreported = 0;
  for (const cluster of clusters) void count(cluster, () => (++unreported === everyPolicies ? flush() : undefined));
  // The clusters are independent, so their Services are created in parallel.
  await Promise.all(
    clusters.map(async (cluster) => {
      for (let index = 0; index < services; index++) await cluster.create(serviceNamed(`service-${index}`));
    }),
  );

  function flush(): void {
    sendMessage({ deployed: unreported });
    unreported = 0;
  }
}

async function count(cluster: Cluster, one: () => void): Promise<void> {
  for await (const { type } of newInformer(cluster, networkPolicies, { namespace: "default" })) if (type === "added") one();
}

function sendMessage(message: HostMessage): void {
  process.send?.(message);
}

function kubeconfigOf(name: string, { url, authority, client }: ServedExchange): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server: url, "certificate-authority-data": base64(authority) } }],
    users: [{ name, user: { "client-certificate-data": base64(client.certificate), "client-key-data": base64(client.key) } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
