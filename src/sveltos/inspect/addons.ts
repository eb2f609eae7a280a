import { listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { AddonOutline, ProfileOutline } from "../../view/index.ts";
import { compareClusters, clusterRefOfConfiguration, isClusterCalled } from "./cluster-ref.ts";
import { matchesProfile, type ProfileFilter } from "./profile-filter.ts";

/** The triggers that generated ClusterProfiles, by the name of the profile. */
type TriggersByProfile = ReadonlyMap<string, string>;

/** Selects add-ons; an absent field selects all. */
type AddonFilter = {
  /** The name of a cluster. */
  readonly cluster?: string;
  readonly profile?: ProfileFilter;
  readonly only?: "charts" | "resources";
};

/** Lists what is deployed from ClusterConfigurations, by cluster and then by time. What several profiles deploy is listed once. */
export function addonsIn(
  configurations: readonly KubeObject[],
  { cluster, profile, only }: AddonFilter,
  triggers: TriggersByProfile = new Map(),
): readonly AddonOutline[] {
  const chosen = configurations.filter((each) => cluster === undefined || isClusterCalled(clusterRefOfConfiguration(each), cluster));
  return mergeByKey(chosen.flatMap((each) => addonsOf(each, triggers)))
    .filter(({ profiles }) => profiles.some((each) => matchesProfile(each, profile)))
    .filter(({ type }) => only === undefined || type === (only === "charts" ? "chart" : "resource"))
    .toSorted((a, b) => compareClusters(a.cluster, b.cluster) || timeOf(a) - timeOf(b));
}

function timeOf({ lastAppliedTime = "" }: AddonOutline): number {
  return Date.parse(lastAppliedTime) || 0;
}

function addonsOf(configuration: KubeObject, triggers: TriggersByProfile): readonly AddonOutline[] {
  const cluster = clusterRefOfConfiguration(configuration);
  const owned = [
    ...listAt(configuration, "status.clusterProfileResources").map((entry) => {
      const name = stringAt(entry, "clusterProfileName", "");
      const trigger = triggers.get(name);
      const profile: ProfileOutline = { kind: "ClusterProfile", name, ...(trigger === undefined ? {} : { trigger }) };
      return { profile, entry };
    }),
    ...listAt(configuration, "status.profileResources").map((entry) => {
      const profile: ProfileOutline = { kind: "Profile", namespace: cluster.namespace, name: stringAt(entry, "profileName", "") };
      return { profile, entry };
    }),
  ];
  return owned.flatMap(({ profile, entry }) =>
    listAt(entry, "Features").flatMap((feature) => [
      ...listAt(feature, "charts").map((chart): AddonOutline => ({ cluster, ...chartOf(chart), profiles: [profile] })),
      ...listAt(feature, "resources").map((resource): AddonOutline => ({ cluster, ...resourceOf(resource), profiles: [profile] })),
    ]),
  );
}

function chartOf(chart: Fields) {
  const text = (path: string) => stringAt(chart, path, "");
  return {
    type: "chart",
    repoURL: text("repoURL"),
    chartVersion: text("chartVersion"),
    ...optional(chart, "appVersion"),
    namespace: text("namespace"),
    name: text("releaseName"),
    ...optional(chart, "lastAppliedTime"),
    deploymentType: "Remote",
  } as const;
}

function resourceOf(resource: Fields) {
  const text = (path: string) => stringAt(resource, path, "");
  return {
    type: "resource",
    group: text("group"),
    version: text("version"),
    kind: text("kind"),
    namespace: text("namespace"),
    name: text("name"),
    ...optional(resource, "lastAppliedTime"),
    deploymentType: text("deploymentType") === "Local" ? "Local" : "Remote",
  } as const;
}

function optional<Key extends string>(fields: Fields, key: Key): { readonly [key in Key]?: string } {
  const value = stringAt(fields, key);
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in Key]: string });
}

/** Merges entries of the same add-on: all of its profiles, and the latest time. */
function mergeByKey(addons: readonly AddonOutline[]): readonly AddonOutline[] {
  return [...Map.groupBy(addons, keyOf).values()].map((same) => {
    const latest = same.reduce((a, b) => (timeOf(b) > timeOf(a) ? b : a));
    return { ...latest, profiles: same.flatMap(({ profiles }) => profiles) };
  });
}

function keyOf(addon: AddonOutline): string {
  const what = addon.type === "chart" ? [addon.chartVersion] : [addon.group, addon.kind];
  const { cluster, type, namespace, name, deploymentType } = addon;
  return JSON.stringify([cluster, type, ...what, namespace, name, deploymentType]);
}
