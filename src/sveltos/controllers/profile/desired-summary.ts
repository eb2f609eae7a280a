import {
  clusterSummaryLabels,
  clusterSummaryName,
  configGroup,
  finalizers,
  ownVersion,
  profilePausedAnnotation,
  readClusterSummary,
  type ClusterId,
  type FeatureId,
  type Profile,
} from "../../api/index.ts";
import { summaryStatusOf } from "../../deploy/index.ts";
import { equal, fieldsAt, listAt, type Fields, type KubeObject } from "../../../core/object/index.ts";

/** A profile that may be deployed: as it was written, and as it was read. */
export type ValidProfile = { readonly object: KubeObject; readonly profile: Profile };

/** The ClusterSummary of a profile in a cluster, as it is created. */
export function desiredSummary({ object, profile: { kind } }: ValidProfile, cluster: ClusterId): KubeObject {
  const { name, uid = "", labels = {}, annotations } = object.metadata;
  return {
    apiVersion: `${configGroup}/${ownVersion}`,
    kind: "ClusterSummary",
    metadata: {
      name: clusterSummaryName(kind, name, cluster),
      namespace: cluster.namespace,
      labels: clusterSummaryLabels(kind, { name, labels }, cluster),
      ...(annotations !== undefined && { annotations }),
      ownerReferences: [{ apiVersion: `${configGroup}/${ownVersion}`, kind, name, uid }],
      finalizers: [finalizers.ClusterSummary],
    },
    spec: specFor(object, cluster),
  };
}

function specFor({ spec = {} }: KubeObject, { type, namespace, name }: ClusterId) {
  return { clusterNamespace: namespace, clusterName: name, clusterType: type, clusterProfileSpec: spec };
}

/** What a ClusterSummary lacks to be what its profile asks for. The object is the whole ClusterSummary as it should be. */
export type SummaryDiff =
  | { readonly state: "none" }
  /** With `spec` something else is to be deployed; `words` changes nothing in the cluster. */
  | { readonly state: "words" | "spec"; readonly object: KubeObject };

export function diffSummary(validProfile: ValidProfile, cluster: ClusterId, live: KubeObject): SummaryDiff {
  const desired = desiredSummary(validProfile, cluster);
  const metadata = metadataOf(desired, live);
  if (isSameSpec(live, validProfile))
    return equal(metadata, live.metadata) ? { state: "none" } : { state: "words", object: { ...live, metadata } };
  if (validProfile.profile.syncMode !== "OneTime" || !isProvisioned(live))
    return { state: "spec", object: { ...live, metadata, spec: desired["spec"] } };
  return oneTimeDiff({ ...live, metadata }, live);
}

/** Once is enough: what is deployed already is not deployed again, and the ClusterSummary goes on to say what that was. */
function oneTimeDiff(told: KubeObject, live: KubeObject): SummaryDiff {
  const spec = fieldsAt(live, "spec");
  const clusterProfileSpec = { ...fieldsAt(spec, "clusterProfileSpec"), syncMode: "OneTime" };
  const object = { ...told, spec: { ...spec, clusterProfileSpec } };
  return equal(object, live) ? { state: "none" } : { state: "words", object };
}

/**
 * The ClusterSummary as it must be before it is deleted, where it does not say yet what its profile says by now of what is to
 * become of the content; undefined where it does.
 */
export function finalUpdateFor(profile: KubeObject, live: KubeObject): KubeObject | undefined {
  const spec = fieldsAt(live, "spec");
  const before = fieldsAt(spec, "clusterProfileSpec");
  const { syncMode = "Continuous", stopMatchingBehavior = "WithdrawPolicies" } = fieldsAt(profile, "spec");
  const after = { ...before, syncMode, stopMatchingBehavior };
  return removalBehaviorOf(before) === removalBehaviorOf(after) ? undefined : { ...live, spec: { ...spec, clusterProfileSpec: after } };
}

/** What is done with the content at last: in a dry run nothing, whatever else is said. */
function removalBehaviorOf({ syncMode, stopMatchingBehavior }: Fields): unknown {
  return syncMode === "DryRun" ? syncMode : (stopMatchingBehavior ?? "WithdrawPolicies");
}

/** Labels and annotations of others stay. The finalizer is not put back: whoever withdraws takes it off. */
function metadataOf({ metadata: { labels, annotations = {} } }: KubeObject, { metadata }: KubeObject): KubeObject["metadata"] {
  const { [profilePausedAnnotation]: _pause, ...others } = metadata.annotations ?? {};
  const all = { ...others, ...annotations };
  return {
    ...metadata,
    labels: { ...metadata.labels, ...labels },
    ...((metadata.annotations !== undefined || Object.keys(all).length > 0) && { annotations: all }),
  };
}

/**
 * The ClusterSummary with the pause of its profile, or without one that is over; undefined where it has it so already. In a
 * pause nothing is deployed, and nothing withdrawn.
 */
export function withPauseOf(profile: KubeObject, live: KubeObject): KubeObject | undefined {
  const { [profilePausedAnnotation]: had, ...others } = live.metadata.annotations ?? {};
  const pause = profile.metadata.annotations?.[profilePausedAnnotation];
  if (pause === had) return undefined;
  const annotations = pause === undefined ? others : { ...others, [profilePausedAnnotation]: pause };
  return { ...live, metadata: { ...live.metadata, annotations } };
}

/** Two ways to write the same thing, one with defaults and one without, are the same. */
function isSameSpec(live: KubeObject, { object, profile }: ValidProfile): boolean {
  if (equal(fieldsAt(live, "spec.clusterProfileSpec"), fieldsAt(object, "spec"))) return true;
  const reading = readClusterSummary(live);
  const { metadata: _metadata, kind: _kind, ...after } = profile;
  return reading.state === "read" && equal(reading.value.profile, after);
}

/** All that the ClusterSummary asks for is deployed, and nothing else is left. */
export function isProvisioned(summary: KubeObject): boolean {
  const { featureSummaries = [], failureMessage } = summaryStatusOf(summary);
  const isDone = (feature: FeatureId) =>
    featureSummaries.some(({ featureID, status }) => featureID === feature && status === "Provisioned");
  return (
    failureMessage === undefined &&
    featuresOf(summary).every(isDone) &&
    featureSummaries.every(({ status }) => status === "Provisioned" || status === "Removed")
  );
}

function featuresOf(summary: KubeObject): readonly FeatureId[] {
  const has = (field: string) => listAt(summary, `spec.clusterProfileSpec.${field}`).length > 0;
  return [...(has("policyRefs") ? (["Resources"] as const) : []), ...(has("helmCharts") ? (["Helm"] as const) : [])];
}

/** What goes wrong in the cluster of a ClusterSummary; undefined while nothing does. A retry does not make it go away, success does. */
export function summaryFailureOf(summary: KubeObject): string | undefined {
  const { failureMessage, featureSummaries = [] } = summaryStatusOf(summary);
  const messages = featureSummaries.flatMap((feature) => (feature.status === "Provisioned" ? [] : (feature.failureMessage ?? [])));
  const all = [...(failureMessage === undefined ? [] : [failureMessage]), ...messages];
  return all.length === 0 ? undefined : all.join("\n");
}

export function isDeleting({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
