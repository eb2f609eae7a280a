import { gvkOf, sveltosNamespace } from "../api/index.ts";
import { Informer, type Cluster, type ObjectChange } from "../../kube/index.ts";
import { runControlLoop, WorkQueue } from "../../reconcile/index.ts";
import type { Telemetry } from "../telemetry/index.ts";
import { AgentReconciler } from "./agent-reconciler.ts";

/** Keeps a report on every EventSource that a controller has put into the cluster, until the signal aborts. */
export async function runAgentController(cluster: Cluster, telemetry: Telemetry, signal: AbortSignal): Promise<void> {
  const { clock, random } = cluster;
  const sources = new Informer(cluster, gvkOf("EventSource"), { signal });
  const reports = new Informer(cluster, gvkOf("EventReport"), { namespace: sveltosNamespace, signal });
  // What is wrong with one EventSource is no reason to hold up another.
  const queue = new WorkQueue({ clock, random, laneOf: (name) => name, report: telemetry.failureReporter("agent") });
  telemetry.watchQueue("agent", queue);
  await Promise.all([sources.waitForSync({ signal }), reports.waitForSync({ signal })]);
  const assessor = new AgentReconciler(cluster, { sources, reports, queue, telemetry }, signal);
  await assessor.start(signal);
  const heard = [sources, reports].map((events) => ({ events, keysOf: namesIn }));
  await runControlLoop(heard, queue, (name, each) => assessor.reconcile(name, each), signal);
}

/** A report has the name of its EventSource. */
function namesIn({ object }: ObjectChange): readonly string[] {
  return [object.metadata.name];
}
