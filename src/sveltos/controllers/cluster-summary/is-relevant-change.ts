import { summaryStatusOf } from "../../deploy/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";

/**
 * Whether a change of a ClusterSummary requires a reconcile. Its status is written by this controller and does not, unless
 * somebody has reset it.
 */
export function isRelevantChange(change: ObjectChange): boolean {
  if (change.type !== "modified") return true;
  const { object, previous } = change;
  return !equal(specAndMetadataOf(object), specAndMetadataOf(previous)) || (isReset(object) && !isReset(previous));
}

function specAndMetadataOf({ metadata, spec }: KubeObject): unknown {
  const { uid, generation, deletionTimestamp, labels, annotations, ownerReferences, finalizers } = metadata;
  return { uid, generation, deletionTimestamp, labels, annotations, ownerReferences, finalizers, spec };
}

/** A reset feature has no hash: see `resetFeatures`. */
function isReset(summary: KubeObject): boolean {
  return (summaryStatusOf(summary).featureSummaries ?? []).some(({ status, hash }) => status === "Provisioning" && hash === undefined);
}
