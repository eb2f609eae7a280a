import { isForbidden, type Cluster } from "../../kube/index.ts";
import { labelSelectorOf, labelSelectorText, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { noDiagnostics, readDiagnostics, type Diagnostics } from "./diagnostics.ts";
import { hasPods, podSelectorOf } from "./pod-index.ts";

const podKind = { group: "", version: "v1", kind: "Pod" };
const filter = { skip: false, skipContainers: [], onlyContainers: [], replicas: 1, keep: [], drop: [], events: false };

/** Reads what explains the failure of a workload or a Pod, once and without a wait. Other kinds have nothing to read. */
export async function readObjectDiagnostics(
  ref: ObjectRef,
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<Diagnostics> {
  if (ref.kind !== "Pod" && !hasPods(ref)) return noDiagnostics;
  try {
    const object = await cluster.find(ref, { signal });
    if (object === undefined) return noDiagnostics;
    return await readDiagnostics({ cluster, pods: (within) => podsOf(object, cluster, within), filter, signal });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return noDiagnostics; // The failure is told without it.
  }
}

async function podsOf(object: KubeObject, cluster: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  if (object.kind === "Pod") return [object];
  const selector = podSelectorOf(object);
  if (selector === undefined) return [];
  const labelSelector = labelSelectorText(labelSelectorOf(selector));
  return (await cluster.list(podKind, { namespace: object.metadata.namespace ?? "", labelSelector, signal })).items;
}
