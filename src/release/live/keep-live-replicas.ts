import { fieldsAt, numberAt, type KubeObject } from "../../core/object/index.ts";

/**
 * A manifest with as many replicas as its object has by now, where it says nothing of them itself. To leave the field out
 * would take back the number that was given at creation, and leave one.
 */
export function keepLiveReplicas(live: KubeObject | undefined, manifest: KubeObject): KubeObject {
  const replicas = numberAt(live, "spec.replicas");
  if (replicas === undefined || numberAt(manifest, "spec.replicas") !== undefined) return manifest;
  return { ...manifest, spec: { ...fieldsAt(manifest, "spec"), replicas } };
}
