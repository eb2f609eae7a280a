/**
 * Helm's release records, and the Lease that serializes the operations on a release.
 *
 * A Revision is plain data. `encodeRelease` and `decodeRelease` are Helm's storage format, History reads and writes it,
 * and the lifecycle functions take a revision from pending to its end. Ownership metadata says which release an object
 * belongs to. It does not know what is deployed or in which order. It writes its own Secrets, ConfigMaps and Leases and
 * nothing else.
 */
export { isPlaceholderChart, placeholderChart } from "./placeholder-chart.ts";
export { decodeRelease, encodeRelease, objectionToRecord } from "./release-codec.ts";
export { helmJsonOf, type RevisionBody } from "./helm-json.ts";
export { historyLimit, historyOf, revisionsToPrune, type History } from "./history.ts";
export { type AcquireLeaseOptions, type HeldLease } from "../../reconcile/index.ts";
export { readLeaseHolder, type LeaseHolder, type LeaseHolderOptions } from "./lease-holder.ts";
export { failureDescription, failureReasonIn, type RecordedFailure } from "./failure-description.ts";
export { hasHookSucceeded, hasSkippedHooks, hookRecordOf, withHookRun } from "./hook-record.ts";
export { acquireReleaseLease, leaseNameOf } from "./release-lease.ts";
export {
  beginRevision,
  continuationOf,
  asDeleted,
  asDeleting,
  hasContent,
  isUnfinished,
  withState,
  type RevisionContent,
  type RecordedOperation,
} from "./revision-lifecycle.ts";
export { joinManifests, readManifestTexts, splitManifests, type ManifestText } from "./manifest-text.ts";
export { withReleaseOwner, withoutReleaseOwner, releaseOwnerOf } from "./release-owner.ts";
export { goneReleasesIn, type IsGone } from "./gone-releases.ts";
export { helmActivityOf, helmPatienceMs } from "./helm-activity.ts";
export { missingRelease } from "./missing-release.ts";
export { mergeLabels, objectionsToLabels } from "./release-labels.ts";
export {
  deployedOf,
  hookDeletePolicies,
  hookEvents,
  hookOutputLogPolicies,
  latestOf,
  objectionToName,
  releaseText,
  type Hook,
  type HookDeletePolicy,
  type HookEvent,
  type HookOutputLogPolicy,
  type HookPhase,
  type HookRun,
  type Release,
  type Revision,
  type RevisionState,
  type StorageKind,
} from "./revision.ts";
export { revisionIn, storageLabelsOf, storageName, storageObjectOf, storageSelector } from "./storage-object.ts";
