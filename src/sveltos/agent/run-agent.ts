import { sveltosCrds, gvkOf, kinds, sveltosNamespace } from "../api/index.ts";
import { isAlreadyExists, isForbidden, waitForKind, type Cluster } from "../../kube/index.ts";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { runLeaderElection } from "../../reconcile/index.ts";
import { noTelemetry, type Telemetry } from "../telemetry/index.ts";
import { agentLease } from "../controllers/event-source/index.ts";
import type { TaskRunner } from "../../worker/index.ts";
import { runAgentController } from "./run-agent-controller.ts";

type AgentOptions = {
  /** Identifies this process in the Lease. */
  readonly identity: string;
  /** Default: none. */
  readonly telemetry?: Telemetry;
  /** Runs scripts and CEL rules elsewhere. Default: they run here. */
  readonly tasks?: TaskRunner;
  /** Called with the reason while another agent leads. */
  readonly waiting?: (because: string) => void;
};

/** The kinds that an agent needs. A controller waits until the cluster serves them. */
const requiredKinds = ["EventSource", "EventReport"] as const;

/** Evaluates the events of its own cluster while it leads, until the signal aborts. */
export async function runAgent(cluster: Cluster, options: AgentOptions, signal: AbortSignal): Promise<void> {
  const { identity, telemetry = noTelemetry, tasks, waiting } = options;
  try {
    await prepare(cluster, signal);
    const leading = { identity, signal, ...(waiting !== undefined && { waiting }) };
    await runLeaderElection(cluster, agentLease, leading, (each) => runAgentController(cluster, telemetry, tasks, each));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Creates the namespace and the CRDs, or waits until somebody with the right to has done so. */
async function prepare(cluster: Cluster, signal: AbortSignal): Promise<void> {
  await ensure(cluster, { apiVersion: "v1", kind: "Namespace", metadata: { name: sveltosNamespace } }, signal);
  const names = new Set<string>(requiredKinds.map((kind) => `${kinds[kind].plural}.${kinds[kind].group}`));
  const crds = sveltosCrds().filter(({ metadata }) => names.has(metadata.name));
  await Promise.all(crds.map((crd) => ensure(cluster, crd, signal)));
  await Promise.all(requiredKinds.map((kind) => waitForKind(cluster, gvkOf(kind), signal)));
}

/** Creates an object unless it exists. Without the right to, somebody else has to. */
async function ensure(cluster: Cluster, object: KubeObject, signal: AbortSignal): Promise<void> {
  try {
    if ((await cluster.find(refOf(object), { signal })) === undefined) await cluster.create(object, { signal });
  } catch (error) {
    if (!isForbidden(error) && !isAlreadyExists(error)) throw error;
  }
}
