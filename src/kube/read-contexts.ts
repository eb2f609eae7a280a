import { findKubeconfig, thisMachine } from "./config/index.ts";
import type { OpenOptions } from "./open-cluster.ts";

/** A context of a kubeconfig. */
type KubeContext = {
  readonly name: string;
  readonly cluster: string;
  readonly namespace: string | undefined;
  /** Whether it is the one that is used when none is named. */
  readonly current: boolean;
};

/** The contexts of the kubeconfig; none where there is no kubeconfig. Asks no cluster. */
export async function readContexts({ kubeconfig, machine = thisMachine() }: Pick<OpenOptions, "kubeconfig" | "machine"> = {}): Promise<
  readonly KubeContext[]
> {
  const config = await findKubeconfig(machine, kubeconfig);
  if (config === undefined) return [];
  return config.contexts.map(({ name, cluster, namespace }) => ({ name, cluster, namespace, current: name === config.currentContext }));
}
