import {
  clusterReference,
  clusterReferredTo,
  selectsCluster,
  type ClusterId,
  type ObjectReference,
  type RoleRequest,
  type RoleRequestClusterInfo,
  type RoleRequestStatus,
} from "../../api/index.ts";
import { clusterIdOf, clusterKey, type Fleet } from "../../fleet/index.ts";
import { isConflict } from "../../../kube/index.ts";
import { equal, fieldsAt, listAt, refOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";

/** How often a status is written anew when another replica has written it in between. */
const attempts = 10;

/** The entry of one cluster in the status of a RoleRequest; undefined where nothing of it is in the cluster. */
export function clusterInfoOf(object: KubeObject, cluster: string): RoleRequestClusterInfo | undefined {
  return infosOf(object).find((info) => keyOfInfo(info) === cluster);
}

/** The clusters in which something of a RoleRequest may be. */
export function grantedClusters(object: KubeObject): readonly string[] {
  return infosOf(object).flatMap((info) => keyOfInfo(info) ?? []);
}

/** The clusters that a RoleRequest selects, whether they can be reached or not. */
export function matchingRequest({ clusterSelector }: RoleRequest, fleet: Fleet): readonly ClusterId[] {
  return fleet.managedClusters().filter(({ labels, deleting }) => !deleting && selectsCluster(clusterSelector, labels));
}

/** Says in the status what became of a RoleRequest in one cluster, and returns the object. Replicas write it for different clusters. */
export async function writeClusterInfo(
  object: KubeObject,
  cluster: string,
  info: Omit<RoleRequestClusterInfo, "cluster"> | undefined,
  matching: readonly ClusterId[],
  context: ControllerContext,
  signal: AbortSignal,
): Promise<KubeObject> {
  return writeStatus(object, context, signal, (live) => {
    const others = infosOf(live).filter((each) => keyOfInfo(each) !== cluster);
    const own = info === undefined ? [] : [{ cluster: clusterReference(clusterIdOf(cluster)), ...info }];
    const clusterInfo = [...others, ...own].toSorted((a, b) => ((keyOfInfo(a) ?? "") < (keyOfInfo(b) ?? "") ? -1 : 1));
    return { clusterInfo, matchingClusters: matching.map(clusterReference), failureMessage: null };
  });
}

/** Says in the status why a RoleRequest cannot be granted anywhere. What was granted before stays. */
export async function writeObjection(
  object: KubeObject,
  failureMessage: string,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  await writeStatus(object, context, signal, () => ({ failureMessage }));
}

type StatusPatch = Partial<Omit<RoleRequestStatus, "failureMessage">> & { readonly failureMessage: string | null };

async function writeStatus(
  object: KubeObject,
  { hub, cache }: ControllerContext,
  signal: AbortSignal,
  change: (live: KubeObject) => StatusPatch,
): Promise<KubeObject> {
  let live = object;
  for (let attempt = 1; ; attempt++) {
    const status = change(live);
    const before = { clusterInfo: [], matchingClusters: [], failureMessage: null, ...fieldsAt(live, "status") };
    if (equal({ ...before, ...status }, before)) return live;
    const patch = { metadata: { resourceVersion: live.metadata.resourceVersion }, status };
    try {
      const written = await hub.patch(refOf(live), { type: "merge", patch }, { subresource: "status", signal });
      await cache.waitForWrites([written], signal);
      return written;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
      live = await hub.get(refOf(live), { signal });
    }
  }
}

function infosOf(object: KubeObject): readonly RoleRequestClusterInfo[] {
  return listAt(object, "status.clusterInfo") as readonly RoleRequestClusterInfo[];
}

function keyOfInfo({ cluster }: RoleRequestClusterInfo): string | undefined {
  const id = clusterReferredTo(cluster as ObjectReference);
  return id && clusterKey(id);
}
