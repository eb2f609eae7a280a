import { gvkOf, labelValue } from "../../api/index.ts";
import { tenantLabelsOf } from "../../tenant/index.ts";
import type { Index } from "../../../kube/index.ts";
import { equal, findCondition, listAt, numberAt, stringAt, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";
import { configMapKind, secretKind, type SharedCache } from "../context/index.ts";
import { pairOfGenerated, pairOfLabels, type TriggerClusterPair } from "./trigger-cluster-pair.ts";
import { triggerIdentity } from "./trigger-key.ts";

export const triggerKinds: readonly GroupVersionKind[] = [gvkOf("EventTrigger"), gvkOf("EventBasedAddOn")];
export const generatedKinds: readonly GroupVersionKind[] = [gvkOf("ClusterProfile"), configMapKind, secretKind];

/** The conditions of generated profiles that are of interest to their trigger. */
const reportedConditions = ["NoMatchingCluster", "WithdrawalBlocked"] as const;

/** Indexes of the cache: triggers by label, the objects they have generated, and failed or unfinished deployments of these. */
export class GeneratedIndex {
  readonly #triggers: readonly Index[];
  readonly #generated: readonly Index[];
  readonly #deployments: readonly Index[];

  constructor(cache: SharedCache) {
    this.#triggers = triggerKinds.map((kind) => cache.index(kind, ({ metadata }) => [labelValue(metadata.name)]));
    this.#generated = generatedKinds.map((kind) => cache.index(kind, generatedKeysOf));
    this.#deployments = [gvkOf("ClusterProfile"), gvkOf("ClusterSummary")].map((kind) => cache.index(kind, deploymentKeysOf));
  }

  /**
   * The triggers with this name as a label. The first one is reconciled; the others are in conflict with it. Whoever was there
   * first has the name: what it has generated would be taken for another tenant's.
   */
  triggersNamed(label: string): readonly KubeObject[] {
    const all = this.#triggers.flatMap((index) =>
      [...index.at(label)].toSorted(({ metadata: a }, { metadata: b }) => (a.name < b.name ? -1 : 1)),
    );
    const [oldest] = all.toSorted((a, b) => createdAt(a) - createdAt(b));
    const [own = [], others = []] = [true, false].map((wanted) => all.filter((each) => isSameAuthor(each, oldest) === wanted));
    return [...own, ...others];
  }

  /** The objects that were generated for a pair. */
  generatedFor(pair: TriggerClusterPair): readonly KubeObject[] {
    const key = pairIdentity(pair);
    return this.#generated.flatMap((index) => [...index.at(key)]);
  }

  /** Whether any object that a trigger has generated exists, for any cluster. */
  hasGenerated(trigger: string): boolean {
    return this.#generated.some((index) => [...firstOf(index.at(`of ${trigger}`))].length > 0);
  }

  /** The ClusterProfiles and ClusterSummaries of a pair with failures in their status. */
  failedFor(pair: TriggerClusterPair): readonly KubeObject[] {
    return this.#deployments.flatMap((index) => [...index.at(`failed ${pairIdentity(pair)}`)]);
  }

  /** A ClusterProfile of a pair for which a condition holds that its trigger reports, if there is one. */
  profileWith(type: (typeof reportedConditions)[number], pair: TriggerClusterPair): KubeObject | undefined {
    return this.#deployments.flatMap((index) => [...firstOf(index.at(`${type} ${pairIdentity(pair)}`))])[0];
  }

  /** Whether a ClusterProfile or ClusterSummary of a pair is being deployed or withdrawn. */
  isProgressing(pair: TriggerClusterPair): boolean {
    return this.#deployments.some((index) => [...firstOf(index.at(`progressing ${pairIdentity(pair)}`))].length > 0);
  }
}

function createdAt({ metadata }: KubeObject): number {
  return Date.parse(metadata.creationTimestamp ?? "");
}

function isSameAuthor(one: KubeObject, other: KubeObject | undefined): boolean {
  return equal(tenantLabelsOf(one.metadata.labels), tenantLabelsOf(other?.metadata.labels));
}

function pairIdentity(pair: TriggerClusterPair): string {
  return triggerIdentity({ type: "pair", pair });
}

function* firstOf<T>(items: Iterable<T>): Iterable<T> {
  for (const item of items) {
    yield item;
    return;
  }
}

function generatedKeysOf(object: KubeObject): readonly string[] {
  const pair = pairOfGenerated(object);
  return pair === undefined ? [] : [pairIdentity(pair), `of ${pair.trigger}`];
}

function deploymentKeysOf(object: KubeObject): readonly string[] {
  const pair = pairOfLabels(object.metadata.labels);
  if (pair === undefined) return [];
  const id = pairIdentity(pair);
  const holding = reportedConditions.filter((type) => findCondition(object, type, "True") !== undefined).map((type) => `${type} ${id}`);
  if (failureMessagesOf(object).length > 0) return [...holding, `failed ${id}`];
  return isInProgress(object) ? [...holding, `progressing ${id}`] : holding;
}

function isInProgress(object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return true;
  if (object.kind === "ClusterProfile") return numberAt(object, "status.observedGeneration") !== object.metadata.generation;
  if (numberAt(object, "status.observedGeneration", Infinity) < (object.metadata.generation ?? 0)) return true;
  const features = listAt(object, "status.featureSummaries");
  return features.length === 0 || features.some((feature) => stringAt(feature, "status") !== "Provisioned");
}

/** The failure messages in the status of a ClusterProfile or ClusterSummary. */
export function failureMessagesOf(object: KubeObject): readonly string[] {
  const own = stringAt(object, "status.failureMessage", "");
  // Nothing is tried while it is refused as a whole.
  if (own !== "") return [own];
  const features = listAt(object, "status.featureSummaries").flatMap((feature) => stringAt(feature, "failureMessage") ?? []);
  return features.filter((message) => message !== "");
}
