import type { KubeObject } from "../../core/object/index.ts";
import { tenantKinds, tenantLabels } from "./label.ts";
import { crdOf, type Column, type Kind } from "./crd.ts";
import { clusterConfigurationStatus, clusterReportSpec, clusterReportStatus } from "./kind/cluster-configuration.ts";
import { clusterSummarySpec, clusterSummaryStatus } from "./kind/cluster-summary.ts";
import { eventSourceSpec, eventSourceStatus } from "./kind/event-source.ts";
import { eventBasedAddOnSpec, eventReportSpec, eventReportStatus, eventTriggerSpec, eventTriggerStatus } from "./kind/event-trigger.ts";
import { clusterSetSpec, clusterSetStatus, profileSpec, profileStatus } from "./kind/profile.ts";
import { roleRequestSpec, roleRequestStatus } from "./kind/role-request.ts";
import { sveltosClusterSpec, sveltosClusterStatus } from "./kind/sveltos-cluster.ts";

export const libGroup = "lib.projectsveltos.io";
export const configGroup = "config.projectsveltos.io";
/** The version that Sluice reads and writes. */
export const ownVersion = "v1beta1";

const text = (name: string, jsonPath: string, wide = false): Column => ({ name, type: "string", jsonPath, wide });
const failure = text("Failure", ".status.failureMessage");
const triggerColumns = [text("EventSource", ".spec.eventSourceName"), failure];
const profileColumns = [text("SyncMode", ".spec.syncMode"), { name: "Tier", type: "integer", jsonPath: ".spec.tier" } as const, failure];
const setColumns = [{ name: "MaxReplicas", type: "integer", jsonPath: ".spec.maxReplicas" } as const, failure];
const feature = (name: string, id: string) => text(name, `.status.featureSummaries[?(@.featureID=="${id}")].status`);

/** Every custom resource, by kind. */
export const kinds = {
  EventSource: {
    group: libGroup,
    kind: "EventSource",
    plural: "eventsources",
    scope: "Cluster",
    description: "Defines an event: the objects of a cluster that make it, by kind, labels, Lua and CEL.",
    spec: eventSourceSpec,
    status: eventSourceStatus,
    columns: [{ name: "Matching", type: "integer", jsonPath: ".status.matchingResources" }, failure],
  },
  EventReport: {
    group: libGroup,
    kind: "EventReport",
    plural: "eventreports",
    scope: "Namespaced",
    description: "Says which objects of one cluster match one EventSource.",
    spec: eventReportSpec,
    status: eventReportStatus,
    columns: [text("EventSource", ".spec.eventSourceName"), text("Cluster", ".spec.clusterName"), text("Phase", ".status.phase")],
  },
  EventTrigger: {
    group: libGroup,
    kind: "EventTrigger",
    plural: "eventtriggers",
    scope: "Cluster",
    description: "Says what is deployed, and where, when an event happens.",
    spec: eventTriggerSpec,
    status: eventTriggerStatus,
    columns: triggerColumns,
  },
  EventBasedAddOn: {
    group: libGroup,
    kind: "EventBasedAddOn",
    plural: "eventbasedaddons",
    scope: "Cluster",
    description: "An EventTrigger under its name of 2023; the content it refers to is always rendered with the event.",
    spec: eventBasedAddOnSpec,
    status: eventTriggerStatus,
    columns: triggerColumns,
  },
  SveltosCluster: {
    group: libGroup,
    kind: "SveltosCluster",
    plural: "sveltosclusters",
    scope: "Namespaced",
    description: "A cluster of the fleet, reached by the kubeconfig in a Secret.",
    spec: sveltosClusterSpec,
    status: sveltosClusterStatus,
    columns: [
      { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
      text("ConnectionStatus", ".status.connectionStatus"),
      text("Version", ".status.version"),
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      text("Shard", String.raw`.metadata.annotations['sharding\.projectsveltos\.io/key']`),
    ],
  },
  ClusterSet: {
    group: libGroup,
    kind: "ClusterSet",
    plural: "clustersets",
    scope: "Cluster",
    description: "A limited number of the clusters that match, for ClusterProfiles and EventTriggers to refer to.",
    spec: clusterSetSpec,
    status: clusterSetStatus,
    columns: setColumns,
  },
  Set: {
    group: libGroup,
    kind: "Set",
    plural: "sets",
    scope: "Namespaced",
    description: "A ClusterSet for the Profiles of one namespace.",
    spec: clusterSetSpec,
    status: clusterSetStatus,
    columns: setColumns,
  },
  RoleRequest: {
    group: libGroup,
    kind: "RoleRequest",
    plural: "rolerequests",
    scope: "Cluster",
    description: "Says what a tenant may do in which clusters.",
    spec: roleRequestSpec,
    status: roleRequestStatus,
    columns: [text("Namespace", ".spec.serviceAccountNamespace"), text("ServiceAccount", ".spec.serviceAccountName"), failure],
  },
  ClusterProfile: {
    group: configGroup,
    kind: "ClusterProfile",
    plural: "clusterprofiles",
    scope: "Cluster",
    description: "Add-ons, and the clusters in which they are deployed.",
    spec: profileSpec,
    status: profileStatus,
    columns: profileColumns,
  },
  Profile: {
    group: configGroup,
    kind: "Profile",
    plural: "profiles",
    scope: "Namespaced",
    description: "A ClusterProfile for the clusters, ConfigMaps and Secrets of one namespace.",
    spec: profileSpec,
    status: profileStatus,
    columns: profileColumns,
  },
  ClusterSummary: {
    group: configGroup,
    kind: "ClusterSummary",
    plural: "clustersummaries",
    scope: "Namespaced",
    description: "What became of one profile in one cluster.",
    spec: clusterSummarySpec,
    status: clusterSummaryStatus,
    columns: [
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      feature("HelmCharts", "Helm"),
      feature("KustomizeRefs", "Kustomize"),
      feature("PolicyRefs", "Resources"),
    ],
  },
  ClusterConfiguration: {
    group: configGroup,
    kind: "ClusterConfiguration",
    plural: "clusterconfigurations",
    scope: "Namespaced",
    description: "What is deployed in one cluster, and by which profiles.",
    status: clusterConfigurationStatus,
  },
  ClusterReport: {
    group: configGroup,
    kind: "ClusterReport",
    plural: "clusterreports",
    scope: "Namespaced",
    description: "What a profile in DryRun mode would change in one cluster.",
    spec: clusterReportSpec,
    status: clusterReportStatus,
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** The kind of a custom resource. */
export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds).filter((name): name is KindName => name in kinds);

/** The CustomResourceDefinitions of all kinds. */
export function sveltosCrds(): readonly KubeObject[] {
  return Object.values(kinds).map(crdOf);
}

/** The GroupVersionKind under which Sluice reads and writes a custom resource. */
export function gvkOf(name: KindName): { readonly group: string; readonly version: string; readonly kind: string } {
  return { group: kinds[name].group, version: ownVersion, kind: name };
}

/** By kind, the fields and enum values that the API server accepts and Sluice does not build. */
export function notBuilt(): ReadonlyMap<KindName, readonly string[]> {
  const written: readonly KindName[] = [
    "EventSource",
    "EventTrigger",
    "EventBasedAddOn",
    "ClusterProfile",
    "Profile",
    "ClusterSet",
    "Set",
    "SveltosCluster",
    "RoleRequest",
  ];
  return new Map(written.map((name) => [name, notBuiltOf(kinds[name])]));
}

function notBuiltOf({ kind, spec }: Kind): readonly string[] {
  const refusedLabels = tenantKinds.has(kind) ? [] : tenantLabels.map((label) => `metadata.labels[${label}]`);
  return [...refusedLabels, ...(spec?.notBuilt ?? []).map((path) => `spec${path}`)];
}
