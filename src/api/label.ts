import { typeInNames, type ClusterId, type ProfileKind } from "./name.ts";

type Labels = Readonly<Record<string, string>>;

/** Who a tenant's object acts for: the ServiceAccount's two labels, and the single one of 2023. */
export const tenantLabels: readonly string[] = [
  "projectsveltos.io/serviceaccount-name",
  "projectsveltos.io/serviceaccount-namespace",
  "projectsveltos.io/admin-name",
];

/** On EventReports, in both places. */
export const eventSourceNameLabel = "projectsveltos.io/eventsource-name";
export const reportClusterNameLabel = "eventreport.projectsveltos.io/cluster-name";
export const reportClusterTypeLabel = "eventreport.projectsveltos.io/cluster-type";

/** On ClusterSummaries, ClusterConfigurations and ClusterReports. */
export const clusterNameLabel = "projectsveltos.io/cluster-name";
export const clusterTypeLabel = "projectsveltos.io/cluster-type";
export const clusterProfileNameLabel = "projectsveltos.io/cluster-profile-name";
export const profileNameLabel = "projectsveltos.io/profile-name";

/** The labels of an EventReport in the managed cluster. */
export function managedEventReportLabels(eventSource: string): Labels {
  return { [eventSourceNameLabel]: eventSource };
}

/** The labels of an EventReport in the management cluster. */
export function eventReportLabels(eventSource: string, { type, name }: ClusterId): Labels {
  return { ...managedEventReportLabels(eventSource), [reportClusterNameLabel]: name, [reportClusterTypeLabel]: typeInNames(type) };
}

/** The labels of a cluster's ClusterConfiguration; the type is capitalised here. */
export function clusterLabels({ type, name }: ClusterId): Labels {
  return { [clusterNameLabel]: name, [clusterTypeLabel]: type };
}

/** The labels that belong to one profile in one cluster: its ClusterReport's, and how its ClusterSummary is found. */
export function clusterProfileLabels(kind: ProfileKind, profile: string, cluster: ClusterId): Labels {
  return { [kind === "Profile" ? profileNameLabel : clusterProfileNameLabel]: profile, ...clusterLabels(cluster) };
}

/** The labels of a ClusterSummary: all that the profile has, and the ones by which it is found. */
export function clusterSummaryLabels(
  kind: ProfileKind,
  profile: { readonly name: string; readonly labels?: Labels },
  cluster: ClusterId,
): Labels {
  return { ...profile.labels, ...clusterProfileLabels(kind, profile.name, cluster) };
}

/** What a generated object came from: a trigger, the cluster of the event, and the matching object when there is one for each. */
export type EventOrigin = {
  readonly trigger: string;
  readonly eventSource: string;
  readonly cluster: ClusterId;
  /** The object of the event; only with oneForEvent. */
  readonly resource?: { readonly namespace?: string; readonly name: string };
};

const eventTrigger = "eventtrigger.lib.projectsveltos.io";

/** The labels of a generated profile, by which it is found again. */
export function originLabels({ trigger, eventSource, cluster, resource }: EventOrigin): Labels {
  return {
    ...triggerLabels(trigger, cluster),
    [`${eventTrigger}/eventreportname`]: eventSource,
    ...(resource !== undefined && { [`${eventTrigger}/resourcename`]: resource.name }),
    ...(resource?.namespace ? { [`${eventTrigger}/resourcenamespace`]: resource.namespace } : {}),
  };
}

/** All that one trigger has generated for one cluster, whatever the event. */
export function triggerLabels(trigger: string, { type, namespace, name }: ClusterId): Labels {
  return {
    [`${eventTrigger}/eventtriggername`]: trigger,
    [`${eventTrigger}/clusterNamespace`]: namespace,
    [`${eventTrigger}/clustername`]: name,
    [`${eventTrigger}/clustertype`]: type,
  };
}

/**
 * The labels of an instantiated ConfigMap or Secret: the origin and the template it was made from. The profile that
 * refers to it carries the same two more.
 */
export function instantiatedLabels(origin: EventOrigin, template: { readonly namespace: string; readonly name: string }): Labels {
  return { ...originLabels(origin), [`${eventTrigger}/refname`]: template.name, [`${eventTrigger}/refnamespace`]: template.namespace };
}

/** As `instantiatedLabels`, for what a configMapGenerator or secretGenerator made. */
export function generatorLabels(origin: EventOrigin, template: { readonly namespace: string; readonly name: string }): Labels {
  return { ...instantiatedLabels(origin, template), [`${eventTrigger}/fromgenerator`]: "ok" };
}

/** What the labels of a generated object say about where it came from; undefined for one that no trigger generated. */
export function originOf(labels: Labels = {}): EventOrigin | undefined {
  const of = (field: string) => labels[`${eventTrigger}/${field}`];
  const [trigger, eventSource, type, name] = [of("eventtriggername"), of("eventreportname"), of("clustertype"), of("clustername")];
  if (trigger === undefined || eventSource === undefined || name === undefined || (type !== "Sveltos" && type !== "Capi")) return undefined;
  const [resource, namespace] = [of("resourcename"), of("resourcenamespace")];
  return {
    trigger,
    eventSource,
    cluster: { type, namespace: of("clusterNamespace") ?? "", name },
    ...(resource !== undefined && { resource: { name: resource, ...(namespace !== undefined && { namespace }) } }),
  };
}
