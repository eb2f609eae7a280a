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
import { settledReference } from "./content.ts";
import type { Drafting } from "./drafting.ts";
import { labelsOf, labelsOfInstantiated } from "./origin.ts";

/** The ClusterProfile of one occurrence, and on the way the ConfigMaps and Secrets that it refers to. */
export function draftProfile(drafting: Drafting): KubeObject {
  const { origin } = drafting.occurrence;
  const spec = specFor(drafting);
  const labels = drafting.template === undefined ? labelsOf(origin) : labelsOfInstantiated(origin, drafting.template);
  return {
    apiVersion: `${configGroup}/${ownVersion}`,
    kind: "ClusterProfile",
    metadata: { name: nameFor(drafting), labels },
    spec,
  };
}

function nameFor(drafting: Drafting): string {
  const { trigger, names } = drafting.setting;
  if (trigger.profileNameFormat === "") return names.profile(labelsOf(drafting.occurrence.origin));
  const at = "spec.profileNameFormat";
  const name = drafting.name(at, trigger.profileNameFormat);
  drafting.claim(at, { kind: "ClusterProfile", namespace: "", name });
  return name;
}

function specFor(drafting: Drafting): Fields {
  const { trigger } = drafting.setting;
  const { syncMode, tier, continueOnConflict, stopMatchingBehavior, maxUpdate } = trigger;
  return {
    ...targetsFor(drafting),
    syncMode,
    tier,
    continueOnConflict,
    // Sveltos writes these two out, so they are found where its tools look.
    continueOnError: false,
    reloader: false,
    stopMatchingBehavior,
    ...(maxUpdate !== undefined && { maxUpdate }),
    ...unlessEmpty("dependsOn", trigger.dependsOn),
    ...unlessEmpty("patches", trigger.patches),
    ...unlessEmpty("validateHealths", trigger.validateHealths),
    ...unlessEmpty("templateResourceRefs", resourceRefsFor(drafting)),
    ...unlessEmpty(
      "helmCharts",
      trigger.helmCharts.map((chart, index) => chartFor(chart, `spec.helmCharts[${index}]`, drafting)),
    ),
    ...unlessEmpty(
      "policyRefs",
      trigger.policyRefs.flatMap((ref, index) => policyRefFor(ref, `spec.policyRefs[${index}]`, drafting)),
    ),
  };
}

function unlessEmpty(field: string, items: readonly unknown[]): Fields {
  return items.length === 0 ? {} : { [field]: items };
}

/** The cluster of the event, unless the trigger says where else; then only there. */
function targetsFor(drafting: Drafting): Fields {
  const { trigger, cluster } = drafting.setting;
  const { destinationClusterSelector: clusterSelector, destinationCluster } = trigger;
  if (destinationCluster !== undefined) return { clusterSelector, clusterRefs: [destinationFor(destinationCluster, drafting)] };
  if (!isEmptySelector(clusterSelector)) return { clusterSelector };
  const { apiVersion, kind } = cluster.object;
  return { clusterSelector, clusterRefs: [{ apiVersion, kind, namespace: cluster.namespace, name: cluster.name }] };
}

function destinationFor({ apiVersion = "", kind = "", namespace = "", name = "" }: ObjectReference, drafting: Drafting): Fields {
  const at = "spec.destinationCluster";
  const { object } = drafting.setting.cluster;
  return {
    apiVersion: drafting.text(`${at}.apiVersion`, apiVersion) || object.apiVersion,
    kind: drafting.text(`${at}.kind`, kind) || object.kind,
    namespace: drafting.namespace(`${at}.namespace`, namespace),
    name: drafting.name(`${at}.name`, name),
  };
}

function resourceRefsFor(drafting: Drafting): readonly Fields[] {
  return drafting.setting.trigger.templateResourceRefs.map((ref, index) =>
    resourceRefFor(ref, `spec.templateResourceRefs[${index}]`, drafting),
  );
}

function resourceRefFor({ identifier, resource, optional }: TemplateResourceRef, at: string, drafting: Drafting): Fields {
  return {
    identifier,
    resource: {
      ...resource,
      namespace: drafting.namespace(`${at}.resource.namespace`, resource.namespace ?? ""),
      name: drafting.text(`${at}.resource.name`, resource.name ?? ""),
    },
    ...(optional && { optional }),
  };
}

const chartTexts = ["repositoryURL", "repositoryName", "chartName", "chartVersion", "releaseName", "releaseNamespace", "values"] as const;

function chartFor(chart: HelmChartRef, at: string, drafting: Drafting): Fields {
  const texts = chartTexts.flatMap((field) => {
    const text = drafting.text(`${at}.${field}`, chart[field]);
    return text === "" ? [] : [[field, text] as const];
  });
  return {
    ...Object.fromEntries(texts),
    helmChartAction: chart.helmChartAction,
    ...(chart.options !== undefined && { options: chart.options }),
    ...unlessEmpty(
      "valuesFrom",
      chart.valuesFrom.flatMap((ref, index) => valueFromFor(ref, `${at}.valuesFrom[${index}]`, drafting)),
    ),
  };
}

/** What is not there is left for the deployment to judge: it may be made by somebody else in time. */
function valueFromFor({ kind, namespace, name, optional }: ValueFrom, at: string, drafting: Drafting): readonly Fields[] {
  const named = { kind, namespace: drafting.namespace(`${at}.namespace`, namespace), name: drafting.name(`${at}.name`, name) };
  const settled = settledReference(at, named, drafting, { missing: "kept" });
  return settled === undefined ? [] : [{ ...settled, ...(optional && { optional }) }];
}

function policyRefFor(ref: PolicyRef, at: string, drafting: Drafting): readonly Fields[] {
  const { kind, deploymentType, optional, tier, skipNamespaceCreation } = ref;
  if (kind !== "ConfigMap" && kind !== "Secret") return [];
  const named = { kind, namespace: drafting.namespace(`${at}.namespace`, ref.namespace), name: drafting.name(`${at}.name`, ref.name) };
  const settled = settledReference(at, named, drafting, { missing: optional ? "left-out" : "error" });
  if (settled === undefined) return [];
  const manner = { ...(optional && { optional }), ...(tier !== 100 && { tier }), ...(skipNamespaceCreation && { skipNamespaceCreation }) };
  return [{ ...settled, deploymentType, ...manner }];
}
