/**
 * Assesses the health of an object: ready, progressing or failed, always with the reason.
 *
 * Pure. It assesses one object by itself, with its pods as an argument. It knows no cluster and no clock. Of custom
 * resources only the kinds of a fleet have checks of their own.
 */
export { assess } from "./assess.ts";
export { deletionText } from "./deletion-text.ts";
export { explainByPods } from "./explain-by-pods.ts";
export { isAdmissionDenial } from "./admission-denial.ts";
export { makesRoom } from "./makes-room.ts";
export {
  failedBecause,
  noStatusMs,
  progressingBecause,
  ready,
  readyWith,
  silentBecause,
  noRoomBecause,
  type Health,
  type NoRoom,
} from "./health.ts";
export { isOfCurrentTemplate } from "./pod-template.ts";
export { failingContainersOf, type FailingContainer } from "./failing-container.ts";
export { lastTerminationOf, podIssueOf } from "./pod-issue.ts";
