import { gvkOf, labelValue } from "../../api/index.ts";
import type { Index } from "../../../kube/index.ts";
import { listAt, numberAt, stringAt, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";
import { pairKey, pairOfLabels, pairOfGenerated, type TriggerClusterPair } from "./trigger-cluster-pair.ts";

export const configMapKind: GroupVersionKind = { group: "", version: "v1", kind: "ConfigMap" };
export const secretKind: GroupVersionKind = { group: "", version: "v1", kind: "Secret" };
export const triggerKinds: readonly GroupVersionKind[] = [gvkOf("EventTrigger"), gvkOf("EventBasedAddOn")];
export const generatedKinds: readonly GroupVersionKind[] = [gvkOf("ClusterProfile"), configMapKind, secretKind];

/** Finds triggers, what was made of them and how that fares, without looking through all there is. */
export class GeneratedIndex {
  readonly #triggers: readonly Index[];
  readonly #made: readonly Index[];
  readonly #fates: readonly Index[];

  constructor(cache: SharedCache) {
    this.#triggers = triggerKinds.map((kind) => cache.index(kind, ({ metadata }) => [labelValue(metadata.name)]));
    this.#made = generatedKinds.map((kind) => cache.index(kind, generatedKeysOf));
    this.#fates = [gvkOf("ClusterProfile"), gvkOf("ClusterSummary")].map((kind) => cache.index(kind, deploymentKeysOf));
  }

  /** The triggers whose objects have this label. The first is the one that counts; the others would fight with it. */
  triggersNamed(label: string): readonly KubeObject[] {
    return this.#triggers.flatMap((index) =>
      [...index.at(label)].toSorted(({ metadata: a }, { metadata: b }) => (a.name < b.name ? -1 : 1)),
    );
  }

  /** What was made for a pair. */
  generatedFor(pair: TriggerClusterPair): readonly KubeObject[] {
    const key = pairKey(pair);
    return this.#made.flatMap((index) => [...index.at(key)]);
  }

  /** Whether anything is left of what a trigger has made, for whatever cluster. */
  hasGenerated(trigger: string): boolean {
    return this.#made.some((index) => [...firstOf(index.at(`of ${trigger}`))].length > 0);
  }

  /** Profiles and ClusterSummaries of a pair that say they have failed. */
  failedFor(pair: TriggerClusterPair): readonly KubeObject[] {
    return this.#fates.flatMap((index) => [...index.at(`failed ${pairKey(pair)}`)]);
  }

  /** Whether something of a pair is being deployed or withdrawn. */
  isProgressing(pair: TriggerClusterPair): boolean {
    return this.#fates.some((index) => [...firstOf(index.at(`busy ${pairKey(pair)}`))].length > 0);
  }
}

function* firstOf<T>(items: Iterable<T>): Iterable<T> {
  for (const item of items) {
    yield item;
    return;
  }
}

function generatedKeysOf(object: KubeObject): readonly string[] {
  const pair = pairOfGenerated(object);
  return pair === undefined ? [] : [pairKey(pair), `of ${pair.trigger}`];
}

function deploymentKeysOf(object: KubeObject): readonly string[] {
  const pair = pairOfLabels(object.metadata.labels);
  if (pair === undefined) return [];
  if (failureMessagesOf(object).length > 0) return [`failed ${pairKey(pair)}`];
  return isInProgress(object) ? [`busy ${pairKey(pair)}`] : [];
}

function isInProgress(object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return true;
  if (object.kind === "ClusterProfile") return numberAt(object, "status.observedGeneration") !== object.metadata.generation;
  const features = listAt(object, "status.featureSummaries");
  return features.length === 0 || features.some((feature) => stringAt(feature, "status") !== "Provisioned");
}

/** What a profile or ClusterSummary says has gone wrong. */
export function failureMessagesOf(object: KubeObject): readonly string[] {
  const own = stringAt(object, "status.failureMessage", "");
  const features = listAt(object, "status.featureSummaries").flatMap((feature) => stringAt(feature, "failureMessage") ?? []);
  return [own, ...features].filter((message) => message !== "");
}
