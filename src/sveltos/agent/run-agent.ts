import { sveltosCrds, gvkOf, kinds, sveltosNamespace } from "../api/index.ts";
import { isAlreadyExists, isForbidden, waitForKind, type Cluster } from "../../kube/index.ts";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { runLeaderElection } from "../../reconcile/index.ts";
import { noTelemetry, type Telemetry } from "../telemetry/index.ts";
import { agentLease } from "../controllers/event-source/index.ts";
import { runAgentController } from "./run-agent-controller.ts";

export type AgentOptions = {
  /** Who works here: different for every process. */
  readonly identity: string;
  /** Default: nothing is said to anybody. */
  readonly telemetry?: Telemetry;
  /** Told whom it waits for, where another agent is at work. Default: nobody is told. */
  readonly waiting?: (because: string) => void;
};

/** The kinds that an agent lives on. A controller that looks for an agent waits for them. */
const requiredKinds = ["EventSource", "EventReport"] as const;

/** Evaluates the events of the cluster it runs in, while no other agent does, until the signal aborts. */
export async function runAgent(cluster: Cluster, options: AgentOptions, signal: AbortSignal): Promise<void> {
  const { identity, telemetry = noTelemetry, waiting } = options;
  try {
    await prepare(cluster, signal);
    const leading = { identity, signal, ...(waiting !== undefined && { waiting }) };
    await runLeaderElection(cluster, agentLease, leading, (each) => runAgentController(cluster, telemetry, each));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Brings along what is missing, or waits until somebody who may has done so. */
async function prepare(cluster: Cluster, signal: AbortSignal): Promise<void> {
  await ensure(cluster, { apiVersion: "v1", kind: "Namespace", metadata: { name: sveltosNamespace } }, signal);
  const names = new Set<string>(requiredKinds.map((kind) => `${kinds[kind].plural}.${kinds[kind].group}`));
  const missing = sveltosCrds().filter(({ metadata }) => names.has(metadata.name));
  await Promise.all(missing.map((definition) => ensure(cluster, definition, signal)));
  await Promise.all(requiredKinds.map((kind) => waitForKind(cluster, gvkOf(kind), signal)));
}

/** Creates an object unless it is there. One that may not be created is somebody else's to create. */
async function ensure(cluster: Cluster, object: KubeObject, signal: AbortSignal): Promise<void> {
  try {
    if ((await cluster.find(refOf(object), { signal })) === undefined) await cluster.create(object, { signal });
  } catch (error) {
    if (!isForbidden(error) && !isAlreadyExists(error)) throw error;
  }
}
