import { Fault } from "../../../core/fault/index.ts";
import { isForbidden, isNotFound, type Cluster } from "../../../kube/index.ts";
import { numberAt } from "../../../core/object/index.ts";

/** Where Sveltos is always installed. */
const namespace = "projectsveltos";

/**
 * The Deployments of the Sveltos controllers that write the same objects. They have no leader election, so only their running
 * Pods show that they are active.
 */
const sveltosControllers = ["addon-controller", "event-manager", "sc-manager", "classifier-manager"] as const;

/** Throws when Sveltos controllers run in the management cluster: two controllers of the same profiles undo each other's work. */
export async function refuseBesideSveltos(hub: Cluster, signal: AbortSignal): Promise<void> {
  const found = await Promise.all(sveltosControllers.map((name) => isRunning(hub, name, signal)));
  const running = sveltosControllers.filter((_, index) => found[index]);
  if (running.length === 0) return;
  throw new Fault(
    `controllers of Sveltos are running here, and would work on the same objects: ${running.map((name) => `deployment ${namespace}/${name}`).join(", ")}. ` +
      `Stop them (kubectl -n ${namespace} scale deployment ${running.join(" ")} --replicas=0), or start with --beside-sveltos`,
    undefined,
    { final: true },
  );
}

async function isRunning(hub: Cluster, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    const found = await hub.find({ group: "apps", version: "v1", kind: "Deployment", namespace, name }, { signal });
    return numberAt(found, "status.availableReplicas", 0) > 0;
  } catch (error) {
    if (isNotFound(error)) return false;
    if (!isForbidden(error)) throw error;
    throw new Fault(`see whether Sveltos runs here (who knows that it does not starts with --beside-sveltos)`, error, { final: true });
  }
}
