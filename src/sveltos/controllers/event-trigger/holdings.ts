import { gvkOf, labelValue } from "../../api/index.ts";
import type { Index } from "../../../kube/index.ts";
import { listAt, numberAt, stringAt, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";
import type { Copies } from "../context/index.ts";
import { pairKey, pairOfLabels, pairOfMade, type Pair } from "./pair.ts";

export const configMapKind: GroupVersionKind = { group: "", version: "v1", kind: "ConfigMap" };
export const secretKind: GroupVersionKind = { group: "", version: "v1", kind: "Secret" };
export const triggerKinds: readonly GroupVersionKind[] = [gvkOf("EventTrigger"), gvkOf("EventBasedAddOn")];
export const madeKinds: readonly GroupVersionKind[] = [gvkOf("ClusterProfile"), configMapKind, secretKind];

/** Finds triggers, what was made of them and how that fares, without looking through all there is. */
export class Holdings {
  readonly #triggers: readonly Index[];
  readonly #made: readonly Index[];
  readonly #fates: readonly Index[];

  constructor(copies: Copies) {
    this.#triggers = triggerKinds.map((kind) => copies.index(kind, ({ metadata }) => [labelValue(metadata.name)]));
    this.#made = madeKinds.map((kind) => copies.index(kind, keysOfMade));
    this.#fates = [gvkOf("ClusterProfile"), gvkOf("ClusterSummary")].map((kind) => copies.index(kind, keysOfFate));
  }

  /** The triggers whose objects have this label. The first is the one that counts; the others would fight with it. */
  triggersNamed(label: string): readonly KubeObject[] {
    return this.#triggers.flatMap((index) =>
      [...index.at(label)].toSorted(({ metadata: a }, { metadata: b }) => (a.name < b.name ? -1 : 1)),
    );
  }

  /** What was made for a pair. */
  made(pair: Pair): readonly KubeObject[] {
    const key = pairKey(pair);
    return this.#made.flatMap((index) => [...index.at(key)]);
  }

  /** Whether anything is left of what a trigger has made, for whatever cluster. */
  hasMade(trigger: string): boolean {
    return this.#made.some((index) => [...firstOf(index.at(`of ${trigger}`))].length > 0);
  }

  /** Profiles and ClusterSummaries of a pair that say they have failed. */
  failed(pair: Pair): readonly KubeObject[] {
    return this.#fates.flatMap((index) => [...index.at(`failed ${pairKey(pair)}`)]);
  }

  /** Whether something of a pair is being deployed or withdrawn. */
  isBusy(pair: Pair): boolean {
    return this.#fates.some((index) => [...firstOf(index.at(`busy ${pairKey(pair)}`))].length > 0);
  }
}

function* firstOf<T>(items: Iterable<T>): Iterable<T> {
  for (const item of items) {
    yield item;
    return;
  }
}

function keysOfMade(object: KubeObject): readonly string[] {
  const pair = pairOfMade(object);
  return pair === undefined ? [] : [pairKey(pair), `of ${pair.trigger}`];
}

function keysOfFate(object: KubeObject): readonly string[] {
  const pair = pairOfLabels(object.metadata.labels);
  if (pair === undefined) return [];
  if (failuresOf(object).length > 0) return [`failed ${pairKey(pair)}`];
  return isInWork(object) ? [`busy ${pairKey(pair)}`] : [];
}

function isInWork(object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return true;
  if (object.kind === "ClusterProfile") return numberAt(object, "status.observedGeneration") !== object.metadata.generation;
  const features = listAt(object, "status.featureSummaries");
  return features.length === 0 || features.some((feature) => stringAt(feature, "status") !== "Provisioned");
}

/** What a profile or ClusterSummary says has gone wrong. */
export function failuresOf(object: KubeObject): readonly string[] {
  const own = stringAt(object, "status.failureMessage", "");
  const features = listAt(object, "status.featureSummaries").flatMap((feature) => stringAt(feature, "failureMessage") ?? []);
  return [own, ...features].filter((message) => message !== "");
}
