import { RealClock } from "../core/clock/index.ts";
import { webhookCaller } from "../http/index.ts";
import { connect, openCluster, type Cluster } from "../kube/index.ts";
import type { ClusterFlags } from "./shared-options.ts";

/** An open cluster, and how to close it. */
export type ClusterSession = { readonly cluster: Cluster; readonly name: string; readonly close: () => void };

/**
 * The flags of a command. `kubeconfigFlag`: how the command calls its flag for the kubeconfig. Default `--kubeconfig`.
 * `nodes`: how many an embedded cluster has. Default one.
 */
export type SessionFlags = ClusterFlags & { readonly kubeconfigFlag?: string; readonly nodes?: number };

/** Opens the cluster that the flags name, or starts an embedded one with `--embedded`. */
export async function openClusterSession(options: SessionFlags, warn: (warning: string) => void): Promise<ClusterSession> {
  const { embedded = false, namespace, nodes = 1, ...where } = options;
  const place = namespace === undefined ? {} : { namespace };
  if (!embedded) {
    const { cluster, context, close } = await openCluster({ ...named(where), ...place, warn });
    return { cluster, name: context, close };
  }
  const clock = new RealClock();
  // Uids are its own: the controller tells clusters apart by that of kube-system. How Pods turn out stays the same.
  // The embedded cluster is the largest part of the program, so it is loaded only when asked for.
  const { startEmbeddedCluster } = await import("../embedded/index.ts");
  const { exchange, stop } = startEmbeddedCluster({ clock, nodes, random: Math.random, callWebhook: webhookCaller(clock) });
  return { cluster: connect(exchange, { clock, warn, ...place }), name: "embedded", close: stop };
}

function named({ context, kubeconfig, kubeconfigFlag }: SessionFlags): SessionFlags {
  return {
    ...(kubeconfigFlag === undefined ? {} : { kubeconfigFlag }),
    ...(context === undefined ? {} : { context }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
  };
}
