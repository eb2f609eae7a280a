import { claimKeysOf, owningProfile, summaryStatusOf } from "../../deploy/index.ts";
import { gvkOf, type ProfileKind } from "../../api/index.ts";
import type { Index } from "../../../kube/index.ts";
import { fieldsAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";
import { clusterKeyOf, isMisplaced, type SummaryKey } from "./summary-key.ts";

export const summaryKind = gvkOf("ClusterSummary");

/** Indexes of the ClusterSummaries in the cache: by cluster, profile, dependency, wanted object and failure. */
export class SummaryIndex {
  readonly #cache: SharedCache;
  readonly #inCluster: Index;
  readonly #failed: Index;
  readonly #ofProfile: Index;
  readonly #dependents: Index;
  readonly #claimants: Index;
  readonly #withUid: Index;

  constructor(cache: SharedCache) {
    this.#cache = cache;
    this.#inCluster = cache.index(summaryKind, (summary) => [clusterKeyOf(summary)]);
    // What is misplaced is reconciled, to say so, and has no say in anything else.
    const indexPlaced = (keysOf: (summary: KubeObject) => readonly string[]) =>
      cache.index(summaryKind, (summary) => (isMisplaced(summary) ? [] : keysOf(summary)));
    this.#failed = indexPlaced((summary) => (hasFailed(summary) ? [clusterKeyOf(summary)] : []));
    this.#ofProfile = indexPlaced((summary) => {
      const profile = owningProfile(summary);
      return profile === undefined ? [] : [`${clusterKeyOf(summary)} ${profile.kind} ${profile.name}`];
    });
    this.#dependents = indexPlaced((summary) => {
      const kind = owningProfile(summary)?.kind;
      return dependsOn(summary).map((name) => `${clusterKeyOf(summary)} ${kind} ${name}`);
    });
    this.#claimants = indexPlaced((summary) =>
      claimKeysOf(summary).flatMap((claim) => placesOf(summary).map((place) => `${place} ${claim}`)),
    );
    this.#withUid = indexPlaced((summary) => {
      const { clusterUID } = summaryStatusOf(summary);
      return clusterUID === undefined ? [] : [clusterUID];
    });
  }

  /**
   * The other ClusterSummaries of the same cluster that want an object or a release, by its key in `claimKeysOf`, also those
   * for other names of the cluster.
   */
  claimantsOf(claim: string, key: SummaryKey): readonly KubeObject[] {
    const own = this.find(key);
    const places = own === undefined ? [key.cluster] : [...new Set([key.cluster, ...placesOf(own)])];
    const found = new Set(places.flatMap((place) => [...this.#claimants.at(`${place} ${claim}`)]));
    return [...found].filter(({ metadata }) => metadata.name !== key.name || metadata.namespace !== key.namespace);
  }

  /** The ClusterSummaries for other names under which the same cluster is registered. */
  underOtherNames(key: SummaryKey): readonly KubeObject[] {
    const own = this.find(key);
    const uid = own === undefined ? undefined : summaryStatusOf(own).clusterUID;
    return uid === undefined ? [] : [...this.#withUid.at(uid)].filter((summary) => clusterKeyOf(summary) !== key.cluster);
  }

  find({ namespace, name }: SummaryKey): KubeObject | undefined {
    return this.#cache.find(summaryKind, namespace, name);
  }

  inCluster(cluster: string): Iterable<KubeObject> {
    return this.#inCluster.at(cluster);
  }

  /** The ClusterSummaries of a cluster that have a failed feature. */
  failedIn(cluster: string): Iterable<KubeObject> {
    return this.#failed.at(cluster);
  }

  /** The ClusterSummary of a profile in a cluster. */
  ofProfile(cluster: string, kind: ProfileKind, name: string): KubeObject | undefined {
    const [found] = this.#ofProfile.at(`${cluster} ${kind} ${name}`);
    return found;
  }

  /** The ClusterSummaries of the same cluster that are deployed after this one and withdrawn before it. */
  dependentsOf(summary: KubeObject): readonly KubeObject[] {
    const profile = owningProfile(summary);
    if (profile === undefined) return [];
    const own = summary.metadata.name;
    const found = this.#dependents.at(`${clusterKeyOf(summary)} ${profile.kind} ${profile.name}`);
    return [...found].filter(({ metadata }) => metadata.name !== own);
  }

  /** The profiles that this one depends on, each with its ClusterSummary in the same cluster where there is one. */
  dependenciesOf(summary: KubeObject): readonly (readonly [string, KubeObject | undefined])[] {
    const profile = owningProfile(summary);
    if (profile === undefined) return [];
    return dependsOn(summary).map((name) => [name, this.ofProfile(clusterKeyOf(summary), profile.kind, name)]);
  }
}

/** What a cluster is known by: its name, and where it says so its uid, which is the same under all its names. */
function placesOf(summary: KubeObject): readonly string[] {
  const { clusterUID } = summaryStatusOf(summary);
  return [clusterKeyOf(summary), ...(clusterUID === undefined ? [] : [`uid:${clusterUID}`])];
}

function dependsOn(summary: KubeObject): readonly string[] {
  return stringsAt(fieldsAt(summary, "spec.clusterProfileSpec"), "dependsOn");
}

function hasFailed(summary: KubeObject): boolean {
  return (summaryStatusOf(summary).featureSummaries ?? []).some(({ status }) => status === "Failed" || status === "FailedNonRetriable");
}
