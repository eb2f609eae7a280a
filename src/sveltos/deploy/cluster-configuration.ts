import {
  driftIgnoreAnnotation,
  type ClusterConfigurationStatus,
  type DeployedFeature,
  type DeployedResource,
  type Ownership,
} from "../api/index.ts";
import type { ProfileManifest } from "./profile-manifest.ts";
import { isHook } from "./release-record.ts";

/** The resources of a profile in a ClusterConfiguration, without hooks. */
export function resourcesFeature(profileManifests: readonly ProfileManifest[], lastAppliedTime: string): DeployedFeature {
  const resources = profileManifests.filter(({ object }) => !isHook(object)).map((piece) => deployedResource(piece, lastAppliedTime));
  return { featureID: "Resources", resources };
}

export function deployedResource({ ref, reference, object }: ProfileManifest, lastAppliedTime: string): DeployedResource {
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

/** A ClusterConfiguration's status with the features of a profile replaced. */
export function withProfile(
  status: ClusterConfigurationStatus,
  { kind, name }: Profile,
  features: readonly DeployedFeature[],
): ClusterConfigurationStatus {
  const entry = features.length === 0 ? {} : { Features: features };
  return kind === "ClusterProfile"
    ? {
        ...status,
        clusterProfileResources: replaced(status.clusterProfileResources, { clusterProfileName: name, ...entry }, "clusterProfileName"),
      }
    : { ...status, profileResources: replaced(status.profileResources, { profileName: name, ...entry }, "profileName") };
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
