import {
  bytes,
  integer,
  list,
  uncheckedBytes,
  nonEmptyText,
  object,
  oneOf,
  optional,
  withSchema,
  text,
  time,
  boolShape,
  type ValueOf,
} from "../shape/index.ts";
import { featureId } from "./validate-health.ts";
import { profileSpec } from "./profile.ts";
import { secretReference } from "./reference.ts";

const byFeature = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["featureID"] };

export const clusterSummarySpec = object({
  clusterName: text(),
  clusterNamespace: text(),
  clusterType: text(),
  clusterProfileSpec: optional(profileSpec),
});

const featureStatus = oneOf("Provisioning", "Provisioned", "Failed", "FailedNonRetriable", "Removing", "Removed", "AgentRemoving");
export type FeatureStatus = ValueOf<typeof featureStatus>;

const featureSummary = object({
  featureID: featureId,
  status: optional(featureStatus),
  hash: optional(bytes),
  consecutiveFailures: optional(integer()),
  failureMessage: optional(text()),
  failureReason: optional(text()),
  lastAppliedTime: optional(time),
  deployedGroupVersionKind: optional(list(text())),
  resourceSummaryDeployed: optional(boolShape),
});
export type FeatureSummary = ValueOf<typeof featureSummary>;

const deployedGvks = object({ featureID: featureId, deployedGroupVersionKind: optional(list(text())) });

const helmReleaseSummary = object({
  releaseName: nonEmptyText,
  releaseNamespace: nonEmptyText,
  status: oneOf("Managing", "Conflict"),
  conflictMessage: optional(text()),
  failureMessage: optional(text()),
  valuesHash: optional(bytes),
  patchesHash: optional(bytes),
  chartName: optional(text()),
  chartVersion: optional(text()),
  repoURL: optional(text()),
  repositoryName: optional(text()),
  credentialsSecretRef: optional(secretReference),
  latestVersion: optional(text()),
  latestPatchVersion: optional(text()),
  lastCheckedTime: optional(time),
  needsRedeploy: optional(boolShape),
});
export type HelmReleaseSummary = ValueOf<typeof helmReleaseSummary>;

const objectId = { group: text(), version: text(), kind: nonEmptyText, namespace: optional(text()), name: nonEmptyText };

/** Sluice's own record of a feature, so that no hook runs twice and pruned objects are deleted in order. */
const featureRelease = object({
  featureID: featureId,
  revision: withSchema(integer({ minimum: 1 }), { description: "Counts the contents that were deployed; the first one is an install." }),
  state: oneOf("deploying", "deployed", "failed", "withdrawing"),
  hash: withSchema(text(), { description: "Of the content of this revision." }),
  objects: optional(list(object({ ...objectId, hash: optional(text()) }), { "x-kubernetes-list-type": "atomic" })),
  hooks: optional(
    list(object({ ...objectId, operation: text(), succeeded: boolShape, time: optional(time) }), { "x-kubernetes-list-type": "atomic" }),
  ),
  content: optional(
    withSchema(uncheckedBytes, { description: "The manifests of this revision, compressed, for when their source is gone." }),
  ),
});
export type FeatureRelease = ValueOf<typeof featureRelease>;

export const clusterSummaryStatus = object({
  observedGeneration: optional(
    withSchema(integer({ format: "int64" }), { description: "What was last deployed, or could not be, is of this generation." }),
  ),
  clusterUID: optional(
    withSchema(text(), { description: "The uid of the namespace kube-system of the cluster that this status is about." }),
  ),
  dependencies: optional(text()),
  failureMessage: optional(text()),
  featureSummaries: optional(list(featureSummary, byFeature)),
  deployedGVKs: optional(list(deployedGvks, byFeature)),
  helmReleaseSummaries: optional(list(helmReleaseSummary, { "x-kubernetes-list-type": "atomic" })),
  releases: optional(list(featureRelease, byFeature)),
  nextReconcileTime: optional(time),
  reconciliationSuspended: optional(boolShape),
  suspensionReason: optional(text()),
});
export type ClusterSummaryStatus = ValueOf<typeof clusterSummaryStatus>;
