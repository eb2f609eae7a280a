/**
 * The past of a workload's template: ControllerRevisions, one for each template it has had.
 *
 * Models pkg/controller/history. StatefulSets and DaemonSets keep theirs here; Deployments keep ReplicaSets instead.
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
