import { withProfile, type AddonOutcome, type OwningProfile } from "../../deploy/index.ts";
import { firstPart, partName, type ClusterConfigurationStatus } from "../../api/index.ts";
import { fieldsAt, type KubeObject } from "../../../core/object/index.ts";

/** A change of a profile's entry. */
export type ConfigurationEntry =
  | { readonly owner: OwningProfile; readonly present: true; readonly outcome: Pick<AddonOutcome, "features" | "keptFeatures" | "settled"> }
  | { readonly owner: OwningProfile; readonly present: false };

/** How much a part holds when an entry is added: a change then costs little, and entries may grow where they are. */
const limits = { profiles: 100, bytes: 128 * 1024 };

type PartSize = { profiles: number; bytes: number };

/** The changes for each part of a ClusterConfiguration, by name. A profile stays in its part; a new one goes where there is room. */
export function assignToParts(
  whole: string,
  entries: readonly ConfigurationEntry[],
  parts: ReadonlyMap<string, KubeObject>,
): ReadonlyMap<string, readonly ConfigurationEntry[]> {
  const assigned = new Map<string, ConfigurationEntry[]>();
  const places = placesIn(parts);
  const sizes = new Map([...parts].map(([name, part]) => [name, sizeOf(part)]));
  for (const entry of entries) {
    const id = profileId(entry.owner);
    const listedIn = places.get(id) ?? [];
    // One that is listed twice is updated where it is first, and removed everywhere.
    const targets = entry.present ? [listedIn[0] ?? roomFor(entry, whole, sizes)] : listedIn;
    if (entry.present) places.set(id, targets);
    for (const name of targets) {
      const some = assigned.get(name);
      if (some === undefined) assigned.set(name, [entry]);
      else some.push(entry);
    }
  }
  return assigned;
}

/** The status as the API server keeps it: its schema has checked it. */
export function configurationStatusIn(configuration: KubeObject | undefined): ClusterConfigurationStatus {
  return fieldsAt(configuration, "status") as ClusterConfigurationStatus;
}

function roomFor(entry: Extract<ConfigurationEntry, { present: true }>, whole: string, sizes: Map<string, PartSize>): string {
  const bytes = JSON.stringify(withProfile({}, entry.owner, entry.outcome)).length;
  for (let part = firstPart; ; part++) {
    const name = partName(whole, part);
    const size = sizes.get(name) ?? { profiles: 0, bytes: 0 };
    if (size.profiles > 0 && (size.profiles >= limits.profiles || size.bytes + bytes > limits.bytes)) continue;
    sizes.set(name, { profiles: size.profiles + 1, bytes: size.bytes + bytes });
    return name;
  }
}

/** The names of the parts that list each profile. */
function placesIn(parts: ReadonlyMap<string, KubeObject>): Map<string, readonly string[]> {
  const places = new Map<string, readonly string[]>();
  for (const [name, part] of parts)
    for (const id of profilesIn(configurationStatusIn(part))) places.set(id, [...(places.get(id) ?? []), name]);
  return places;
}

function profilesIn({ clusterProfileResources = [], profileResources = [] }: ClusterConfigurationStatus): readonly string[] {
  return [
    ...clusterProfileResources.map(({ clusterProfileName: name }) => profileId({ kind: "ClusterProfile", name })),
    ...profileResources.map(({ profileName: name }) => profileId({ kind: "Profile", name })),
  ];
}

function profileId({ kind, name }: Pick<OwningProfile, "kind" | "name">): string {
  return `${kind}/${name}`;
}

/** Objects are immutable, so each is measured once. */
const known = new WeakMap<KubeObject, PartSize>();

function sizeOf(part: KubeObject): PartSize {
  let size = known.get(part);
  const status = configurationStatusIn(part);
  if (size === undefined) known.set(part, (size = { profiles: profilesIn(status).length, bytes: JSON.stringify(status).length }));
  return size;
}
