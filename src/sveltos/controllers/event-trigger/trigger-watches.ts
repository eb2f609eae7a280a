import { gvkOf, labelValue, wholeNameOf } from "../../api/index.ts";
import { clusterIdOf, selectedClustersOf } from "../../fleet/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { sourceProblemsIn } from "../../report/index.ts";
import { equal, listAt, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";
import type { Source } from "../../../reconcile/index.ts";
import { tenantLabelsOf } from "../../tenant/index.ts";
import { roleRequestKind, type ControllerContext } from "../context/index.ts";
import type { Expectations } from "./expectations.ts";
import { failureMessagesOf, generatedKinds, triggerKinds } from "./generated-index.ts";
import { readTrigger } from "./decide-trigger.ts";
import { pairOf, pairOfGenerated, pairOfLabels, type TriggerClusterPair } from "./trigger-cluster-pair.ts";
import { triggerIdentity, type TriggerKey } from "./trigger-key.ts";
import { isGeneratedMetadataKey, isSubstantial } from "./change-predicate.ts";
import { clustersInStatus } from "./trigger-status.ts";
import { dependencyKey, type DependencyIndex } from "./dependency-index.ts";

type TriggerSource = Source<TriggerKey>;

/** Maps changes of the management cluster to the keys to reconcile and to the triggers whose status may change. */
export class TriggerWatches {
  readonly #context: Pick<ControllerContext, "cache" | "fleet">;
  readonly #dependencies: DependencyIndex;
  readonly #expectations: Expectations;
  readonly #enqueueStatus: (trigger: string, isUrgent: boolean) => void;

  constructor(
    context: Pick<ControllerContext, "cache" | "fleet">,
    dependencies: DependencyIndex,
    expectations: Expectations,
    enqueueStatus: (trigger: string, isUrgent: boolean) => void,
  ) {
    this.#context = context;
    this.#dependencies = dependencies;
    this.#expectations = expectations;
    this.#enqueueStatus = enqueueStatus;
  }

  sources(): readonly TriggerSource[] {
    const from = (kind: GroupVersionKind, keysOf: TriggerSource["keysOf"]): TriggerSource => ({
      events: this.#context.cache.informerFor(kind),
      keysOf,
    });
    return [
      ...triggerKinds.map((kind) => from(kind, (change) => this.#keysOfTrigger(change))),
      ...generatedKinds.map((kind) => from(kind, (change) => this.#keysOfContent(change))),
      from(gvkOf("EventSource"), (change) => this.#keysOfSource(change)),
      from(gvkOf("EventReport"), (change) => this.#keysOfEvent(change)),
      from(gvkOf("ClusterSet"), (change) => this.#keysOfClusterSet(change)),
      from(roleRequestKind, () => this.#keysOfTenants()),
      from(gvkOf("ClusterSummary"), (change) => this.#enqueueStatusOf(change)),
    ];
  }

  *#keysOfTrigger(change: ObjectChange): Iterable<TriggerKey> {
    const label = labelValue(change.object.metadata.name);
    yield { type: "trigger", trigger: label };
    if (!isSubstantial(change)) return;
    for (const { managed } of this.#context.fleet.clusters()) yield pairKey(pairOf(label, managed));
    for (const cluster of clustersInStatus(change.object)) yield pairKey({ trigger: label, cluster: clusterIdOf(cluster) });
  }

  /** RoleRequests say which tenant an admin is. */
  *#keysOfTenants(): Iterable<TriggerKey> {
    for (const { metadata } of triggerKinds.flatMap((kind) => [...this.#context.cache.all(kind)]))
      if (Object.keys(tenantLabelsOf(metadata.labels)).length > 0)
        for (const { managed } of this.#context.fleet.clusters()) yield pairKey(pairOf(labelValue(metadata.name), managed));
  }

  /** ConfigMaps, Secrets and ClusterProfiles that triggers generate or refer to. */
  *#keysOfContent(change: ObjectChange): Iterable<TriggerKey> {
    const { object } = change;
    const isProfile = object.kind === "ClusterProfile";
    if (isProfile) this.#enqueueStatusOf(change);
    if (!isSubstantial(change, isProfile ? isGeneratedMetadataKey : undefined)) return;
    const pair = pairOfGenerated(object);
    const isExpected = pair !== undefined && this.#expectations.isExpected(change);
    const own = pair && triggerIdentity(pairKey(pair));
    for (const key of this.#dependencies.dependentsOf(dependencyKey({ kind: object.kind, ...object.metadata })))
      if (!isExpected || triggerIdentity(key) !== own) yield key;
    if (pair !== undefined && !isExpected) yield pairKey(pair);
    // Changed labels move an object from one pair to another.
    const previous = change.type === "modified" ? pairOfGenerated(change.previous) : undefined;
    if (previous !== undefined && triggerIdentity(pairKey(previous)) !== own) yield pairKey(previous);
    if (change.type === "deleted" && pair !== undefined) yield { type: "trigger", trigger: pair.trigger };
  }

  /** The status of a trigger shows what is wrong with its EventSource. */
  #keysOfSource(change: ObjectChange): Iterable<TriggerKey> {
    if (change.type === "modified" && !equal(problemsOf(change.object), problemsOf(change.previous)))
      for (const key of this.#dependencies.dependentsOf(dependencyKey({ kind: "EventSource", name: change.object.metadata.name })))
        this.#enqueueStatus(key.type === "pair" ? key.pair.trigger : key.trigger, true);
    return this.#keysOfEvent(change);
  }

  #keysOfEvent(change: ObjectChange): Iterable<TriggerKey> {
    const { kind, metadata } = change.object;
    // A part of a report counts as the report itself.
    const name = wholeNameOf(change.object);
    return isSubstantial(change) ? this.#dependencies.dependentsOf(dependencyKey({ kind, ...metadata, name })) : [];
  }

  *#keysOfClusterSet(change: ObjectChange): Iterable<TriggerKey> {
    const { kind, metadata } = change.object;
    yield* this.#dependencies.dependentsOf(dependencyKey({ kind, name: metadata.name }));
    const clusters = [...selectedClustersOf(change.object), ...(change.type === "modified" ? selectedClustersOf(change.previous) : [])];
    for (const trigger of triggerKinds.flatMap((one) => [...this.#context.cache.all(one)])) {
      const reading = readTrigger(trigger);
      if (reading.state === "invalid" || !reading.value.clusterSetRefs.includes(metadata.name)) continue;
      yield { type: "trigger", trigger: labelValue(trigger.metadata.name) };
      for (const cluster of clusters) yield pairKey(pairOf(trigger.metadata.name, cluster));
    }
  }

  /** The status of a trigger shows how its profiles and ClusterSummaries are deployed; failures are urgent. */
  #enqueueStatusOf({ object }: ObjectChange): Iterable<TriggerKey> {
    const pair = pairOfLabels(object.metadata.labels);
    if (pair !== undefined) this.#enqueueStatus(pair.trigger, failureMessagesOf(object).length > 0);
    return [];
  }
}

function problemsOf(source: KubeObject): ReturnType<typeof sourceProblemsIn> {
  return sourceProblemsIn(listAt(source, "status.clusterInfo"));
}

function pairKey(pair: TriggerClusterPair): TriggerKey {
  return { type: "pair", pair };
}
