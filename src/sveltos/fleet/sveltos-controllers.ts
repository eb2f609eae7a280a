import { isNotFound, type Cluster } from "../../kube/index.ts";
import { numberAt } from "../../core/object/index.ts";
import { sveltosNamespace } from "../api/index.ts";

/**
 * The Deployments of the Sveltos controllers that write the same objects. They have no leader election, so only their running
 * Pods show that they are active.
 */
const sveltosControllers = ["addon-controller", "event-manager", "sc-manager", "classifier-manager"] as const;

/** The names of Sveltos' Deployments that are available in the management cluster, in the namespace where it is always installed. */
export async function runningSveltosControllers(hub: Cluster, signal: AbortSignal): Promise<readonly string[]> {
  const found = await Promise.all(sveltosControllers.map((name) => isRunning(hub, name, signal)));
  return sveltosControllers.filter((_, index) => found[index]);
}

async function isRunning(hub: Cluster, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    const ref = { group: "apps", version: "v1", kind: "Deployment", namespace: sveltosNamespace, name };
    return numberAt(await hub.find(ref, { signal }), "status.availableReplicas", 0) > 0;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
