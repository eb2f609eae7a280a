import { capiGroup, clusterConfigurationName, gvkOf } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { isUnknownKind, type Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { ProfileIndex } from "./profile-index.ts";
import { isDeleting } from "./desired-summary.ts";
import { isStaleWrite, HubWriter } from "./hub-writer.ts";

/**
 * Lets go of all that is kept about a cluster whose object is gone. There is no way into it any more, so nothing can be
 * withdrawn and nobody has to wait for that.
 */
export async function cleanUpCluster(
  cluster: string,
  profileIndex: ProfileIndex,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const left = leftoversOf(cluster, profileIndex, context);
  if (context.fleet.find(cluster) !== undefined || left.length === 0) return reconciled;
  if (!(await isGone(context.hub, cluster, signal))) return reconciled;
  const writer = new HubWriter(context, signal);
  await Promise.all(left.map((object) => removeLeftover(object, writer)));
  await writer.waitForCache();
  return reconciled;
}

function leftoversOf(cluster: string, profileIndex: ProfileIndex, { cache }: ControllerContext): readonly KubeObject[] {
  const id = clusterIdOf(cluster);
  const configuration = cache.find(gvkOf("ClusterConfiguration"), id.namespace, clusterConfigurationName(id));
  return [
    ...profileIndex.summariesIn(cluster),
    ...profileIndex.reportsOn(cluster),
    ...(configuration === undefined ? [] : [configuration]),
  ];
}

async function removeLeftover(object: KubeObject, writer: HubWriter): Promise<void> {
  try {
    if (object.kind === "ClusterSummary") await writer.removeFinalizer(object);
    if (!isDeleting(object)) await writer.delete(object);
  } catch (error) {
    if (!isStaleWrite(error)) throw error;
  }
}

/** That the fleet does not know a cluster may have other reasons, and to let go of what is deployed cannot be undone: it is asked for. */
async function isGone(hub: Cluster, cluster: string, signal: AbortSignal): Promise<boolean> {
  const { type, namespace, name } = clusterIdOf(cluster);
  const kinds = type === "Sveltos" ? [gvkOf("SveltosCluster")] : ["v1beta2", "v1beta1"].map(capiKind);
  const found = await Promise.all(kinds.map((kind) => readExistence(hub, { ...kind, namespace, name }, signal)));
  return found.includes("gone") && !found.includes("there");
}

function capiKind(version: string) {
  return { group: capiGroup, version, kind: "Cluster" };
}

async function readExistence(
  hub: Cluster,
  ref: Parameters<Cluster["find"]>[0],
  signal: AbortSignal,
): Promise<"there" | "gone" | "unknown"> {
  try {
    return (await hub.find(ref, { signal })) === undefined ? "gone" : "there";
  } catch (error) {
    if (isUnknownKind(error)) return "unknown";
    throw error;
  }
}
