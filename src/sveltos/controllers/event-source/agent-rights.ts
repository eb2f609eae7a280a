import type { EventSource } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isForbidden, isNotFound, type Cluster } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";

/** The chart binds the agent to the ClusterRole of this name, which is there as long as the cluster has an agent. */
const roleName = "sluice-agent-sources";
const emptyRole: KubeObject = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: roleName, labels: { "app.kubernetes.io/managed-by": "sluice" } },
};

type PolicyRule = { readonly apiGroups: readonly string[]; readonly resources: readonly string[]; readonly verbs: readonly string[] };

/** What an agent has to read for these EventSources: the kinds that they name and that the cluster serves, by group. */
export async function rulesFor(sources: readonly EventSource[], cluster: Pick<Cluster, "discovery">): Promise<readonly PolicyRule[]> {
  const found = await Promise.all(
    sources.flatMap(({ selectors }) => selectors).map(({ group, version, kind }) => cluster.discovery.find({ group, version, kind })),
  );
  const served = found.flatMap((resource) => resource ?? []);
  const groups = Map.groupBy(served, ({ group }) => group);
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, own]) => ({
      apiGroups: [group],
      resources: [...new Set(own.map(({ plural }) => plural))].toSorted(),
      verbs: ["list", "watch"],
    }));
}

/** Lets the agent of a cluster read what the rules say, and no more. Returns why not, where this controller may not do that itself. */
export async function writeAgentRights(rules: readonly PolicyRule[], cluster: Cluster, signal: AbortSignal): Promise<string | undefined> {
  return unlessForbidden(cluster.apply({ ...emptyRole, rules }, { force: true, signal }));
}

/** Takes back what the agent of a cluster may read. */
export async function removeAgentRights(cluster: Cluster, signal: AbortSignal): Promise<void> {
  await unlessForbidden(
    (async () => {
      const role = await cluster.find(refOf(emptyRole), { signal });
      if (role === undefined) return;
      await cluster.delete(refOf(role), { signal }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    })(),
  );
}

/** The rights of an agent may be somebody else's to give: then it says itself what it may not read. */
async function unlessForbidden(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Fault && isForbidden(error)) return error.message;
    throw error;
  }
}
