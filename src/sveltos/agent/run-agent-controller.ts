import { gvkOf, sveltosNamespace, wholeNameOf } from "../api/index.ts";
import { Informer, type Cluster, type ObjectChange } from "../../kube/index.ts";
import { runControlLoop, WorkQueue } from "../../reconcile/index.ts";
import type { Telemetry } from "../telemetry/index.ts";
import type { TaskRunner } from "../../worker/index.ts";
import { AgentReconciler } from "./agent-reconciler.ts";

/** Writes an EventReport for every EventSource that a controller has created in the cluster, until the signal aborts. */
export async function runAgentController(
  cluster: Cluster,
  telemetry: Telemetry,
  tasks: TaskRunner | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random, onRecovery } = cluster;
  const sources = new Informer(cluster, gvkOf("EventSource"), { signal });
  const reports = new Informer(cluster, gvkOf("EventReport"), { namespace: sveltosNamespace, signal });
  // A lane for each EventSource: the failure of one must not slow down another.
  const queue = new WorkQueue({ clock, random, onRecovery, laneOf: (name) => name, report: telemetry.failureReporter("agent") });
  telemetry.watchQueue("agent", queue);
  await Promise.all([sources.waitForSync({ signal }), reports.waitForSync({ signal })]);
  const reconciler = new AgentReconciler(cluster, { sources, reports, queue, telemetry, tasks }, signal);
  await reconciler.start(signal);
  const informers = [sources, reports].map((events) => ({ events, keysOf: namesIn }));
  await runControlLoop(informers, queue, (name, each) => reconciler.reconcile(name, each), signal);
}

/** A report has the name of its EventSource. */
function namesIn({ object }: ObjectChange): readonly string[] {
  return [wholeNameOf(object)];
}
