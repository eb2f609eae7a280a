import { withTimeout } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { failureMessageOf, gvkOf, readCluster, readEventSource, type EventSource } from "../../sveltos/api/index.ts";
import { openManagedCluster, type OpenKubeconfig } from "../../sveltos/fleet/index.ts";
import type { TaskRunner } from "../../worker/index.ts";
import type { EventCandidates } from "../api/index.ts";
import { capiClusterKind } from "../fleet/fleet-reading.ts";
import { judgeCandidates } from "./judge-candidates.ts";

type CandidateContext = {
  readonly cluster: Cluster;
  readonly openManaged: OpenKubeconfig;
  readonly signal: AbortSignal;
  readonly tasks?: TaskRunner | undefined;
};

/** A cluster that has not answered by then is not waited for. */
const timeoutMs = 60_000;

/**
 * Judges the objects of a managed cluster by an EventSource, for the visitor: the kubeconfig of the cluster is in a Secret that
 * the visitor may read.
 */
export async function readCandidates(
  query: URLSearchParams,
  { cluster: hub, openManaged, signal, tasks }: CandidateContext,
): Promise<EventCandidates> {
  const name = query.get("source") ?? "";
  const [kind = "", namespace = "", clusterName = ""] = (query.get("cluster") ?? "").split("/");
  const source = await findSource(name, hub, signal);
  const managed = await findCluster(kind, namespace, clusterName, hub, signal);
  const late = new Fault(`cluster ${namespace}/${clusterName} has not answered within ${timeoutMs / 1000} s`);
  const judge = async (limited: AbortSignal) => {
    const opened = await openManagedCluster(hub, managed, openManaged, limited);
    try {
      return await judgeCandidates(source, opened.cluster, { tasks, signal: limited });
    } finally {
      opened.close();
    }
  };
  return { source: name, ...(await withTimeout(hub.clock, timeoutMs, late, judge, { signal })) };
}

async function findSource(name: string, hub: Cluster, signal: AbortSignal): Promise<EventSource> {
  const object = await hub.find({ ...gvkOf("EventSource"), namespace: "", name }, { signal });
  if (object === undefined) throw new Fault(`there is no EventSource ${name}`, undefined, { final: true });
  const reading = readEventSource(object);
  if (reading.state === "read") return reading.value;
  throw new Fault(failureMessageOf(reading) ?? `EventSource ${name} cannot be read`, undefined, { final: true });
}

async function findCluster(kind: string, namespace: string, name: string, hub: Cluster, signal: AbortSignal) {
  const target = kind === "Cluster" ? await capiClusterKind(hub) : gvkOf("SveltosCluster");
  const object = await hub.find({ ...target, namespace, name }, { signal });
  const reading = object === undefined ? undefined : readCluster(object);
  if (reading?.state === "read") return reading.value;
  throw new Fault(`there is no cluster ${namespace}/${name}`, undefined, { final: true });
}
