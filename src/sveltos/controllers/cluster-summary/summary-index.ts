import { owningProfile, summaryStatusOf } from "../../deploy/index.ts";
import { gvkOf, type ProfileKind } from "../../api/index.ts";
import type { Index } from "../../../kube/index.ts";
import { fieldsAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";
import { clusterKeyOf, nameOfSummaryKey } from "./summary-key.ts";

export const summaryKind = gvkOf("ClusterSummary");

/** All ClusterSummaries by what they are looked up by. Nobody here walks through all of them. */
export class SummaryIndex {
  readonly #copies: SharedCache;
  readonly #inCluster: Index;
  readonly #failed: Index;
  readonly #ofProfile: Index;
  readonly #dependents: Index;

  constructor(cache: SharedCache) {
    this.#copies = cache;
    this.#inCluster = cache.index(summaryKind, (summary) => [clusterKeyOf(summary)]);
    this.#failed = cache.index(summaryKind, (summary) => (hasFailed(summary) ? [clusterKeyOf(summary)] : []));
    this.#ofProfile = cache.index(summaryKind, (summary) => {
      const profile = owningProfile(summary);
      return profile === undefined ? [] : [`${clusterKeyOf(summary)} ${profile.kind} ${profile.name}`];
    });
    this.#dependents = cache.index(summaryKind, (summary) => {
      const kind = owningProfile(summary)?.kind;
      return dependsOn(summary).map((name) => `${clusterKeyOf(summary)} ${kind} ${name}`);
    });
  }

  find(key: string): KubeObject | undefined {
    const { namespace, name } = nameOfSummaryKey(key);
    return this.#copies.find(summaryKind, namespace, name);
  }

  inCluster(cluster: string): Iterable<KubeObject> {
    return this.#inCluster.at(cluster);
  }

  /** Those of a cluster of which some feature has failed. */
  failedIn(cluster: string): Iterable<KubeObject> {
    return this.#failed.at(cluster);
  }

  /** What a profile has in a cluster: one, or none. */
  ofProfile(cluster: string, kind: ProfileKind, name: string): KubeObject | undefined {
    const [found] = this.#ofProfile.at(`${cluster} ${kind} ${name}`);
    return found;
  }

  /** Those in the same cluster that must come after this one, and go before it. */
  dependentsOf(summary: KubeObject): readonly KubeObject[] {
    const profile = owningProfile(summary);
    if (profile === undefined) return [];
    const own = summary.metadata.name;
    const found = this.#dependents.at(`${clusterKeyOf(summary)} ${profile.kind} ${profile.name}`);
    return [...found].filter(({ metadata }) => metadata.name !== own);
  }

  /** Those in the same cluster that this one must come after, by profile; undefined where there is none. */
  dependenciesOf(summary: KubeObject): readonly (readonly [string, KubeObject | undefined])[] {
    const profile = owningProfile(summary);
    if (profile === undefined) return [];
    return dependsOn(summary).map((name) => [name, this.ofProfile(clusterKeyOf(summary), profile.kind, name)]);
  }
}

export function dependsOn(summary: KubeObject): readonly string[] {
  return stringsAt(fieldsAt(summary, "spec.clusterProfileSpec"), "dependsOn");
}

function hasFailed(summary: KubeObject): boolean {
  return (summaryStatusOf(summary).featureSummaries ?? []).some(({ status }) => status === "Failed" || status === "FailedNonRetriable");
}
