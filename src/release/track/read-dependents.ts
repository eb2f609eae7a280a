import { isForbidden, type Cluster } from "../../kube/index.ts";
import { keyOf, type KubeObject } from "../../core/object/index.ts";
import { DependentIndex } from "./dependent-index.ts";
import { leftText, type DeletedWorkload } from "./dependents-wait.ts";
import { InformerFactory } from "./informer-factory.ts";

/**
 * Reads what controllers made for deleted workloads and what is still there: `pod/web-1 is still there`, by the key of the
 * workload. Nothing is said of a namespace whose pods may not be listed.
 */
export async function readDependents(
  workloads: readonly DeletedWorkload[],
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const stop = new AbortController();
  const informers = new InformerFactory(cluster, AbortSignal.any([signal, stop.signal]));
  const indexes = new Map<string, DependentIndex>();
  const textOf = async (workload: DeletedWorkload) => {
    const namespace = workload.ref.namespace || cluster.namespace;
    const index = indexes.get(namespace) ?? new DependentIndex(informers, namespace);
    indexes.set(namespace, index);
    const left = await dependentsOf(workload, index, signal);
    const text = leftText(left);
    return left.length === 0 ? [] : [[keyOf(workload.ref), `${text} ${/, | and /.test(text) ? "are" : "is"} still there`] as const];
  };
  try {
    return new Map((await Promise.all(workloads.map(textOf))).flat());
  } finally {
    stop.abort();
  }
}

async function dependentsOf({ ref, uid }: DeletedWorkload, index: DependentIndex, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const known = Promise.withResolvers<boolean>();
  const abort = () => known.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const cancel = index.follow(
    ref,
    () => index.isSynced(ref) && known.resolve(true),
    (error, final) => {
      if (isForbidden(error)) known.resolve(false);
      else if (final) known.reject(error);
    },
  );
  try {
    return (await known.promise) ? index.of(ref, uid) : [];
  } finally {
    cancel();
    signal.removeEventListener("abort", abort);
  }
}
