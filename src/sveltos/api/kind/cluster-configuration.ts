import { defaulted, list, nonEmptyText, object, oneOf, optional, text, time, boolShape, type ValueOf } from "../shape/index.ts";
import { featureId } from "./validate-health.ts";

/** An object that is deployed, or would be in a dry run, and the ConfigMap or Secret that contains it. */
const deployedResource = object({
  group: text(),
  version: nonEmptyText,
  kind: nonEmptyText,
  namespace: optional(text()),
  name: nonEmptyText,
  owner: optional(object({ kind: optional(text()), namespace: optional(text()), name: optional(text()) })),
  lastAppliedTime: optional(time),
  ignoreForConfigurationDrift: defaulted(boolShape, false),
  deploymentType: optional(oneOf("Local", "Remote")),
});
export type DeployedResource = ValueOf<typeof deployedResource>;

const deployedChart = object({
  repoURL: nonEmptyText,
  releaseName: nonEmptyText,
  namespace: optional(text()),
  chartVersion: text(),
  appVersion: optional(text()),
  icon: optional(text()),
  lastAppliedTime: time,
});
export type DeployedChart = ValueOf<typeof deployedChart>;

const deployedFeature = object({
  featureID: featureId,
  resources: optional(list(deployedResource)),
  charts: optional(list(deployedChart)),
});
export type DeployedFeature = ValueOf<typeof deployedFeature>;

/** `Features` is capitalised, as Sveltos' tools expect. */
export const clusterConfigurationStatus = object({
  clusterProfileResources: optional(list(object({ clusterProfileName: text(), Features: optional(list(deployedFeature)) }))),
  profileResources: optional(list(object({ profileName: text(), Features: optional(list(deployedFeature)) }))),
});
export type ClusterConfigurationStatus = ValueOf<typeof clusterConfigurationStatus>;

export const clusterReportSpec = object({ clusterName: text(), clusterNamespace: text() });

const resourceReport = object({
  action: optional(oneOf("No Action", "Create", "Update", "Delete", "Conflict", "Error")),
  message: optional(text()),
  resource: deployedResource,
});
export type ResourceReport = ValueOf<typeof resourceReport>;

/** `chartName` holds the release name, as in Sveltos. */
const releaseReport = object({
  action: optional(oneOf("No Action", "Install", "Upgrade", "Delete", "Conflict", "Update Values")),
  chartName: nonEmptyText,
  releaseNamespace: nonEmptyText,
  chartVersion: text(),
  message: optional(text()),
});
export type ReleaseReport = ValueOf<typeof releaseReport>;

export const clusterReportStatus = object({
  resourceReports: optional(list(resourceReport)),
  releaseReports: optional(list(releaseReport)),
  helmResourceReports: optional(list(resourceReport)),
  kustomizeResourceReports: optional(list(resourceReport)),
});
export type ClusterReportStatus = ValueOf<typeof clusterReportStatus>;
