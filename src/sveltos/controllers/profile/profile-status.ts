import { clusterReference, profilePausedAnnotation, valueHash, type ClusterId, type ProfileStatus } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { equal, fieldsAt, listAt, type KubeObject } from "../../../core/object/index.ts";
import { clusterOfSummary } from "./profile-key.ts";
import type { RollOut } from "./roll-out.ts";
import { summaryFailureOf } from "./desired-summary.ts";

/** The fields of a profile's status that are to be so; null where there should be nothing. Others stay what they are. */
export type ProfileStatusPatch = { readonly [field in keyof ProfileStatus]?: NonNullable<ProfileStatus[field]> | null };
type FailedCluster = NonNullable<ProfileStatus["failedClusters"]>[number];

/** Something that goes wrong in one cluster. */
export type ClusterFailure = { readonly cluster: ClusterId; readonly message: string };

/** Whoever reads a status wants to know where to look, not all there is to see. */
const maxFailedClusters = 10;
const maxMessageLength = 500;

/** Of a profile that is in its clusters, or on the way. */
export function statusOfActive(
  profile: KubeObject,
  matching: readonly ClusterId[],
  { progress }: RollOut,
  failures: readonly ClusterFailure[],
): Required<ProfileStatusPatch> {
  const hash = progress === undefined ? "" : valueHash(profile["spec"]);
  const list = (clusters: readonly ClusterId[] | undefined) =>
    clusters === undefined ? null : { hash, clusters: clusters.map(clusterReference) };
  return {
    ...unblocked(profile),
    matchingClusters: matching.length === 0 ? null : matching.map(clusterReference),
    updatingClusters: list(progress?.updating),
    updatedClusters: list(progress?.updated),
    failedClusters: failedClusters(failures),
    dependenciesHash: null,
  };
}

function unblocked(profile: KubeObject) {
  return { ...observed(profile), ...suspension(profile), failureMessage: null };
}

/** Of one for which nothing is done; what was done before stays, and goes on being told. */
export function statusOfRefused(profile: KubeObject, failureMessage: string, failures: readonly ClusterFailure[]): ProfileStatusPatch {
  return { ...unblocked(profile), failureMessage, failedClusters: failedClusters(failures) };
}

/** Of one that is paused, or is being deleted: a pause holds that up too. */
export function statusOfHeld(profile: KubeObject, failures: readonly ClusterFailure[]): ProfileStatusPatch {
  return { ...observed(profile), ...suspension(profile), failedClusters: failedClusters(failures) };
}

function suspension({ metadata: { annotations = {} } }: KubeObject) {
  const isPaused = annotations[profilePausedAnnotation] !== undefined;
  const reason = `the profile has the annotation ${profilePausedAnnotation}`;
  return { reconciliationSuspended: isPaused ? true : null, suspensionReason: isPaused ? reason : null };
}

function observed({ metadata: { generation } }: KubeObject) {
  return { observedGeneration: generation ?? null };
}

/** What ClusterSummaries tell of failures. */
export function failuresIn(summaries: readonly KubeObject[]): readonly ClusterFailure[] {
  return summaries.flatMap((summary) => {
    const message = summaryFailureOf(summary);
    return message === undefined ? [] : [{ cluster: clusterOfSummary(summary), message }];
  });
}

function failedClusters(failures: readonly ClusterFailure[]): readonly FailedCluster[] | null {
  if (failures.length === 0) return null;
  return failures
    .toSorted((a, b) => (clusterKey(a.cluster) < clusterKey(b.cluster) ? -1 : 1))
    .slice(0, maxFailedClusters)
    .map(({ cluster, message }) => ({ clusterRef: clusterReference(cluster), failureMessage: shortened(message) }));
}

function shortened(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 1)}…`;
}

/** The fields that a profile's status does not say yet. */
export function changedFields(profile: KubeObject, said: ProfileStatusPatch): ProfileStatusPatch {
  const before = fieldsAt(profile, "status");
  return Object.fromEntries(Object.entries(said).filter(([field, value]) => !equal(value ?? null, before[field] ?? null)));
}

/** Of the failures that a status is to name, those that it does not name yet. */
export function newFailures(profile: KubeObject, { failedClusters: after }: ProfileStatusPatch): readonly FailedCluster[] {
  const before = listAt(profile, "status.failedClusters");
  return (after ?? []).filter((failed) => !before.some((each) => equal(each, failed)));
}
