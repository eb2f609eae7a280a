/** Embedded clusters for tests of the client: in process, and over a socket by kubeconfig. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { VirtualClock } from "../../src/core/clock/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { connect, openCluster, type Cluster } from "../../src/kube/index.ts";
import { serveExchange } from "../../src/server/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../src/embedded/index.ts";

/** `clock` is the cluster's clock; `exchange` reaches it directly. */
export type ConnectedCluster = { readonly cluster: Cluster; readonly clock: VirtualClock; readonly exchange: Exchange };

const { behaviour } = parseBehaviour([{ match: { image: "talks*" }, logs: ["one", { after: "5s", line: "two" }] }]);

/** The client and the embedded cluster in one process. */
export async function connectInProcess(t: TestContext, options: { keptEvents?: number } = {}): Promise<ConnectedCluster> {
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock, behaviour, ...options });
  t.after(stop);
  return { clock, exchange, cluster: connect(exchange, { clock }) };
}

/** The client reaches the embedded cluster by a kubeconfig, over a socket. */
async function overSocket(t: TestContext): Promise<ConnectedCluster> {
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock, behaviour });
  const served = await serveExchange(exchange, { now: new Date() });
  const folder = mkdtempSync(join(tmpdir(), "sluice-embedded-"));
  const kubeconfig = join(folder, "config");
  writeFileSync(join(folder, "ca.crt"), served.authority);
  writeFileSync(join(folder, "me.crt"), served.client.certificate);
  writeFileSync(join(folder, "me.key"), served.client.key);
  writeFileSync(
    kubeconfig,
    `kind: Config
current-context: embedded
clusters: [{ name: c, cluster: { server: "${served.url}", certificate-authority: ca.crt } }]
users: [{ name: u, user: { client-certificate: me.crt, client-key: me.key } }]
contexts: [{ name: embedded, context: { cluster: c, user: u } }]
`,
  );
  const opened = await openCluster({ kubeconfig });
  t.after(async () => {
    opened.close();
    stop();
    await served.close();
    rmSync(folder, { recursive: true });
  });
  return { clock, exchange, cluster: opened.cluster };
}

/** All ways to connect to the embedded cluster. */
export const connections = { "in process": connectInProcess, "over a socket": overSocket } as const;
