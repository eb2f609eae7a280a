import { fieldsAt, numberAt, type KubeObject } from "../../core/object/index.ts";

/**
 * The manifest with the live object's replicas, unless it sets its own. Without the field, server-side apply would
 * reset the replicas that were set at creation to one.
 */
export function keepLiveReplicas(live: KubeObject | undefined, manifest: KubeObject): KubeObject {
  const replicas = numberAt(live, "spec.replicas");
  if (replicas === undefined || numberAt(manifest, "spec.replicas") !== undefined) return manifest;
  return { ...manifest, spec: { ...fieldsAt(manifest, "spec"), replicas } };
}
