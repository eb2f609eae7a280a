import { gvkOf, sveltosNamespace } from "../api/index.ts";
import { Informer, type Cluster, type ObjectChange } from "../../kube/index.ts";
import { control, WorkQueue } from "../../reconcile/index.ts";
import type { Chronicle } from "../telemetry/index.ts";
import { Assessor } from "./assessor.ts";

/** Keeps a report on every EventSource that a controller has put into the cluster, until the signal aborts. */
export async function keepReports(cluster: Cluster, chronicle: Chronicle, signal: AbortSignal): Promise<void> {
  const { clock, random } = cluster;
  const sources = new Informer(cluster, gvkOf("EventSource"), { signal });
  const reports = new Informer(cluster, gvkOf("EventReport"), { namespace: sveltosNamespace, signal });
  // What is wrong with one EventSource is no reason to hold up another.
  const queue = new WorkQueue({ clock, random, laneOf: (name) => name, report: chronicle.failures("agent") });
  chronicle.watch("agent", queue);
  await Promise.all([sources.ready({ signal }), reports.ready({ signal })]);
  const assessor = new Assessor(cluster, { sources, reports, queue, chronicle }, signal);
  await assessor.begin(signal);
  const heard = [sources, reports].map((changes) => ({ changes, keysOf: namesIn }));
  await control(heard, queue, (name, each) => assessor.settle(name, each), signal);
}

/** A report has the name of its EventSource. */
function namesIn({ object }: ObjectChange): readonly string[] {
  return [object.metadata.name];
}
