/**
 * Sveltos' custom resources: their CRDs, readers and types, and the names, labels and annotations of generated objects.
 *
 * Every kind is described once, as a Shape, from which its CustomResourceDefinition, reader and types come. Readers take an
 * object of any API generation and give one normal form, or the problems and the fields that are not built. Pure: it knows
 * no cluster, evaluates no event and deploys nothing.
 */
export * from "./agent-presence.ts";
export * from "./annotation.ts";
export { conditionsAfter, firstFew, newConditions, type HoldingCondition } from "./conditions.ts";
export { servedVersions } from "./crd.ts";
export { contentHash, valueHash } from "./hash.ts";
export type { EvaluationFailure, EventSourceStatus } from "./kind/event-source.ts";
export type {
  ClusterConfigurationStatus,
  ClusterReportStatus,
  DeployedChart,
  DeployedFeature,
  DeployedResource,
  ReleaseReport,
  ResourceReport,
} from "./kind/cluster-configuration.ts";
export type { ClusterSummaryStatus, FeatureRelease, FeatureStatus, FeatureSummary, HelmReleaseSummary } from "./kind/cluster-summary.ts";
export type { ValidateHealth } from "./kind/validate-health.ts";
export type { ProfilePatch, TemplateResourceRef } from "./kind/addon-content.ts";
export type { PolicyRef, ValueFrom } from "./kind/content-reference.ts";
export type { EventTriggerStatus, Generator } from "./kind/event-trigger.ts";
export type { HelmChartRef } from "./kind/helm-chart.ts";
export type { ProfileSpec, ProfileStatus } from "./kind/profile.ts";
export type { ObjectReference } from "./kind/reference.ts";
export type { RoleRequestClusterInfo, RoleRequestStatus } from "./kind/role-request.ts";
export { configGroup, sveltosCrds, gvkOf, kindNames, kinds, libGroup, ownVersion, type KindName } from "./kinds.ts";
export * from "./label.ts";
export * from "./object-names.ts";
export * from "./object-part.ts";
export {
  clusterText,
  deployedForCluster,
  featureIds,
  ownerChange,
  withoutOwnership,
  hashAnnotation,
  withOwnership,
  owningProfileOf,
  reasonLabel,
  releaseMarks,
  referenceOf,
  type FeatureId,
  type Ownership,
  type ProfileOwner,
} from "./ownership.ts";
export { capiGroup, clusterReference, clusterReferredTo, readCluster, readSveltosCluster, type ManagedCluster } from "./read/cluster.ts";
export { readEventTrigger, type EventTrigger } from "./read/event-trigger.ts";
export { readClusterSet, readClusterSummary, readProfile, type ClusterSet, type ClusterSummary, type Profile } from "./read/profile.ts";
export { readEventSource, type EventSource, type ResourceSelector } from "./read/event-source.ts";
export { readRoleRequest, type RoleRequest, type Tenant } from "./read/role-request.ts";
export { failureMessageOf, type ReadResult } from "./read/read-result.ts";
export { isEmptySelector, selectorFor, selectsCluster } from "./selector.ts";
