import {
  clusterOfSummary,
  clusterReference,
  conditionsAfter,
  profilePausedAnnotation,
  valueHash,
  type ClusterId,
  type ProfileStatus,
} from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { equal, fieldsAt, listAt, type KubeObject } from "../../../core/object/index.ts";
import type { RollOut } from "./roll-out.ts";
import { isObserved, summaryFailureOf } from "./desired-summary.ts";

/** Fields of a profile's status to set; null removes one. Others stay as they are. */
export type ProfileStatusPatch = { readonly [field in keyof ProfileStatus]?: NonNullable<ProfileStatus[field]> | null };
type FailedCluster = NonNullable<ProfileStatus["failedClusters"]>[number];

/** A failure in one cluster. */
export type ClusterFailure = { readonly cluster: ClusterId; readonly message: string };

/** A status lists the first failures, shortened: it says where to look. */
const maxFailedClusters = 10;
const maxMessageLength = 500;

/** The status of a profile that is deployed or being deployed. */
export function statusOfActive(
  profile: KubeObject,
  matching: readonly ClusterId[],
  { progress }: RollOut,
  failures: readonly ClusterFailure[],
): Required<Omit<ProfileStatusPatch, "conditions">> {
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

/** The status of an invalid profile. Its earlier deployments stay, and so do their fields. */
export function statusOfRefused(profile: KubeObject, failureMessage: string, failures: readonly ClusterFailure[]): ProfileStatusPatch {
  return { ...unblocked(profile), ...atRest(profile), failureMessage, failedClusters: failedClusters(failures) };
}

/** The status of a profile that is paused or being deleted. */
export function statusOfHeld(profile: KubeObject, failures: readonly ClusterFailure[]): ProfileStatusPatch {
  return { ...observed(profile), ...suspension(profile), ...atRest(profile), failedClusters: failedClusters(failures) };
}

/** Nothing is deployed, so that no condition of a deploy holds. */
function atRest(profile: KubeObject) {
  return { conditions: conditionsAfter(profile, [], 0) };
}

function suspension({ metadata: { annotations = {} } }: KubeObject) {
  const isPaused = annotations[profilePausedAnnotation] !== undefined;
  const reason = `the profile has the annotation ${profilePausedAnnotation}`;
  return { reconciliationSuspended: isPaused ? true : null, suspensionReason: isPaused ? reason : null };
}

function observed({ metadata: { generation } }: KubeObject) {
  return { observedGeneration: generation ?? null };
}

/** The failures in the statuses of ClusterSummaries, except those of an earlier spec: what is wanted now may not fail. */
export function failuresIn(summaries: readonly KubeObject[]): readonly ClusterFailure[] {
  return summaries.filter(isObserved).flatMap((summary) => {
    const message = summaryFailureOf(summary);
    return message === undefined ? [] : [{ cluster: clusterOfSummary(summary), message }];
  });
}

/** Each cluster is listed once, with all that has failed there. */
function failedClusters(failures: readonly ClusterFailure[]): readonly FailedCluster[] | null {
  if (failures.length === 0) return null;
  return [...Map.groupBy(failures, ({ cluster }) => clusterKey(cluster)).values()]
    .map(([first, ...more]) => ({ ...first!, message: [...new Set([first, ...more].map((each) => each!.message))].join("\n") }))
    .toSorted((a, b) => (clusterKey(a.cluster) < clusterKey(b.cluster) ? -1 : 1))
    .slice(0, maxFailedClusters)
    .map(({ cluster, message }) => ({ clusterRef: clusterReference(cluster), failureMessage: shortened(message) }));
}

/** A message as a status of many clusters has it. */
export function shortened(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 1)}…`;
}

/** The fields that differ from a profile's present status. */
export function changedFields(profile: KubeObject, patch: ProfileStatusPatch): ProfileStatusPatch {
  const before = fieldsAt(profile, "status");
  return Object.fromEntries(Object.entries(patch).filter(([field, value]) => !equal(value ?? null, before[field] ?? null)));
}

/** The failures of a new status that the present one does not have. */
export function newFailures(
  profile: KubeObject,
  { failedClusters: after }: ProfileStatusPatch,
  failures: readonly ClusterFailure[],
): readonly ClusterFailure[] {
  const before = listAt(profile, "status.failedClusters");
  const added = (after ?? []).filter((failed) => !before.some((each) => equal(each, failed)));
  return failures.filter(({ cluster }) => added.some(({ clusterRef }) => equal(clusterRef, clusterReference(cluster))));
}
