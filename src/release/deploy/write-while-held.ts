import type { Cluster } from "../../kube/index.ts";
import type { HeldLease } from "../record/index.ts";

const never = new AbortController().signal;

/** The cluster, whose writes wait while the Lease is in doubt and are refused when it is lost. */
export function writeWhileHeld(cluster: Cluster, lease: HeldLease): Cluster {
  return {
    ...cluster,
    create: (object, options) => lease.whileHeld((signal) => cluster.create(object, { ...options, signal }), options?.signal ?? never),
    replace: (object, options) => lease.whileHeld((signal) => cluster.replace(object, { ...options, signal }), options?.signal ?? never),
    patch: (ref, patch, options) =>
      lease.whileHeld((signal) => cluster.patch(ref, patch, { ...options, signal }), options?.signal ?? never),
    apply: (object, options) => lease.whileHeld((signal) => cluster.apply(object, { ...options, signal }), options?.signal ?? never),
    impersonate: (user) => writeWhileHeld(cluster.impersonate(user), lease),
    delete: (ref, options) => lease.whileHeld((signal) => cluster.delete(ref, { ...options, signal }), options?.signal ?? never),
  };
}
