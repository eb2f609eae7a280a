import type { Cluster, ServedGroup } from "../../kube/index.ts";
import { defaultCapabilities, type Capabilities } from "../render/index.ts";

/** The capabilities of a cluster: its version and the API versions that it serves. Models helm pkg/action GetVersionSet */
export async function readCapabilities(cluster: Cluster, { signal }: { readonly signal: AbortSignal }): Promise<Capabilities> {
  const [{ gitVersion }, groups] = await Promise.all([cluster.version({ signal }), cluster.discovery.groups()]);
  return { ...defaultCapabilities, kubeVersion: gitVersion, apiVersions: versionsIn(groups) };
}

/** `apps/v1`, followed by `apps/v1/Deployment` for every kind. */
function versionsIn(groups: readonly ServedGroup[]): readonly string[] {
  const served = groups.flatMap(({ group, versions }) =>
    versions.map(({ version, resources }) => ({ name: group === "" ? version : `${group}/${version}`, resources })),
  );
  const kinds = served.flatMap(({ name, resources }) => resources.map(({ kind }) => `${name}/${kind}`));
  return [...served.map(({ name }) => name), ...new Set(kinds)];
}
