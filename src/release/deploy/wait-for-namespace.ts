import { Fault } from "../../core/fault/index.ts";
import { listAt, stringAt, stringsAt, type KubeObject } from "../../core/object/index.ts";
import { isForbidden, newInformer, type Cluster } from "../../kube/index.ts";
import type { StepProgress } from "../index.ts";
import { namespaceRef, readNamespaceState } from "../prepare/index.ts";
import { releaseText, type Release } from "../record/index.ts";

type NamespaceWaitOptions = {
  readonly signal: AbortSignal;
  /** How long to wait for it. Default: as long as it takes. */
  readonly timeoutMs?: number;
};

/**
 * Waits while the namespace of a release is being deleted, and yields what keeps it: nothing can be created in it any more, and
 * the release would go with it. Refuses when it is not to be created again. A user without the right to read namespaces
 * does not wait.
 */
export async function* waitForNamespace(
  release: Release,
  createsNamespace: boolean,
  cluster: Cluster,
  { signal, timeoutMs }: NamespaceWaitOptions,
): AsyncGenerator<StepProgress> {
  const ref = namespaceRef(release.namespace);
  const current = await readNamespaceState(release.namespace, cluster, signal);
  if (current.state !== "terminating") return;
  const { namespace: found } = current;
  if (!createsNamespace) throw terminatingNamespaceFault(release, found);
  const what = workText(release);
  const late = new AbortController();
  const cancel = timeoutMs === undefined ? () => {} : cluster.clock.after(timeoutMs, () => late.abort());
  const { namespace: _none, name, ...kind } = ref;
  const selection = { fieldSelector: `metadata.name=${name}`, signal: AbortSignal.any([signal, late.signal]) };
  let because = "";
  try {
    for await (const event of newInformer(cluster, kind, selection)) {
      if (event.type === "interrupted") {
        if (isForbidden(event.because))
          throw new Fault(what, `namespace ${name} ${keptText(found)}, and you may not watch it: try again later`);
        continue;
      }
      // It may have gone before the watch began, and another one may have come.
      if (event.type === "deleted" || (event.type === "synced" && because === "")) return;
      if (event.type === "synced") continue;
      if (event.object.metadata.uid !== found.metadata.uid) return;
      if (keptText(event.object) === because) continue;
      because = keptText(event.object);
      yield {
        type: "waiting",
        verb: "record",
        id: "namespace",
        ref,
        because: `it is to go first, and is then created again: it ${because}`,
      };
    }
    signal.throwIfAborted();
    throw new Fault(what, `the time is up: namespace ${name} ${because}`);
  } finally {
    cancel();
    late.abort();
  }
}

/** Nothing can be created in the release's namespace, and it is not to be created again. */
export function terminatingNamespaceFault(release: Release, namespace: KubeObject): Fault {
  const state = `namespace ${release.namespace} ${keptText(namespace)}`;
  return new Fault(workText(release), `${state}: --create-namespace waits until it is gone and makes it anew`);
}

function workText(release: Release): string {
  return `work on release ${releaseText(release)}`;
}

/** What keeps a namespace that is being deleted, in the words of its controller. */
function keptText(namespace: KubeObject): string {
  const finalizers = stringsAt(namespace, "metadata.finalizers");
  const reasons = listAt(namespace, "status.conditions").flatMap((condition) => {
    const message = stringAt(condition, "message", "");
    return stringAt(condition, "status") === "True" && message !== "" ? [message] : [];
  });
  if (finalizers.length > 0) reasons.push(`kept by the finalizers ${finalizers.join(", ")}`);
  return ["is being deleted", ...reasons].join(": ");
}
