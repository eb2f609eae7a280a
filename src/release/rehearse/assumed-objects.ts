import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { Plan } from "../plan/index.ts";
import type { Snapshot } from "./snapshot.ts";

/** The classes that stand for those that may not be read, where the plan names one. */
const classes = [
  { kind: "StorageClass", apiVersion: "storage.k8s.io/v1", field: "storageClassName", more: { provisioner: "unseen" } },
  { kind: "PriorityClass", apiVersion: "scheduling.k8s.io/v1", field: "priorityClassName", more: { value: 0 } },
  { kind: "RuntimeClass", apiVersion: "node.k8s.io/v1", field: "runtimeClassName", more: { handler: "unseen" } },
] as const;

/** Objects that a plan needs and nobody here may read: they are taken to be there. */
export function assumedObjects(plan: Plan, { unseen }: Pick<Snapshot, "unseen">): readonly KubeObject[] {
  const manifests = plan.steps.flatMap(({ action }) => (action.verb === "apply" ? [action.manifest] : []));
  return classes.flatMap(({ kind, apiVersion, field, more }) => {
    if (!unseen.some(({ what }) => what === `${kind} objects`)) return [];
    const names = new Set(manifests.flatMap((manifest) => namesAt(manifest, field)));
    return [...names].map((name) => ({ apiVersion, kind, metadata: { name, uid: `unseen-${name}` }, ...more }));
  });
}

/** In a pod, in the template of a workload, in a claim, and in those of a StatefulSet. */
function namesAt(manifest: KubeObject, field: string): readonly string[] {
  const places = [manifest, ...listAt(manifest, "spec.volumeClaimTemplates")];
  const paths = [`spec.${field}`, `spec.template.spec.${field}`, `spec.jobTemplate.spec.template.spec.${field}`];
  return places.flatMap((place) => paths.flatMap((path) => stringAt(place, path) ?? []));
}
