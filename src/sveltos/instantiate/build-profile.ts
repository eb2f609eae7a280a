import {
  configGroup,
  isEmptySelector,
  ownVersion,
  type HelmChartRef,
  type ObjectReference,
  type PolicyRef,
  type TemplateResourceRef,
  type ValueFrom,
} from "../api/index.ts";
import type { Fields, KubeObject } from "../../core/object/index.ts";
import { tenantLabelsOf } from "../tenant/index.ts";
import { resolveContentReference } from "./instantiate-content.ts";
import type { OccurrenceBuilder } from "./occurrence-builder.ts";
import { profileLabels, instantiatedContentLabels } from "./generated-labels.ts";

/** Builds the ClusterProfile of one occurrence and the ConfigMaps and Secrets that it references. */
export function buildProfile(builder: OccurrenceBuilder): KubeObject {
  const { origin } = builder.occurrence;
  const spec = specFor(builder);
  const labels = builder.template === undefined ? profileLabels(origin) : instantiatedContentLabels(origin, builder.template);
  return {
    apiVersion: `${configGroup}/${ownVersion}`,
    kind: "ClusterProfile",
    metadata: { name: nameFor(builder), labels: { ...labels, ...tenantLabelsOf(builder.context.trigger.metadata.labels) } },
    spec,
  };
}

function nameFor(builder: OccurrenceBuilder): string {
  const { trigger, names } = builder.context;
  if (trigger.profileNameFormat === "") return names.profile(profileLabels(builder.occurrence.origin));
  const at = "spec.profileNameFormat";
  const name = builder.renderName(at, trigger.profileNameFormat);
  builder.reserveName(at, { kind: "ClusterProfile", namespace: "", name });
  return name;
}

function specFor(builder: OccurrenceBuilder): Fields {
  const { trigger } = builder.context;
  const { syncMode, tier, continueOnConflict, stopMatchingBehavior, maxUpdate } = trigger;
  return {
    ...targetsFor(builder),
    syncMode,
    tier,
    continueOnConflict,
    // Sveltos' tools expect these two fields to be present.
    continueOnError: false,
    reloader: false,
    stopMatchingBehavior,
    ...(maxUpdate !== undefined && { maxUpdate }),
    ...unlessEmpty("dependsOn", trigger.dependsOn),
    ...unlessEmpty("patches", trigger.patches),
    ...unlessEmpty("validateHealths", trigger.validateHealths),
    ...unlessEmpty("templateResourceRefs", resourceRefsFor(builder)),
    ...unlessEmpty(
      "helmCharts",
      trigger.helmCharts.map((chart, index) => chartFor(chart, `spec.helmCharts[${index}]`, builder)),
    ),
    ...unlessEmpty(
      "policyRefs",
      trigger.policyRefs.flatMap((ref, index) => policyRefFor(ref, `spec.policyRefs[${index}]`, builder)),
    ),
  };
}

function unlessEmpty(field: string, items: readonly unknown[]): Fields {
  return items.length === 0 ? {} : { [field]: items };
}

/** The destination clusters of the trigger; without any, the cluster of the event. */
function targetsFor(builder: OccurrenceBuilder): Fields {
  const { trigger, cluster } = builder.context;
  const { destinationClusterSelector: clusterSelector, destinationCluster } = trigger;
  if (destinationCluster !== undefined) return { clusterSelector, clusterRefs: [destinationFor(destinationCluster, builder)] };
  if (!isEmptySelector(clusterSelector)) return { clusterSelector };
  const { apiVersion, kind } = cluster.object;
  return { clusterSelector, clusterRefs: [{ apiVersion, kind, namespace: cluster.namespace, name: cluster.name }] };
}

function destinationFor({ apiVersion = "", kind = "", namespace = "", name = "" }: ObjectReference, builder: OccurrenceBuilder): Fields {
  const at = "spec.destinationCluster";
  const { object } = builder.context.cluster;
  return {
    apiVersion: builder.renderText(`${at}.apiVersion`, apiVersion) || object.apiVersion,
    kind: builder.renderText(`${at}.kind`, kind) || object.kind,
    namespace: builder.renderNamespace(`${at}.namespace`, namespace),
    name: builder.renderName(`${at}.name`, name),
  };
}

function resourceRefsFor(builder: OccurrenceBuilder): readonly Fields[] {
  return builder.context.trigger.templateResourceRefs.map((ref, index) =>
    resourceRefFor(ref, `spec.templateResourceRefs[${index}]`, builder),
  );
}

function resourceRefFor({ identifier, resource, optional }: TemplateResourceRef, at: string, builder: OccurrenceBuilder): Fields {
  return {
    identifier,
    resource: {
      ...resource,
      namespace: builder.renderNamespace(`${at}.resource.namespace`, resource.namespace ?? ""),
      name: builder.renderText(`${at}.resource.name`, resource.name ?? ""),
    },
    ...(optional && { optional }),
  };
}

const chartTexts = ["repositoryURL", "repositoryName", "chartName", "chartVersion", "releaseName", "releaseNamespace", "values"] as const;

function chartFor(chart: HelmChartRef, at: string, builder: OccurrenceBuilder): Fields {
  const texts = chartTexts.flatMap((field) => {
    const text = builder.renderText(`${at}.${field}`, chart[field]);
    return text === "" ? [] : [[field, text] as const];
  });
  return {
    ...Object.fromEntries(texts),
    helmChartAction: chart.helmChartAction,
    ...(chart.options !== undefined && { options: chart.options }),
    ...(chart.provenanceVerification !== undefined && { provenanceVerification: chart.provenanceVerification }),
    ...unlessEmpty(
      "valuesFrom",
      chart.valuesFrom.flatMap((ref, index) => valueFromFor(ref, `${at}.valuesFrom[${index}]`, builder)),
    ),
  };
}

/** Keeps a missing reference: the object may exist when the chart is deployed, which checks it again. */
function valueFromFor({ kind, namespace, name, optional }: ValueFrom, at: string, builder: OccurrenceBuilder): readonly Fields[] {
  const named = { kind, namespace: builder.renderNamespace(`${at}.namespace`, namespace), name: builder.renderName(`${at}.name`, name) };
  const resolved = resolveContentReference(at, named, builder, { missing: "kept" });
  return resolved === undefined ? [] : [{ ...resolved, ...(optional && { optional }) }];
}

function policyRefFor(ref: PolicyRef, at: string, builder: OccurrenceBuilder): readonly Fields[] {
  const { kind, deploymentType, optional, tier, skipNamespaceCreation } = ref;
  if (kind !== "ConfigMap" && kind !== "Secret") return [];
  const named = {
    kind,
    namespace: builder.renderNamespace(`${at}.namespace`, ref.namespace),
    name: builder.renderName(`${at}.name`, ref.name),
  };
  const resolved = resolveContentReference(at, named, builder, { missing: optional ? "left-out" : "error" });
  if (resolved === undefined) return [];
  const options = { ...(optional && { optional }), ...(tier !== 100 && { tier }), ...(skipNamespaceCreation && { skipNamespaceCreation }) };
  return [{ ...resolved, deploymentType, ...options }];
}
