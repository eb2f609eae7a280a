import {
  clusterReferredTo,
  clusterTypeLabel,
  gvkOf,
  readProfile,
  selectsCluster,
  type ClusterId,
  type ManagedCluster,
  type ProfileKind,
  wholeNameOf,
} from "../../api/index.ts";
import { owningProfile } from "../../deploy/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import type { Index } from "../../../kube/index.ts";
import { isFields, listAt, stringAt, stringsAt, valueAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";
import { clusterKeyOfSummary, profileIdentity, profileIdOf, type ProfileId } from "./profile-key.ts";

const kinds: readonly ProfileKind[] = ["ClusterProfile", "Profile"];

/** Indexes of the profiles, ClusterSummaries and ClusterReports in the cache. Clusters are named by the fleet's key. */
export class ProfileIndex {
  readonly #cache: SharedCache;
  readonly #profiles: readonly Index[];
  readonly #ofOwner: Index;
  readonly #ofCluster: Index;
  readonly #reports: Index;
  /** Parsed selectors: every event of a cluster asks all of them. */
  readonly #selects = new WeakMap<KubeObject, (labels: ManagedCluster["labels"]) => boolean>();

  constructor(cache: SharedCache) {
    this.#cache = cache;
    this.#profiles = kinds.map((kind) => cache.index(gvkOf(kind), indexKeysOf));
    this.#ofOwner = cache.index(gvkOf("ClusterSummary"), (summary) => ownersOf(summary).map(profileIdentity));
    this.#ofCluster = cache.index(gvkOf("ClusterSummary"), (summary) => [clusterKeyOfSummary(summary)]);
    this.#reports = cache.index(gvkOf("ClusterReport"), (report) => [clusterKey(clusterOfClusterReport(report))]);
  }

  profile({ kind, namespace, name }: ProfileId): KubeObject | undefined {
    return this.#cache.find(gvkOf(kind), namespace, name);
  }

  summariesOf(profile: ProfileId): readonly KubeObject[] {
    return [...this.#ofOwner.at(profileIdentity(profile))];
  }

  summariesIn(cluster: string): readonly KubeObject[] {
    return [...this.#ofCluster.at(cluster)];
  }

  reportsOn(cluster: string): readonly KubeObject[] {
    return [...this.#reports.at(cluster)];
  }

  /** The existing sets that a profile refers to: ClusterSets, or for a Profile the Sets of its namespace. */
  setsOf(profile: KubeObject): readonly KubeObject[] {
    const { namespace } = profileIdOf(profile);
    return stringsAt(profile, "spec.setRefs").flatMap((name) => this.#cache.find(gvkOf(setKindFor(profile)), namespace, name) ?? []);
  }

  /** The profiles that a change of a cluster may affect: deployed to it, referring to it or selecting it. */
  profilesAffectedBy(cluster: ManagedCluster): Iterable<ProfileId> {
    const key = clusterKey(cluster);
    const selecting = this.#profilesAt("selector").filter((profile) => this.#selectorOf(profile)(cluster.labels));
    return unique([...this.summariesIn(key).flatMap(ownersOf), ...[...this.#profilesAt(`cluster ${key}`), ...selecting].map(profileIdOf)]);
  }

  /** The profiles that refer to a set. */
  profilesUsingSet({ kind, metadata: { namespace = "", name } }: KubeObject): readonly ProfileId[] {
    return this.#profilesAt(`set ${kind}/${namespace}/${name}`).map(profileIdOf);
  }

  /** The profiles that depend on a profile, directly or indirectly. */
  dependentsOf(profile: ProfileId): Iterable<ProfileId> {
    const found = new Map<string, ProfileId>();
    const open = [profileIdentity(profile)];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const dependent of this.#profilesAt(`dependency ${at}`).map(profileIdOf)) {
        const id = profileIdentity(dependent);
        if (!found.has(id)) open.push(id);
        found.set(id, dependent);
      }
    }
    return found.values();
  }

  #profilesAt(key: string): readonly KubeObject[] {
    return this.#profiles.flatMap((index) => [...index.at(key)]);
  }

  #selectorOf(profile: KubeObject): (labels: ManagedCluster["labels"]) => boolean {
    let selects = this.#selects.get(profile);
    if (selects === undefined) {
      const reading = readProfile(profile);
      const selector = reading.state === "read" ? reading.value.clusterSelector : {};
      this.#selects.set(profile, (selects = (labels) => selectsCluster(selector, labels)));
    }
    return selects;
  }
}

function unique(profiles: readonly ProfileId[]): Iterable<ProfileId> {
  return new Map(profiles.map((profile) => [profileIdentity(profile), profile])).values();
}

/** The profiles that a profile depends on. They have its kind and its namespace. */
export function profileDependenciesOf(profile: KubeObject | undefined): readonly ProfileId[] {
  if (profile === undefined) return [];
  const id = profileIdOf(profile);
  return stringsAt(profile, "spec.dependsOn").map((name) => ({ ...id, name }));
}

/** The profile that owns a ClusterSummary, if there is one. */
export function ownersOf(summary: KubeObject): readonly ProfileId[] {
  const owner = owningProfile(summary);
  return owner === undefined ? [] : [{ kind: owner.kind, namespace: owner.namespace, name: owner.name }];
}

export function clusterOfClusterReport(report: KubeObject): ClusterId {
  return {
    type: typeIn(report),
    namespace: stringAt(report, "spec.clusterNamespace", report.metadata.namespace ?? ""),
    name: stringAt(report, "spec.clusterName", ""),
  };
}

/** The cluster in the name of a ClusterConfiguration: `sveltos--c1`. */
export function clusterOfConfiguration(configuration: KubeObject): ClusterId | undefined {
  const { namespace = "" } = configuration.metadata;
  const parts = /^(sveltos|capi)--(.+)$/.exec(wholeNameOf(configuration));
  return parts === null ? undefined : { type: parts[1] === "capi" ? "Capi" : "Sveltos", namespace, name: parts[2] ?? "" };
}

function typeIn({ metadata: { labels = {} } }: KubeObject): ClusterId["type"] {
  return labels[clusterTypeLabel] === "Capi" ? "Capi" : "Sveltos";
}

/** The kind of the sets that a profile refers to. */
export function setKindFor({ kind }: KubeObject): "Set" | "ClusterSet" {
  return kind === "Profile" ? "Set" : "ClusterSet";
}

/** The index keys of a profile. Generated profiles are many and refer to their cluster; only selectors are searched one by one. */
function indexKeysOf(profile: KubeObject): readonly string[] {
  const { namespace } = profileIdOf(profile);
  const within = profile.kind === "Profile" ? { namespace } : {};
  const clusters = listAt(profile, "spec.clusterRefs").flatMap((ref) => clusterReferredTo({ ...referenceIn(ref), ...within }) ?? []);
  return [
    ...clusters.map((id) => `cluster ${clusterKey(id)}`),
    ...stringsAt(profile, "spec.setRefs").map((name) => `set ${setKindFor(profile)}/${namespace}/${name}`),
    ...profileDependenciesOf(profile).map((id) => `dependency ${profileIdentity(id)}`),
    ...(hasSelector(profile) ? ["selector"] : []),
  ];
}

function referenceIn(ref: Fields) {
  return { kind: stringAt(ref, "kind", ""), namespace: stringAt(ref, "namespace", ""), name: stringAt(ref, "name", "") };
}

function hasSelector(profile: KubeObject): boolean {
  const selector = valueAt(profile, "spec.clusterSelector");
  return isFields(selector) ? Object.keys(selector).length > 0 : typeof selector === "string" && selector !== "";
}
