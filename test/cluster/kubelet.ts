import type { Cluster } from "../../src/kube/index.ts";
import type { Behaviour } from "../../src/embedded/index.ts";
import type { Credentials } from "./credential.ts";
import { CustomResources } from "./kubelet/custom-resources.ts";
import { follow } from "./kubelet/follow.ts";
import { serveLogs } from "./kubelet/log-server.ts";
import { keepNode } from "./kubelet/node.ts";
import { Pods } from "./kubelet/pods.ts";
import { Provisioning } from "./kubelet/provisioning.ts";

export type KubeletOptions = {
  readonly cluster: Cluster;
  readonly credentials: Credentials;
  readonly behaviour: Behaviour;
  /** What the kubelet says its version is. */
  readonly version: string;
  /** Told when something goes wrong that a kubelet does not get over. */
  readonly fail: (error: unknown) => void;
  /** Default `node-1`. */
  readonly node?: string;
};

const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
const core = (kind: string) => ({ group: "", version: "v1", kind });

/**
 * Stands in for all that moves in a cluster and is no part of a control plane: one node with its kubelet, which also
 * serves logs, a provisioner of volumes, a load balancer and the operators of custom resources. Nothing runs; what would
 * is told by the behaviour, the same data that the embedded cluster lives by. Scheduling is the real scheduler's, so
 * what the behaviour says of it has no effect.
 */
export async function startKubelet(options: KubeletOptions): Promise<{ stop(): Promise<void> }> {
  const { cluster, credentials, behaviour, version, fail, node = "node-1" } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const pods = new Pods({ cluster, behaviour, node, signal, fail });
  const provisioning = new Provisioning(cluster, behaviour, signal, fail);
  const customResources = new CustomResources(cluster, behaviour, signal, fail);
  const { port, server } = await serveLogs(
    { find: (namespace, name) => pods.find(namespace, name), behaviour, clock: cluster.clock },
    credentials,
  );
  await keepNode(cluster, { name: node, port, version, signal }, fail);
  await provisioning.makeClass();
  const following = [
    follow(cluster, core("Pod"), signal, pods.tell),
    follow(cluster, core("PersistentVolumeClaim"), signal, provisioning.tellOfClaim),
    follow(cluster, core("PersistentVolume"), signal, provisioning.tellOfVolume),
    follow(cluster, core("Service"), signal, provisioning.tellOfService),
    follow(cluster, definitions, signal, customResources.tellOfDefinition),
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
