import {
  driftIgnoreAnnotation,
  featureIds,
  type ClusterConfigurationStatus,
  type DeployedFeature,
  type DeployedResource,
  type Ownership,
} from "../api/index.ts";
import type { AddonOutcome } from "./addon-request.ts";
import type { ProfileManifest } from "./profile-manifest.ts";
import { isHook } from "./release-record.ts";

/** The resources of a profile in a ClusterConfiguration, without hooks. */
export function resourcesFeature(profileManifests: readonly ProfileManifest[], lastAppliedTime: string): DeployedFeature {
  const resources = profileManifests.filter(({ object }) => !isHook(object)).map((piece) => deployedResource(piece, lastAppliedTime));
  return { featureID: "Resources", resources };
}

/** What a ClusterConfiguration says of an object comes from these. */
type SourcedObject = Pick<ProfileManifest, "ref" | "object"> & { readonly reference: Omit<Ownership["reference"], "tier"> };

export function deployedResource({ ref, reference, object }: SourcedObject, lastAppliedTime: string): DeployedResource {
  const { group, version, kind, namespace, name } = ref;
  return {
    group,
    version,
    kind,
    ...(namespace === "" ? {} : { namespace }),
    name,
    owner: { kind: reference.kind, namespace: reference.namespace, name: reference.name },
    lastAppliedTime,
    ignoreForConfigurationDrift: object.metadata.annotations?.[driftIgnoreAnnotation] !== undefined,
  };
}

type Profile = Pick<Ownership["owner"], "kind" | "name">;

/** A ClusterConfiguration's status with the features of a profile as they are after a deploy. */
export function withProfile(
  status: ClusterConfigurationStatus,
  { kind, name }: Profile,
  outcome: Pick<AddonOutcome, "features" | "keptFeatures" | "settled">,
): ClusterConfigurationStatus {
  const features = featuresAfter(featuresBefore(status, { kind, name }), outcome);
  const entry = features.length === 0 ? {} : { Features: features };
  return kind === "ClusterProfile"
    ? {
        ...status,
        clusterProfileResources: replaced(status.clusterProfileResources, { clusterProfileName: name, ...entry }, "clusterProfileName"),
      }
    : { ...status, profileResources: replaced(status.profileResources, { profileName: name, ...entry }, "profileName") };
}

function featuresBefore(
  { clusterProfileResources = [], profileResources = [] }: ClusterConfigurationStatus,
  { kind, name }: Profile,
): readonly DeployedFeature[] {
  const entry =
    kind === "ClusterProfile"
      ? clusterProfileResources.find(({ clusterProfileName }) => clusterProfileName === name)
      : profileResources.find(({ profileName }) => profileName === name);
  return entry?.Features ?? [];
}

function featuresAfter(
  before: readonly DeployedFeature[],
  { features, keptFeatures, settled }: Pick<AddonOutcome, "features" | "keptFeatures" | "settled">,
): readonly DeployedFeature[] {
  return featureIds.flatMap((id) => {
    const old = before.find(({ featureID }) => featureID === id);
    const known = features.find(({ featureID }) => featureID === id);
    if (known === undefined) return old !== undefined && keptFeatures.includes(id) ? [old] : [];
    return [settled || old === undefined ? known : withTimesOf(old, known)];
  });
}

/** A failed deploy is repeated: what was there before it keeps its time, so that nothing is written for each attempt. */
function withTimesOf(old: DeployedFeature, { featureID, resources, charts }: DeployedFeature): DeployedFeature {
  return {
    featureID,
    ...(resources === undefined ? {} : { resources: keepEqual(old.resources, resources) }),
    ...(charts === undefined ? {} : { charts: keepEqual(old.charts, charts) }),
  };
}

function keepEqual<T extends { readonly lastAppliedTime?: string }>(old: readonly T[] = [], items: readonly T[]): readonly T[] {
  const keyOf = ({ lastAppliedTime: _time, ...rest }: T) => JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const known = new Map(old.map((each) => [keyOf(each), each]));
  return items.map((each) => known.get(keyOf(each)) ?? each);
}

/** A ClusterConfiguration's status without a profile. */
export function withoutProfile(status: ClusterConfigurationStatus, { kind, name }: Profile): ClusterConfigurationStatus {
  const { clusterProfileResources = [], profileResources = [] } = status;
  return kind === "ClusterProfile"
    ? { ...status, clusterProfileResources: clusterProfileResources.filter((each) => each.clusterProfileName !== name) }
    : { ...status, profileResources: profileResources.filter((each) => each.profileName !== name) };
}

/** Keeps the position of an entry, so that an unchanged list is equal to the old one. */
function replaced<Key extends string, T extends { readonly [key in Key]: string }>(
  list: readonly T[] | undefined,
  entry: T,
  key: Key,
): readonly T[] {
  const items = list ?? [];
  const at = items.findIndex((each) => each[key] === entry[key]);
  return at === -1 ? [...items, entry] : items.with(at, entry);
}
