import type { Cluster } from "../../src/kube/index.ts";
import type { Behaviour } from "../../src/embedded/index.ts";
import type { ClusterCredentials } from "./cluster-credentials.ts";
import { CustomResourceOperator } from "./kubelet/custom-resource-operator.ts";
import { watchForever } from "./kubelet/watch-forever.ts";
import { serveLogs } from "./kubelet/log-server.ts";
import { registerNode } from "./kubelet/register-node.ts";
import { PodStatusWriter } from "./kubelet/pod-status-writer.ts";
import { Provisioner } from "./kubelet/provisioner.ts";

type KubeletOptions = {
  readonly cluster: Cluster;
  readonly credentials: ClusterCredentials;
  readonly behaviour: Behaviour;
  /** The version that the kubelet reports. */
  readonly version: string;
  /** Called with errors that the kubelet does not recover from. */
  readonly fail: (error: unknown) => void;
  /** Default `node-1`. */
  readonly node?: string;
};

const crdKind = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
const core = (kind: string) => ({ group: "", version: "v1", kind });

/**
 * Replaces what a cluster needs beside a control plane: one node with its kubelet, which also serves logs, a provisioner of
 * volumes, a load balancer and the operators of custom resources. Nothing is executed; statuses follow the same behaviour
 * rules as in the embedded cluster. The real scheduler schedules, so rules about scheduling have no effect.
 */
export async function startKubelet(options: KubeletOptions): Promise<{ stop(): Promise<void> }> {
  const { cluster, credentials, behaviour, version, fail, node = "node-1" } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const pods = new PodStatusWriter({ cluster, behaviour, node, signal, fail });
  const provisioning = new Provisioner(cluster, behaviour, signal, fail);
  const customResources = new CustomResourceOperator(cluster, behaviour, signal, fail);
  const { port, server } = await serveLogs(
    { find: (namespace, name) => pods.find(namespace, name), behaviour, clock: cluster.clock },
    credentials,
  );
  await registerNode(cluster, { name: node, port, version, signal }, fail);
  await provisioning.makeClass();
  const following = [
    watchForever(cluster, core("Pod"), signal, pods.onPodEvent),
    watchForever(cluster, core("PersistentVolumeClaim"), signal, provisioning.onClaimEvent),
    watchForever(cluster, core("PersistentVolume"), signal, provisioning.onVolumeEvent),
    watchForever(cluster, core("Service"), signal, provisioning.onServiceEvent),
    watchForever(cluster, crdKind, signal, customResources.onCrdEvent),
  ];
  for (const loop of following) loop.catch(fail);
  return {
    async stop() {
      ended.abort();
      pods.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.allSettled(following);
    },
  };
}
