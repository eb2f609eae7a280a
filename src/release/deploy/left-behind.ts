import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { namespaceRef, readPreviousManifests } from "../prepare/index.ts";
import type { Release, Revision } from "../record/index.ts";

/** How many objects are named. */
const named = 5;

/**
 * What is there of a deleted release that no deletion touches: the objects of its hooks, and the namespace when it was created
 * for it. Empty when there is nothing. The revisions are those before the deletion.
 */
export async function leftBehindText(
  { namespace }: Release,
  revisions: readonly Revision[],
  createdNamespace: boolean,
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> {
  const recorded = await readPreviousManifests(revisions, cluster, namespace);
  const hooks = recorded.filter(({ constraints }) => constraints.hook).map(({ ref }) => ref);
  // What may not be read is not spoken of: the failure matters more.
  const found = await Promise.all(hooks.map((ref) => cluster.find(ref, { signal }).catch(() => undefined)));
  const left = hooks.filter((_, at) => found[at] !== undefined && found[at].metadata.deletionTimestamp === undefined);
  const parts = [
    ...(left.length === 0 ? [] : [`of its hooks ${namesOf(left)}`]),
    ...(createdNamespace ? [`${titleOf(namespaceRef(namespace))}, which was created for it`] : []),
  ];
  return parts.length === 0 ? "" : `what stays: ${parts.join(", and ")}`;
}

function namesOf(refs: readonly ObjectRef[]): string {
  const titles = refs.map(titleOf);
  const rest = titles.length - named;
  return rest > 0 ? `${titles.slice(0, named).join(", ")} and ${rest} more` : titles.join(", ");
}
