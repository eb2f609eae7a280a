import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { ManagedCluster } from "../api/index.ts";
import { kubeconfigIn } from "./kubeconfig-secret.ts";
import type { ClusterHandle, OpenKubeconfig } from "./open-kubeconfig.ts";
import { probe } from "./probe.ts";

/** Opens a cluster with the kubeconfig of its Secret, and sees that it answers. Throws a Fault that says what is wrong. */
export async function openManagedCluster(
  hub: Cluster,
  managed: ManagedCluster,
  open: OpenKubeconfig,
  signal: AbortSignal,
): Promise<ClusterHandle> {
  const { namespace, name, kubeconfig } = managed;
  const secret = await hub.find({ group: "", version: "v1", kind: "Secret", namespace, name: kubeconfig.secret }, { signal });
  const found = kubeconfigIn(secret, managed);
  if ("because" in found) throw new Fault(found.because, undefined, { final: true });
  const opened = await open(found.text, `cluster ${namespace}/${name}`);
  try {
    await probe(opened.cluster, signal);
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}
