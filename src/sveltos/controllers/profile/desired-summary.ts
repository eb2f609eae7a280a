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
import { isHeld, owningProfile, summaryStatusOf } from "../../deploy/index.ts";
import { isTenantLabel, tenantLabelsOf } from "../../tenant/index.ts";
import { equal, fieldsAt, isDeleting, listAt, type Fields, type KubeObject } from "../../../core/object/index.ts";

/** A valid profile, as an object and as it was read. */
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

/** The difference between a ClusterSummary and its profile. `object` is the whole desired ClusterSummary. */
type SummaryDiff =
  | { readonly state: "none" }
  /** `spec`: something else is to be deployed. `metadata`: nothing changes in the cluster. */
  | { readonly state: "metadata" | "spec"; readonly object: KubeObject };

export function diffSummary(validProfile: ValidProfile, cluster: ClusterId, live: KubeObject): SummaryDiff {
  const desired = desiredSummary(validProfile, cluster);
  const metadata = metadataOf(desired, live);
  if (isSameSpec(live, validProfile))
    return equal(metadata, live.metadata) ? { state: "none" } : { state: "metadata", object: { ...live, metadata } };
  if (validProfile.profile.syncMode !== "OneTime" || !isProvisioned(live))
    return { state: "spec", object: { ...live, metadata, spec: desired["spec"] } };
  return oneTimeDiff({ ...live, metadata }, live);
}

/** A provisioned OneTime profile is not deployed again: the ClusterSummary keeps the content that was deployed. */
function oneTimeDiff(desired: KubeObject, live: KubeObject): SummaryDiff {
  const spec = fieldsAt(live, "spec");
  const clusterProfileSpec = { ...fieldsAt(spec, "clusterProfileSpec"), syncMode: "OneTime" };
  const object = { ...desired, spec: { ...spec, clusterProfileSpec } };
  return equal(object, live) ? { state: "none" } : { state: "metadata", object };
}

/**
 * The ClusterSummary with the present removal behavior of its profile, to be written before it is deleted; undefined when it
 * has that already.
 */
export function finalUpdateFor(profile: KubeObject, live: KubeObject): KubeObject | undefined {
  const spec = fieldsAt(live, "spec");
  const before = fieldsAt(spec, "clusterProfileSpec");
  const { syncMode = "Continuous", stopMatchingBehavior = "WithdrawPolicies" } = fieldsAt(profile, "spec");
  const after = { ...before, syncMode, stopMatchingBehavior };
  return removalBehaviorOf(before) === removalBehaviorOf(after) ? undefined : { ...live, spec: { ...spec, clusterProfileSpec: after } };
}

/** What a withdrawal does with the content. A dry run removes nothing in any case. */
function removalBehaviorOf({ syncMode, stopMatchingBehavior }: Fields): unknown {
  return syncMode === "DryRun" ? syncMode : (stopMatchingBehavior ?? "WithdrawPolicies");
}

/** Keeps labels and annotations of others. The finalizer is not added again: the ClusterSummary controller has removed it. */
function metadataOf({ metadata: { labels, annotations = {} } }: KubeObject, { metadata }: KubeObject): KubeObject["metadata"] {
  const { [profilePausedAnnotation]: _pause, ...others } = metadata.annotations ?? {};
  const all = { ...others, ...annotations };
  return {
    ...metadata,
    labels: { ...withoutTenant(metadata.labels), ...labels },
    ...((metadata.annotations !== undefined || Object.keys(all).length > 0) && { annotations: all }),
  };
}

/**
 * The ClusterSummary with or without the pause annotation, like its profile; undefined when it has it so already. During a
 * pause nothing is deployed or withdrawn. One that is being deleted gets no other update, so it gets the tenant's labels too:
 * who takes them off the profile has it withdrawn on the platform's word.
 */
export function heldUpdateFor(profile: KubeObject, live: KubeObject): KubeObject | undefined {
  const { [profilePausedAnnotation]: had, ...others } = live.metadata.annotations ?? {};
  const pause = profile.metadata.annotations?.[profilePausedAnnotation];
  const tenant = tenantLabelsOf((isDeleting(live) && isOwnedBy(profile, live) ? profile : live).metadata.labels);
  const isRelabeled = !equal(tenant, tenantLabelsOf(live.metadata.labels));
  if (pause === had && !isRelabeled) return undefined;
  const annotations = pause === undefined ? others : { ...others, [profilePausedAnnotation]: pause };
  const labels = isRelabeled ? { labels: { ...withoutTenant(live.metadata.labels), ...tenant } } : {};
  return { ...live, metadata: { ...live.metadata, ...(pause !== had && { annotations }), ...labels } };
}

/** Whether a ClusterSummary is of this profile, and not of an earlier one of the same name. */
export function isOwnedBy({ metadata }: KubeObject, summary: KubeObject): boolean {
  return owningProfile(summary)?.uid === metadata.uid;
}

/** Whose word a ClusterSummary is, its profile says. */
function withoutTenant(labels: KubeObject["metadata"]["labels"] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => !isTenantLabel(label)));
}

/** Specs that differ in omitted defaults only are the same. */
function isSameSpec(live: KubeObject, { object, profile }: ValidProfile): boolean {
  if (equal(fieldsAt(live, "spec.clusterProfileSpec"), fieldsAt(object, "spec"))) return true;
  const reading = readClusterSummary(live);
  const { metadata: _metadata, kind: _kind, ...after } = profile;
  return reading.state === "read" && equal(reading.value.profile, after);
}

/** The status is about the present spec. One without an observedGeneration was not written by Sluice's present version. */
export function isObserved(summary: KubeObject): boolean {
  const { observedGeneration = Infinity } = summaryStatusOf(summary);
  return observedGeneration >= (summary.metadata.generation ?? 0);
}

/** All features of the ClusterSummary are provisioned, and the others removed. */
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

/** The failure messages of a ClusterSummary; undefined without any. A retry keeps them, success removes them. */
export function summaryFailureOf(summary: KubeObject): string | undefined {
  const { failureMessage, featureSummaries = [] } = summaryStatusOf(summary);
  // Nothing is tried while it is refused as a whole.
  if (failureMessage !== undefined) return failureMessage;
  const messages = featureSummaries.flatMap(({ status, failureMessage: message }) =>
    status === "Provisioned" || message === undefined || isHeld(status, message) ? [] : [message],
  );
  return messages.length === 0 ? undefined : messages.join("\n");
}
