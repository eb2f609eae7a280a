import { Fault } from "../../../core/fault/index.ts";
import { isForbidden, type Cluster } from "../../../kube/index.ts";
import { sveltosNamespace } from "../../api/index.ts";
import { runningSveltosControllers } from "../../fleet/index.ts";

/** Throws when Sveltos controllers run in the management cluster: two controllers of the same profiles undo each other's work. */
export async function refuseBesideSveltos(hub: Cluster, signal: AbortSignal): Promise<void> {
  const running = await findRunning(hub, signal);
  if (running.length === 0) return;
  throw new Fault(
    `controllers of Sveltos are running here, and would work on the same objects: ${running.map((name) => `deployment ${sveltosNamespace}/${name}`).join(", ")}. ` +
      `Stop them (kubectl -n ${sveltosNamespace} scale deployment ${running.join(" ")} --replicas=0), or start with --beside-sveltos`,
    undefined,
    { final: true },
  );
}

async function findRunning(hub: Cluster, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await runningSveltosControllers(hub, signal);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new Fault(`see whether Sveltos runs here (who knows that it does not starts with --beside-sveltos)`, error, { final: true });
  }
}
