import type { ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints } from "../order/index.ts";
import type { Propagation } from "./plan.ts";

/** Kinds that are gone only when their pods are. */
const workloads = new Set([
  "/ReplicationController",
  "apps/DaemonSet",
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "batch/CronJob",
  "batch/Job",
]);

/** What somebody wrote; otherwise workloads go after their pods, so that being gone means that nothing of it runs any more. */
export function propagationOf({ ref, claims }: { readonly ref: ObjectRef; readonly claims: OrderingConstraints }): Propagation {
  return claims.deletion.propagation ?? (workloads.has(`${ref.group}/${ref.kind}`) ? "foreground" : "background");
}
