import { createHash } from "node:crypto";
import { labelValueProblems } from "../../core/object/index.ts";
import { typeInNames, type ClusterId, type ProfileKind } from "./object-names.ts";

type Labels = Readonly<Record<string, string>>;

/**
 * A name as a label value. A name that is too long, or has characters that label values cannot have, is shortened and ends
 * in a hash.
 */
export function labelValue(name: string): string {
  if (labelValueProblems(name).length === 0) return name;
  const start = name
    .replaceAll(/[^A-Za-z0-9_.-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 52);
  return `${start}-${createHash("sha256").update(name).digest("hex").slice(0, 10)}`.replace(/^-/, "");
}

/** The labels that name the tenant of an object: two for its ServiceAccount, and the single one of 2023. */
export const tenantLabels = [
  "projectsveltos.io/serviceaccount-name",
  "projectsveltos.io/serviceaccount-namespace",
  "projectsveltos.io/admin-name",
] as const;

/** The kinds that tenants may write. Nothing is done for objects of other kinds that have a tenant's labels. */
export const tenantKinds: ReadonlySet<string> = new Set([
  "EventSource",
  "EventTrigger",
  "EventBasedAddOn",
  "ClusterProfile",
  "Profile",
  "ClusterSummary",
]);

/** On EventReports of managed clusters and of the management cluster. */
export const eventSourceNameLabel = "projectsveltos.io/eventsource-name";
export const reportClusterNameLabel = "eventreport.projectsveltos.io/cluster-name";
export const reportClusterTypeLabel = "eventreport.projectsveltos.io/cluster-type";

/** On ClusterSummaries, ClusterConfigurations and ClusterReports. */
const clusterNameLabel = "projectsveltos.io/cluster-name";
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

/** The labels of a cluster's ClusterConfiguration. Unlike in reports, the type is capitalised. */
export function clusterLabels({ type, name }: ClusterId): Labels {
  return { [clusterNameLabel]: labelValue(name), [clusterTypeLabel]: type };
}

/**
 * The labels of one profile in one cluster, on its ClusterReport and ClusterSummary. A generated profile has them too, with
 * its destination cluster.
 */
export function clusterProfileLabels(kind: ProfileKind, profile: string, cluster: ClusterId): Labels {
  return { [kind === "Profile" ? profileNameLabel : clusterProfileNameLabel]: labelValue(profile), ...clusterLabels(cluster) };
}

/** The labels of a ClusterSummary: those of the profile, and `clusterProfileLabels`. */
export function clusterSummaryLabels(
  kind: ProfileKind,
  profile: { readonly name: string; readonly labels?: Labels },
  cluster: ClusterId,
): Labels {
  return { ...profile.labels, ...clusterProfileLabels(kind, profile.name, cluster) };
}

/** The origin of a generated object: trigger, EventSource, cluster of the event and, with oneForEvent, the matching object. */
export type EventOrigin = {
  readonly trigger: string;
  readonly eventSource: string;
  readonly cluster: ClusterId;
  /** The matching object; only with oneForEvent. */
  readonly resource?: {
    readonly namespace?: string;
    readonly name: string;
    /** Only if matching objects of different kinds have the same namespace and name, which Sveltos does not distinguish. */
    readonly kind?: string;
  };
};

const eventTrigger = "eventtrigger.lib.projectsveltos.io";
/** On every object that a trigger has generated. */
export const eventTriggerNameLabel = `${eventTrigger}/eventtriggername`;

/** The labels of a generated profile, by which later passes find it. */
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

/** The labels that all objects have which one trigger has generated for one cluster. */
export function triggerLabels(trigger: string, { type, namespace, name }: ClusterId): Labels {
  return {
    [eventTriggerNameLabel]: labelValue(trigger),
    [`${eventTrigger}/clusterNamespace`]: namespace,
    [`${eventTrigger}/clustername`]: labelValue(name),
    [`${eventTrigger}/clustertype`]: type,
  };
}

/**
 * The labels of an instantiated ConfigMap or Secret: its origin and its template. The profile that references it has the
 * labels of the template too.
 */
export function instantiatedLabels(origin: EventOrigin, template: { readonly namespace: string; readonly name: string }): Labels {
  return {
    ...originLabels(origin),
    [`${eventTrigger}/refname`]: labelValue(template.name),
    [`${eventTrigger}/refnamespace`]: template.namespace,
  };
}

/** As `instantiatedLabels`, for the output of a configMapGenerator or secretGenerator. */
export function generatorLabels(origin: EventOrigin, template: { readonly namespace: string; readonly name: string }): Labels {
  return { ...instantiatedLabels(origin, template), [`${eventTrigger}/fromgenerator`]: "ok" };
}

/**
 * The origin of a generated object, read from its labels; undefined for other objects. Names that no label can hold come
 * back as `labelValue` gives them.
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
