import { capiGroup, clusterConfigurationName, gvkOf, wholeNameOf } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { isUnknownKind, type Cluster } from "../../../kube/index.ts";
import { isDeleting, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { ProfileIndex } from "./profile-index.ts";
import { isStaleWrite, HubWriter } from "./hub-writer.ts";

/**
 * Deletes the ClusterSummaries, ClusterReports and the ClusterConfiguration, with its parts, of a cluster whose object is gone. Nothing can be
 * withdrawn from it, so finalizers are removed first.
 */
export async function cleanUpCluster(
  cluster: string,
  profileIndex: ProfileIndex,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const leftovers = leftoversOf(cluster, profileIndex, context);
  if (context.fleet.find(cluster) !== undefined || leftovers.length === 0) return reconciled;
  if (!(await isGone(context.hub, cluster, signal))) return reconciled;
  const writer = new HubWriter(context, signal);
  await Promise.all(leftovers.map((object) => removeLeftover(object, writer)));
  await writer.waitForCache();
  return reconciled;
}

function leftoversOf(cluster: string, profileIndex: ProfileIndex, { cache }: ControllerContext): readonly KubeObject[] {
  const id = clusterIdOf(cluster);
  const whole = clusterConfigurationName(id);
  const configurations = [...cache.all(gvkOf("ClusterConfiguration"))].filter(
    (part) => part.metadata.namespace === id.namespace && wholeNameOf(part) === whole,
  );
  return [...profileIndex.summariesIn(cluster), ...profileIndex.reportsOn(cluster), ...configurations];
}

async function removeLeftover(object: KubeObject, writer: HubWriter): Promise<void> {
  try {
    if (object.kind === "ClusterSummary") await writer.removeFinalizer(object);
    if (!isDeleting(object)) await writer.delete(object);
  } catch (error) {
    if (!isStaleWrite(error)) throw error;
  }
}

/** Asks the API server: a cluster that the fleet does not know may still exist, and removing a finalizer cannot be undone. */
async function isGone(hub: Cluster, cluster: string, signal: AbortSignal): Promise<boolean> {
  const { type, namespace, name } = clusterIdOf(cluster);
  const kinds = type === "Sveltos" ? [gvkOf("SveltosCluster")] : ["v1beta2", "v1beta1"].map(capiKind);
  const found = await Promise.all(kinds.map((kind) => readExistence(hub, { ...kind, namespace, name }, signal)));
  return found.includes("gone") && !found.includes("exists");
}

function capiKind(version: string) {
  return { group: capiGroup, version, kind: "Cluster" };
}

async function readExistence(
  hub: Cluster,
  ref: Parameters<Cluster["find"]>[0],
  signal: AbortSignal,
): Promise<"exists" | "gone" | "unknown"> {
  try {
    return (await hub.find(ref, { signal })) === undefined ? "gone" : "exists";
  } catch (error) {
    if (isUnknownKind(error)) return "unknown";
    throw error;
  }
}
