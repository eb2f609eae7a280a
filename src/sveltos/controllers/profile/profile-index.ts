import {
  clusterReferredTo,
  clusterTypeLabel,
  gvkOf,
  readProfile,
  selectsCluster,
  type ClusterId,
  type ManagedCluster,
  type ProfileKind,
} from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import type { Index } from "../../../kube/index.ts";
import { isFields, listAt, stringAt, stringsAt, valueAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";
import { clusterKeyOfSummary, profileOwnerOf, profileIdFor, profileIdOf, profileKey } from "./profile-key.ts";

const kinds: readonly ProfileKind[] = ["ClusterProfile", "Profile"];

/** The copies of profiles, sets, ClusterSummaries and ClusterReports, looked up by what concerns what: nothing is searched. */
export class ProfileIndex {
  readonly #copies: SharedCache;
  readonly #profiles: readonly Index[];
  readonly #ofOwner: Index;
  readonly #ofCluster: Index;
  readonly #reports: Index;
  /** Selectors are asked for each time that something is heard of a cluster. */
  readonly #selects = new WeakMap<KubeObject, (labels: ManagedCluster["labels"]) => boolean>();

  constructor(cache: SharedCache) {
    this.#copies = cache;
    this.#profiles = kinds.map((kind) => cache.index(gvkOf(kind), indexKeysOf));
    this.#ofOwner = cache.index(gvkOf("ClusterSummary"), ownerKeysOf);
    this.#ofCluster = cache.index(gvkOf("ClusterSummary"), (summary) => [clusterKeyOfSummary(summary)]);
    this.#reports = cache.index(gvkOf("ClusterReport"), (report) => [clusterKey(clusterOfClusterReport(report))]);
  }

  profile(key: string): KubeObject | undefined {
    const { kind, namespace, name } = profileIdOf(key);
    return this.#copies.find(gvkOf(kind), namespace, name);
  }

  summariesOf(key: string): readonly KubeObject[] {
    return [...this.#ofOwner.at(key)];
  }

  summariesIn(cluster: string): readonly KubeObject[] {
    return [...this.#ofCluster.at(cluster)];
  }

  reportsOn(cluster: string): readonly KubeObject[] {
    return [...this.#reports.at(cluster)];
  }

  /** The sets that a profile names, as far as they are there: ClusterSets, or for a Profile Sets of its namespace. */
  setsOf(profile: KubeObject): readonly KubeObject[] {
    const { namespace } = profileIdFor(profile);
    return stringsAt(profile, "spec.setRefs").flatMap((name) => this.#copies.find(gvkOf(setKindFor(profile)), namespace, name) ?? []);
  }

  /** The profiles that something about a cluster may concern: they are in it, name it or select it. */
  profilesAffectedBy(cluster: ManagedCluster): ReadonlySet<string> {
    const key = clusterKey(cluster);
    const keys = new Set(this.summariesIn(key).flatMap(ownerKeysOf));
    for (const profile of this.#about(`cluster ${key}`)) keys.add(profileKeyOf(profile));
    for (const profile of this.#about("selector")) if (this.#selectorOf(profile)(cluster.labels)) keys.add(profileKeyOf(profile));
    return keys;
  }

  /** The profiles that name a set. */
  profilesUsingSet({ kind, metadata: { namespace = "", name } }: KubeObject): readonly string[] {
    return this.#about(`set ${kind}/${namespace}/${name}`).map(profileKeyOf);
  }

  /** The profiles that depend on a profile, directly or by others. */
  dependentsOf(key: string): ReadonlySet<string> {
    const found = new Set<string>();
    const open = [key];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const profile of this.#about(`needs ${at}`)) {
        const dependent = profileKeyOf(profile);
        if (!found.has(dependent)) open.push(dependent);
        found.add(dependent);
      }
    }
    return found;
  }

  #about(topic: string): readonly KubeObject[] {
    return this.#profiles.flatMap((index) => [...index.at(topic)]);
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

export function profileKeyOf(profile: KubeObject): string {
  return profileKey(profileIdFor(profile));
}

/** The profiles that a profile depends on: of the same kind, and of the same namespace. */
export function profileDependenciesOf(profile: KubeObject | undefined): readonly string[] {
  if (profile === undefined) return [];
  const id = profileIdFor(profile);
  return stringsAt(profile, "spec.dependsOn").map((name) => profileKey({ ...id, name }));
}

export function ownerKeysOf(summary: KubeObject): readonly string[] {
  const owner = profileOwnerOf(summary);
  return owner === undefined ? [] : [profileKey(owner.id)];
}

export function clusterOfClusterReport(report: KubeObject): ClusterId {
  return {
    type: typeIn(report),
    namespace: stringAt(report, "spec.clusterNamespace", report.metadata.namespace ?? ""),
    name: stringAt(report, "spec.clusterName", ""),
  };
}

/** A ClusterConfiguration says in its name whose it is: `sveltos--c1`. */
export function clusterOfConfiguration({ metadata: { namespace = "", name } }: KubeObject): ClusterId | undefined {
  const parts = /^(sveltos|capi)--(.+)$/.exec(name);
  return parts === null ? undefined : { type: parts[1] === "capi" ? "Capi" : "Sveltos", namespace, name: parts[2] ?? "" };
}

function typeIn({ metadata: { labels = {} } }: KubeObject): ClusterId["type"] {
  return labels[clusterTypeLabel] === "Capi" ? "Capi" : "Sveltos";
}

/** The kind of the sets that a profile names. */
export function setKindFor({ kind }: KubeObject): "Set" | "ClusterSet" {
  return kind === "Profile" ? "Set" : "ClusterSet";
}

/** What a profile is to be found by. Generated ones are many and name their cluster; only the others are asked one by one. */
function indexKeysOf(profile: KubeObject): readonly string[] {
  const { namespace } = profileIdFor(profile);
  const within = profile.kind === "Profile" ? { namespace } : {};
  const clusters = listAt(profile, "spec.clusterRefs").flatMap((ref) => clusterReferredTo({ ...referenceIn(ref), ...within }) ?? []);
  return [
    ...clusters.map((id) => `cluster ${clusterKey(id)}`),
    ...stringsAt(profile, "spec.setRefs").map((name) => `set ${setKindFor(profile)}/${namespace}/${name}`),
    ...profileDependenciesOf(profile).map((key) => `needs ${key}`),
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
