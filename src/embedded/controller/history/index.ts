/**
 * The history of a workload's template: one ControllerRevision for each template.
 *
 * Models pkg/controller/history. StatefulSets and DaemonSets use it; Deployments keep ReplicaSets instead.
 */
export {
  createRevision,
  truncateRevisions,
  newRevision,
  revisionNumberOf,
  ownedRevisions,
  renumber,
  controllerRevisions,
  hasRevisionData,
  templateData,
  templateIn,
} from "./controller-revision.ts";
