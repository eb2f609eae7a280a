import { capiGroup, clusterConfigurationName, gvkOf } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { isUnknownKind, type Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { settled, type Outcome } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import type { Books } from "./books.ts";
import { isGoing } from "./summary.ts";
import { isOvertaken, Writer } from "./write.ts";

/**
 * Lets go of all that is kept about a cluster whose object is gone. There is no way into it any more, so nothing can be
 * withdrawn and nobody has to wait for that.
 */
export async function clearUp(cluster: string, books: Books, desk: Desk, signal: AbortSignal): Promise<Outcome> {
  const left = leftOf(cluster, books, desk);
  if (desk.fleet.find(cluster) !== undefined || left.length === 0) return settled;
  if (!(await isGone(desk.hub, cluster, signal))) return settled;
  const writer = new Writer(desk, signal);
  await Promise.all(left.map((object) => letGo(object, writer)));
  await writer.caughtUp();
  return settled;
}

function leftOf(cluster: string, books: Books, { copies }: Desk): readonly KubeObject[] {
  const id = clusterIdOf(cluster);
  const configuration = copies.find(gvkOf("ClusterConfiguration"), id.namespace, clusterConfigurationName(id));
  return [...books.summariesIn(cluster), ...books.reportsOn(cluster), ...(configuration === undefined ? [] : [configuration])];
}

async function letGo(object: KubeObject, writer: Writer): Promise<void> {
  try {
    if (object.kind === "ClusterSummary") await writer.release(object);
    if (!isGoing(object)) await writer.delete(object);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
}

/** That the fleet does not know a cluster may have other reasons, and to let go of what is deployed cannot be undone: it is asked for. */
async function isGone(hub: Cluster, cluster: string, signal: AbortSignal): Promise<boolean> {
  const { type, namespace, name } = clusterIdOf(cluster);
  const kinds = type === "Sveltos" ? [gvkOf("SveltosCluster")] : ["v1beta2", "v1beta1"].map(capiKind);
  const found = await Promise.all(kinds.map((kind) => lookFor(hub, { ...kind, namespace, name }, signal)));
  return found.includes("gone") && !found.includes("there");
}

function capiKind(version: string) {
  return { group: capiGroup, version, kind: "Cluster" };
}

async function lookFor(hub: Cluster, ref: Parameters<Cluster["find"]>[0], signal: AbortSignal): Promise<"there" | "gone" | "unknown"> {
  try {
    return (await hub.find(ref, { signal })) === undefined ? "gone" : "there";
  } catch (error) {
    if (isUnknownKind(error)) return "unknown";
    throw error;
  }
}
