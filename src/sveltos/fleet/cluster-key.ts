import type { ClusterId } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";

/** The key of a cluster in work queues and shards: `Sveltos/mgmt/c1`. */
export function clusterKey({ type, namespace, name }: ClusterId): string {
  return `${type}/${namespace}/${name}`;
}

/** The inverse of `clusterKey`. */
export function clusterIdOf(key: string): ClusterId {
  const [type, namespace = "", name = ""] = key.split("/");
  if ((type === "Sveltos" || type === "Capi") && name !== "") return { type, namespace, name };
  throw new Fault(`${key} names no cluster`, undefined, { final: true });
}
