/**
 * The story of a run: which step did what and when, what it waited for and why, and how it ended.
 *
 * A Recording is made from progress and is plain data; a Timeline is what is drawn of it. Recordings are stored in Secrets
 * beside what they are about, and read from there. It changes nothing else and knows no terminal.
 */
export type { RecordedPod, RecordedRun, RecordedStep, Recording, RecordingSubject } from "./recording.ts";
export { RunRecording } from "./run-recording.ts";
export { namespacesWithPods, readPodEvidence } from "./read-pod-evidence.ts";
export {
  profileLocation,
  recordingIn,
  recordingSelector,
  releaseLocation,
  revisionRecordedIn,
  type RecordingOwner,
} from "./recording-secret.ts";
export { findReleaseRecording, readRecordingAt, readRecentRecordings, readReleaseRecording } from "./recording-store.ts";
export { RecordingWriter } from "./recording-writer.ts";
export { timelineOf, rowTitle, type Timeline, type TimelineRow, type TimelineSpan } from "./timeline.ts";
export type { PathLink } from "./critical-path.ts";
export { compareTimelines, type RowComparison, type TimelineComparison } from "./compare-timelines.ts";
