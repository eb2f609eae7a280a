import type { KubeObject, ObjectRef } from "../../../src/core/object/index.ts";
import { Informer, type Cluster } from "../../../src/kube/index.ts";

/** Waits until an object is as it should be. */
export async function waitForObject(cluster: Cluster, ref: ObjectRef, isSo: (object: KubeObject) => boolean): Promise<void> {
  const stop = new AbortController();
  const { group, version, kind, namespace, name } = ref;
  const place = namespace === "" ? {} : { namespace };
  const informer = new Informer(
    cluster,
    { group, version, kind },
    { ...place, fieldSelector: `metadata.name=${name}`, signal: stop.signal },
  );
  try {
    for await (const event of informer) if ("object" in event && event.type !== "deleted" && isSo(event.object)) return;
  } finally {
    stop.abort(new Error("nobody waits any more"));
  }
}
