import { isDeleting, type KubeObject } from "../../core/object/index.ts";
import { clusterOutlineOf } from "../../sveltos/fleet/index.ts";
import type { ClusterHeadItem } from "../api/index.ts";
import { clusterItemOf } from "../fleet/fleet-reading.ts";

/** What the object of a cluster says of it. */
export function clusterHeadOf(object: KubeObject): ClusterHeadItem {
  const { key: _key, ...item } = clusterItemOf(object);
  const { connection, agent, since } = clusterOutlineOf(object);
  const registeredAtMs = Date.parse(object.metadata.creationTimestamp ?? "");
  const downSinceMs = Date.parse(since ?? "");
  return {
    ...item,
    type: "head",
    ...(connection === undefined ? {} : { connection }),
    ...(agent === undefined ? {} : { agent: agent.state === "running" ? "running" : `gone since ${agent.since}` }),
    ...(Number.isNaN(registeredAtMs) ? {} : { registeredAtMs }),
    ...(Number.isNaN(downSinceMs) ? {} : { downSinceMs }),
    isDeleting: isDeleting(object),
  };
}
