import { originOf, type Profile } from "../../api/index.ts";
import { clusterKey, referencedCluster } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { profileKeyOf, profileDependenciesOf, setKindFor, type ProfileIndex } from "./profile-index.ts";
import { findCycle } from "./find-cycle.ts";
import { profileIdOf } from "./profile-key.ts";

/** Why nothing can be deployed for a profile that waits for itself, in words; undefined for others. */
export function dependencyCycleIn(object: KubeObject, profileIndex: ProfileIndex): string | undefined {
  const circle = findCycle(profileKeyOf(object), (key) =>
    profileDependenciesOf(key === profileKeyOf(object) ? object : profileIndex.profile(key)),
  );
  if (circle === undefined) return undefined;
  const names = circle.map((key) => profileIdOf(key).name);
  return `spec.dependsOn goes in a circle, therefore nothing is deployed: ${names.join(" needs ")}`;
}

/** What a profile names and is not there, in words: the rest of it is deployed all the same. */
export function missingReferencesIn(
  object: KubeObject,
  profile: Profile,
  isKnown: (cluster: string) => boolean,
  profileIndex: ProfileIndex,
): string | null {
  const { kind, metadata, clusterRefs, setRefs } = profile;
  // A generated one goes with its cluster by itself.
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
