import { createHash } from "node:crypto";
import { labelValueProblems } from "../../core/object/index.ts";
import { typeInNames, type ClusterId, type ProfileKind } from "./name.ts";

type Labels = Readonly<Record<string, string>>;

/**
 * A name as the value of a label. Names may be longer than labels, and some have characters that labels have not; such a
 * name is shortened and told apart by a hash.
 */
export function labelValue(name: string): string {
  if (labelValueProblems(name).length === 0) return name;
  const start = name
    .replaceAll(/[^A-Za-z0-9_.-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 52);
  return `${start}-${createHash("sha256").update(name).digest("hex").slice(0, 10)}`.replace(/^-/, "");
}

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
  return { [eventSourceNameLabel]: labelValue(eventSource) };
}

/** The labels of an EventReport in the management cluster. */
export function eventReportLabels(eventSource: string, { type, name }: ClusterId): Labels {
  return {
    ...managedEventReportLabels(eventSource),
    [reportClusterNameLabel]: labelValue(name),
    [reportClusterTypeLabel]: typeInNames(type),
  };
}

/** The labels of a cluster's ClusterConfiguration; the type is capitalised here. */
export function clusterLabels({ type, name }: ClusterId): Labels {
  return { [clusterNameLabel]: labelValue(name), [clusterTypeLabel]: type };
}

/**
 * The labels that belong to one profile in one cluster: its ClusterReport's, and how its ClusterSummary is found. A
 * generated profile carries them too, with the cluster it is deployed to.
 */
export function clusterProfileLabels(kind: ProfileKind, profile: string, cluster: ClusterId): Labels {
  return { [kind === "Profile" ? profileNameLabel : clusterProfileNameLabel]: labelValue(profile), ...clusterLabels(cluster) };
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
  readonly resource?: {
    readonly namespace?: string;
    readonly name: string;
    /** Only where objects of different kinds share namespace and name: Sveltos would make one profile of them. */
    readonly kind?: string;
  };
};

const eventTrigger = "eventtrigger.lib.projectsveltos.io";

/** The labels of a generated profile, by which it is found again. */
export function originLabels({ trigger, eventSource, cluster, resource }: EventOrigin): Labels {
  const { name, namespace = "", kind } = resource ?? {};
  return {
    ...triggerLabels(trigger, cluster),
    [`${eventTrigger}/eventreportname`]: labelValue(eventSource),
    ...(name !== undefined && { [`${eventTrigger}/resourcename`]: labelValue(name) }),
    ...(namespace !== "" && { [`${eventTrigger}/resourcenamespace`]: namespace }),
    ...(kind !== undefined && { [`${eventTrigger}/resourcekind`]: labelValue(kind) }),
  };
}

/** All that one trigger has generated for one cluster, whatever the event. */
export function triggerLabels(trigger: string, { type, namespace, name }: ClusterId): Labels {
  return {
    [`${eventTrigger}/eventtriggername`]: labelValue(trigger),
    [`${eventTrigger}/clusterNamespace`]: namespace,
    [`${eventTrigger}/clustername`]: labelValue(name),
    [`${eventTrigger}/clustertype`]: type,
  };
}

/**
 * The labels of an instantiated ConfigMap or Secret: the origin and the template it was made from. The profile that
 * refers to it carries the same two more.
 */
export function instantiatedLabels(origin: EventOrigin, template: { readonly namespace: string; readonly name: string }): Labels {
  return {
    ...originLabels(origin),
    [`${eventTrigger}/refname`]: labelValue(template.name),
    [`${eventTrigger}/refnamespace`]: template.namespace,
  };
}

/** As `instantiatedLabels`, for what a configMapGenerator or secretGenerator made. */
export function generatorLabels(origin: EventOrigin, template: { readonly namespace: string; readonly name: string }): Labels {
  return { ...instantiatedLabels(origin, template), [`${eventTrigger}/fromgenerator`]: "ok" };
}

/**
 * What the labels of a generated object say about where it came from; undefined for one that no trigger generated. Names
 * that no label can hold come back as `labelValue` gives them.
 */
export function originOf(labels: Labels = {}): EventOrigin | undefined {
  const of = (field: string) => labels[`${eventTrigger}/${field}`];
  const [trigger, eventSource, type, name] = [of("eventtriggername"), of("eventreportname"), of("clustertype"), of("clustername")];
  if (trigger === undefined || eventSource === undefined || name === undefined || (type !== "Sveltos" && type !== "Capi")) return undefined;
  const [resource, namespace, kind] = [of("resourcename"), of("resourcenamespace"), of("resourcekind")];
  return {
    trigger,
    eventSource,
    cluster: { type, namespace: of("clusterNamespace") ?? "", name },
    ...(resource !== undefined && {
      resource: { name: resource, ...(namespace !== undefined && { namespace }), ...(kind !== undefined && { kind }) },
    }),
  };
}
