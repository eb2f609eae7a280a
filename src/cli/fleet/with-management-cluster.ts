import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { gvkOf, kinds, type KindName } from "../../sveltos/api/index.ts";
import type { ClusterSession, SessionFlags } from "../cluster-session.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";

/** Without these a cluster has no fleet. Some others are missing where Sveltos has installed its own. */
const required: readonly KindName[] = ["SveltosCluster", "ClusterProfile"];

/** As `withCluster`, for a management cluster. One that does not serve the kinds of a fleet is refused. */
export async function withManagementCluster<T>(
  options: SessionFlags,
  terminal: Terminal,
  read: (session: ClusterSession) => Promise<T>,
): Promise<T> {
  return withCluster(options, terminal, async (session) => {
    await requireFleetKinds(session.cluster, session.name, options.kubeconfigFlag ?? "--kubeconfig");
    return read(session);
  });
}

async function requireFleetKinds(hub: Cluster, context: string, kubeconfigFlag: string): Promise<void> {
  const served = await Promise.all(required.map((kind) => hub.discovery.find(gvkOf(kind))));
  const missing = required.filter((_, at) => served[at] === undefined).map((kind) => `${kinds[kind].plural}.${kinds[kind].group}`);
  if (missing.length === 0) return;
  throw new Fault(
    `context ${context} is no management cluster: it has no CustomResourceDefinition ${missing.join(", ")}. ` +
      `Choose the management cluster with --context or ${kubeconfigFlag}, or make this one it with sluice controller --install-definitions`,
    undefined,
    { final: true },
  );
}
