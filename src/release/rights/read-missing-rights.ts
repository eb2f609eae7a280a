import type { GroupVersionKind } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { Proposal } from "../deploy/index.ts";
import { leaseNameOf, storageName } from "../record/index.ts";
import { missingOf, type Right } from "./right.ts";

/**
 * Asks the API server which rights an operation lacks to delete objects and to write its records and its Lease: no dry run tries
 * these. Returns each as `delete configmaps in shop`.
 */
export async function readMissingRights(proposal: Proposal, cluster: Cluster, signal: AbortSignal): Promise<readonly string[]> {
  return missingOf([...recordRights(proposal), ...(await deletionRights(proposal, cluster))], cluster, signal);
}

function recordRights({ release, revision, unchanged }: Proposal): readonly Right[] {
  if (unchanged) return [];
  const { namespace } = release;
  const secrets = { group: "", resource: revision.storage === "ConfigMap" ? "configmaps" : "secrets", namespace };
  const leases = { group: "coordination.k8s.io", resource: "leases", namespace };
  return [
    { verb: "create", ...secrets, names: [] },
    { verb: "update", ...secrets, names: [storageName(release.name, revision.revision)] },
    { verb: "create", ...leases, names: [] },
    { verb: "update", ...leases, names: [leaseNameOf(release)] },
  ];
}

/** One for each kind and namespace of which objects are deleted or replaced. */
async function deletionRights({ plan }: Proposal, cluster: Cluster): Promise<readonly Right[]> {
  const refs = plan.steps.flatMap(({ action }) =>
    action.verb === "delete" || (action.verb === "apply" && action.replace) ? [action.ref] : [],
  );
  const groups = [...Map.groupBy(refs, ({ group, kind, namespace }) => `${group}/${kind}/${namespace}`).values()];
  const rights = await Promise.all(
    groups.map(async (group): Promise<readonly Right[]> => {
      const { namespace, ...gvk } = group[0]!;
      const resource = await pluralOf(gvk, cluster);
      const names = [...new Set(group.map(({ name }) => name))];
      return resource === undefined ? [] : [{ verb: "delete", group: gvk.group, resource, namespace, names }];
    }),
  );
  return rights.flat();
}

async function pluralOf(gvk: GroupVersionKind, cluster: Cluster): Promise<string | undefined> {
  return (await cluster.discovery.find(gvk))?.plural;
}
