import { clusterReferredTo } from "../../sveltos/api/index.ts";
import { listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { FleetClusterRef, UsageOutline } from "../../view/index.ts";
import { usageKinds } from "./parse-profile-filter.ts";
import { profileKindOf, compareClusters } from "../../sveltos/inspect/index.ts";

/** Selects usages; an absent field selects all. A ClusterProfile has no namespace, so every namespace includes it. */
type UsageFilter = { readonly kind?: string; readonly namespace?: string; readonly name?: string };

/**
 * Lists the clusters that each profile matches, and for each referenced ConfigMap and Secret the clusters that its content is
 * deployed to.
 */
export function usagesIn(profiles: readonly KubeObject[], { kind, namespace, name }: UsageFilter): readonly UsageOutline[] {
  const uses = [...profiles.map(ownUse), ...profiles.flatMap(contentUses)];
  return [...Map.groupBy(uses, keyOf).values()]
    .map((same): UsageOutline => ({ ...same[0]!, clusters: distinct(same.flatMap(({ clusters }) => clusters)) }))
    .filter((use) => kind === undefined || use.kind === kind)
    .filter((use) => namespace === undefined || use.namespace === namespace || use.kind === "ClusterProfile")
    .filter((use) => name === undefined || use.name === name)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || compareClusters(a, b));
}

function rankOf({ kind }: UsageOutline): number {
  return usageKinds.findIndex((each) => each === kind);
}

function keyOf({ kind, namespace, name }: UsageOutline): string {
  return `${kind}/${namespace}/${name}`;
}

function ownUse(profile: KubeObject): UsageOutline {
  const { name, namespace = "" } = profile.metadata;
  return { kind: profileKindOf(profile), namespace, name, clusters: matching(profile) };
}

function matching(profile: KubeObject): readonly FleetClusterRef[] {
  return listAt(profile, "status.matchingClusters").flatMap((reference) => clusterReferredTo(reference) ?? []);
}

/** A reference without a namespace means the profile's own namespace, or for a ClusterProfile that of each cluster. */
function contentUses(profile: KubeObject): readonly UsageOutline[] {
  const clusters = matching(profile);
  return referencesOf(profile).flatMap((reference): readonly UsageOutline[] => {
    const kind = stringAt(reference, "kind", "");
    const name = stringAt(reference, "name", "");
    const namespace = stringAt(reference, "namespace", "") || (profile.metadata.namespace ?? "");
    if (namespace !== "" || clusters.length === 0) return [{ kind, namespace, name, clusters }];
    return clusters.map((cluster) => ({ kind, namespace: cluster.namespace, name, clusters: [cluster] }));
  });
}

function referencesOf(profile: KubeObject): readonly Fields[] {
  const values = listAt(profile, "spec.helmCharts").flatMap((chart) => listAt(chart, "valuesFrom"));
  return [...listAt(profile, "spec.policyRefs"), ...values].filter(({ kind }) => kind === "ConfigMap" || kind === "Secret");
}

function distinct(clusters: readonly FleetClusterRef[]): readonly FleetClusterRef[] {
  const known = new Map(clusters.map((cluster) => [JSON.stringify(cluster), cluster]));
  return [...known.values()].toSorted(compareClusters);
}
