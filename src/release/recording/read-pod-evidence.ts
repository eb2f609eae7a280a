import type { KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { Plan } from "../plan/index.ts";
import { recordedPodsOf } from "./pod-evidence.ts";
import type { RecordedPod } from "./recording.ts";

const podKind = { group: "", version: "v1", kind: "Pod" };
const eventKind = { group: "", version: "v1", kind: "Event" };
const withPods = new Set(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job", "Pod"]);

/** More namespaces or objects are not looked at. */
const [maxNamespaces, limit] = [5, 100];

/** The namespaces in which a plan waits for pods. */
export function namespacesWithPods({ steps }: Plan): readonly string[] {
  const namespaces = steps.flatMap(({ action }) => {
    if (action.verb !== "await" || action.external || !withPods.has(action.ref.kind)) return [];
    return action.gates.every(({ until }) => until === "absent") ? [] : [action.ref.namespace];
  });
  return [...new Set(namespaces)].filter((namespace) => namespace !== "").slice(0, maxNamespaces);
}

/** Reads what the pods that were created since then tell about their start. Who may not read them goes without. */
export async function readPodEvidence(
  namespaces: readonly string[],
  sinceMs: number,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<readonly RecordedPod[]> {
  const read = async (namespace: string) => {
    const pods = firstPage(cluster, podKind, { namespace, limit, signal });
    const events = firstPage(cluster, eventKind, { namespace, fieldSelector: "reason=Pulled", limit, signal });
    return recordedPodsOf(await pods, await events, sinceMs);
  };
  return (await Promise.all(namespaces.map(read))).flat();
}

async function firstPage(cluster: Cluster, kind: typeof podKind, options: Parameters<Cluster["pages"]>[1]): Promise<readonly KubeObject[]> {
  try {
    for await (const { items } of cluster.pages(kind, options)) return items;
  } catch {
    return []; // Evidence is not worth a failure.
  }
  return [];
}
