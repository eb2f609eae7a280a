import { summaryStatusOf } from "../../deploy/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";

/**
 * Tells whether a change of a ClusterSummary asks for something. Its status is ours to write, and what we write is no
 * news; only that somebody has reset it is.
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

/** A feature that is to be looked at once more has no hash: see `reset`. */
function isReset(summary: KubeObject): boolean {
  return (summaryStatusOf(summary).featureSummaries ?? []).some(({ status, hash }) => status === "Provisioning" && hash === undefined);
}
