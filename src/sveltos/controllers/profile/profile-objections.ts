import { originOf, type Profile } from "../../api/index.ts";
import { clusterKey, referencedCluster } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { profileDependenciesOf, setKindFor, type ProfileIndex } from "./profile-index.ts";
import { findCycle } from "./find-cycle.ts";
import { profileIdentity, profileIdOf, type ProfileId } from "./profile-key.ts";

/** A message when a profile depends on itself, directly or indirectly, so that nothing can be deployed; undefined otherwise. */
export function dependencyCycleIn(object: KubeObject, profileIndex: ProfileIndex): string | undefined {
  const self = profileIdentity(profileIdOf(object));
  const dependenciesOf = (id: ProfileId) => profileDependenciesOf(profileIdentity(id) === self ? object : profileIndex.profile(id));
  const cycle = findCycle(profileIdOf(object), dependenciesOf, profileIdentity);
  if (cycle === undefined) return undefined;
  const names = cycle.map(({ name }) => name);
  return `spec.dependsOn has a cycle, therefore nothing is deployed: ${names.join(" needs ")}`;
}

/** A message about the clusters and sets that a profile refers to and that do not exist. The others are deployed to nevertheless. */
export function missingReferencesIn(
  object: KubeObject,
  profile: Profile,
  isKnown: (cluster: string) => boolean,
  profileIndex: ProfileIndex,
): string | null {
  const { kind, metadata, clusterRefs, setRefs } = profile;
  // A generated profile is deleted with its cluster.
  if (originOf(metadata.labels) !== undefined) return null;
  const within = kind === "Profile" ? metadata.namespace : undefined;
  const clusters = clusterRefs.flatMap((ref, index) => {
    const id = referencedCluster(ref, within);
    if (id === undefined) return [`spec.clusterRefs[${index}] names no cluster: kind must be SveltosCluster or Cluster`];
    return isKnown(clusterKey(id)) ? [] : [`spec.clusterRefs[${index}]: there is no ${ref.kind ?? ""} ${id.namespace}/${id.name}`];
  });
  const found = new Set(profileIndex.setsOf(object).map((set) => set.metadata.name));
  const sets = setRefs.filter((name) => !found.has(name)).map((name) => `spec.setRefs: there is no ${setKindFor(object)} ${name}`);
  const all = [...clusters, ...sets];
  return all.length === 0 ? null : all.join("\n");
}

/** The names of the profiles that a profile depends on and that do not exist: until they do, it waits. */
export function missingDependenciesIn(object: KubeObject, profileIndex: ProfileIndex): readonly string[] {
  return profileDependenciesOf(object).flatMap((id) => (profileIndex.profile(id) === undefined ? [id.name] : []));
}
