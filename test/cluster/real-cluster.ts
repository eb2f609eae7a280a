import { openCluster } from "../../src/kube/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { suiteBehaviour } from "../conformance/index.ts";
import { startKubelet } from "./kubelet.ts";
import { startCluster } from "./start-cluster.ts";
import { kubernetesVersion } from "./toolchain.ts";

/** A real cluster that tests run on. */
export type RealCluster = {
  readonly exchange: Exchange;
  /** The name of the context. */
  readonly name: string;
  readonly kubeconfig: string | undefined;
  /** The version that the server reports. */
  readonly version: string;
  /** Whether the test kubelet runs, so that pods, volumes and load balancers behave as the suite expects. */
  readonly hasKubelet: boolean;
  /** Stops what was started. Calling it again does nothing. */
  close(): Promise<void>;
};

/** Starts a control plane with the test kubelet. */
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

/** Opens the cluster of the kubeconfig's current context, which has its own nodes. */
export async function openCurrentContext(): Promise<RealCluster> {
  const opened = await openCluster();
  const { gitVersion } = await opened.cluster.version();
  const close = async () => opened.close();
  return { exchange: opened.exchange, name: opened.context, kubeconfig: undefined, version: gitVersion, hasKubelet: false, close };
}
