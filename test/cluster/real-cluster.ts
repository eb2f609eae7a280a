import { openCluster } from "../../src/kube/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { suiteBehaviour } from "../conformance/index.ts";
import { startKubelet } from "./kubelet.ts";
import { startCluster } from "./start-cluster.ts";
import { kubernetesVersion } from "./toolchain.ts";

/** A cluster that tests can run on. */
export type RealCluster = {
  readonly exchange: Exchange;
  /** The context's name, for people. */
  readonly name: string;
  readonly kubeconfig: string | undefined;
  /** What the server says its version is. */
  readonly version: string;
  /** Whether pods, volumes and load balancers move as the suite's behaviour says. */
  readonly hasKubelet: boolean;
  /** Stops what was started for it. Calling it again does nothing. */
  close(): Promise<void>;
};

/** A control plane of our own, with a kubelet. */
export async function startRealCluster(program: string, fail: (error: unknown) => void): Promise<RealCluster> {
  const running = await startCluster(program);
  try {
    const opened = await openCluster({ kubeconfig: running.kubeconfig });
    const { cluster, exchange } = opened;
    const kubelet = await startKubelet({
      cluster,
      credentials: running.credentials,
      behaviour: suiteBehaviour,
      version: kubernetesVersion,
      fail,
    });
    const stopAll = async () => {
      await kubelet.stop();
      opened.close();
      await running.stop();
    };
    let leaving: Promise<void> | undefined;
    const close = () => (leaving ??= stopAll());
    const { gitVersion } = await cluster.version();
    return { exchange, name: opened.context, kubeconfig: running.kubeconfig, version: gitVersion, hasKubelet: true, close };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** The cluster that the current context of the kubeconfig names. Its pods are moved by whatever it has for that. */
export async function openCurrentContext(): Promise<RealCluster> {
  const opened = await openCluster();
  const { gitVersion } = await opened.cluster.version();
  const close = async () => opened.close();
  return { exchange: opened.exchange, name: opened.context, kubeconfig: undefined, version: gitVersion, hasKubelet: false, close };
}
