import type { ClusterFlags } from "./shared-options.ts";

/** The namespace that a release gets without a cluster: the one named, else that of the context, else `default`. */
export async function contextNamespace({ namespace, kubeconfig, context }: ClusterFlags): Promise<string> {
  if (namespace !== undefined) return namespace;
  // Rendering loads nothing of clusters otherwise.
  const { readContexts } = await import("../kube/index.ts");
  const contexts = await readContexts(kubeconfig === undefined ? {} : { kubeconfig });
  const chosen = contexts.find((each) => (context === undefined ? each.current : each.name === context));
  return chosen?.namespace ?? "default";
}
