import type { KubeObject } from "../../core/object/index.ts";
import { isUnknownKind, type Cluster, type ListOptions } from "../../kube/index.ts";
import { gvkOf, type KindName } from "../api/index.ts";

/** Lists the objects of a Sveltos kind; none when the kind is not served. */
export async function listSveltosObjects(hub: Cluster, kind: KindName, options: ListOptions): Promise<readonly KubeObject[]> {
  try {
    return (await hub.list(gvkOf(kind), options)).items;
  } catch (error) {
    if (isUnknownKind(error)) return [];
    throw error;
  }
}
