/**
 * The past of a workload's template: ControllerRevisions, one for each template it has had.
 *
 * Models pkg/controller/history. StatefulSets and DaemonSets keep theirs here; Deployments keep ReplicaSets instead.
 */
export {
  createRevision,
  forgetRevisions,
  newRevision,
  numberOf,
  ownedRevisions,
  renumber,
  controllerRevisions,
  sameData,
  templateData,
  templateIn,
} from "./history.ts";
