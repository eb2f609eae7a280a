import type { RoleRequestClusterInfo } from "../../api/index.ts";
import { isGrantedBy, roleTitle } from "../../tenant/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { equal, keyOf, refOf, type KubeObject } from "../../../core/object/index.ts";
import { deleteAll, listGrant } from "./grant-in-cluster.ts";

/**
 * Finds what stays of a grant that cannot be written as it is now wanted: what was granted before and is wanted unchanged. So it is
 * never more than the last version, nor more than the one that fails. A role stays together with its binding.
 */
export function commonGrant(
  existing: readonly KubeObject[],
  wanted: readonly KubeObject[],
  before: RoleRequestClusterInfo | undefined,
): readonly KubeObject[] {
  const byKey = new Map(wanted.map((object) => [keyOf(refOf(object)), object]));
  const same = existing.filter((live) => isGrantedBy(before, roleTitle(live)) && isSame(live, byKey.get(keyOf(refOf(live)))));
  const pairs = Map.groupBy(same, roleTitle);
  return same.filter((object) => pairs.get(roleTitle(object))?.length === 2);
}

/** Deletes all of a grant but these. */
export async function narrowGrant(request: string, kept: readonly KubeObject[], cluster: Cluster, signal: AbortSignal): Promise<void> {
  const keys = new Set(kept.map((object) => keyOf(refOf(object))));
  const existing = await listGrant(request, cluster, signal);
  await deleteAll(
    existing.filter((object) => !keys.has(keyOf(refOf(object)))),
    cluster,
    signal,
  );
}

function isSame(live: KubeObject, wanted: KubeObject | undefined): boolean {
  if (wanted === undefined || live["aggregationRule"] !== undefined) return false;
  return ["rules", "roleRef", "subjects"].every((field) => equal(live[field] ?? [], wanted[field] ?? []));
}
