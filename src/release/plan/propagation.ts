import type { ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints } from "../order/index.ts";
import type { Propagation } from "./plan.ts";

/** Kinds that own pods. */
const workloads = new Set([
  "/ReplicationController",
  "apps/DaemonSet",
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "batch/CronJob",
  "batch/Job",
]);

/** Whether an object owns pods, and no annotation says what becomes of them. */
export function takesPodsAlong({ ref, constraints }: { readonly ref: ObjectRef; readonly constraints: OrderingConstraints }): boolean {
  return constraints.deletion.propagation === undefined && workloads.has(`${ref.group}/${ref.kind}`);
}

/** The annotated propagation. Default: foreground for workloads, so that they are gone only when their pods are. */
export function propagationOf({ ref, constraints }: { readonly ref: ObjectRef; readonly constraints: OrderingConstraints }): Propagation {
  return constraints.deletion.propagation ?? (workloads.has(`${ref.group}/${ref.kind}`) ? "foreground" : "background");
}
