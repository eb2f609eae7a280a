import { gvkOf, labelValue } from "../../api/index.ts";
import { clusterIdOf, selectedClustersOf } from "../../fleet/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../../core/object/index.ts";
import type { Source } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { Expectations } from "./expectations.ts";
import { failureMessagesOf, generatedKinds, triggerKinds } from "./generated-index.ts";
import { readTrigger } from "./decide-trigger.ts";
import { pairKey, pairOf, pairOfLabels, pairOfGenerated } from "./trigger-cluster-pair.ts";
import { isGeneratedMetadataKey, isSubstantial } from "./change-predicate.ts";
import { clustersInStatus } from "./trigger-status.ts";
import { dependencyKey, type DependencyIndex } from "./dependency-index.ts";

/** Says which keys a change of the management cluster concerns, and which triggers have something new to tell. */
export class TriggerWatches {
  readonly #desk: Pick<ControllerContext, "cache" | "fleet">;
  readonly #topics: DependencyIndex;
  readonly #echo: Expectations;
  readonly #tell: (trigger: string, isUrgent: boolean) => void;

  constructor(
    context: Pick<ControllerContext, "cache" | "fleet">,
    topics: DependencyIndex,
    expectations: Expectations,
    tell: (trigger: string, isUrgent: boolean) => void,
  ) {
    this.#desk = context;
    this.#topics = topics;
    this.#echo = expectations;
    this.#tell = tell;
  }

  sources(): readonly Source[] {
    const from = (kind: GroupVersionKind, keysOf: Source["keysOf"]): Source => ({ events: this.#desk.cache.informerFor(kind), keysOf });
    return [
      ...triggerKinds.map((kind) => from(kind, (change) => this.#ofTrigger(change))),
      ...generatedKinds.map((kind) => from(kind, (change) => this.#ofContent(change))),
      from(gvkOf("EventSource"), (change) => this.#ofEvent(change)),
      from(gvkOf("EventReport"), (change) => this.#ofEvent(change)),
      from(gvkOf("ClusterSet"), (change) => this.#ofSet(change)),
      from(gvkOf("ClusterSummary"), (change) => this.#ofFate(change)),
    ];
  }

  *#ofTrigger(change: ObjectChange): Iterable<string> {
    const label = labelValue(change.object.metadata.name);
    yield `trigger ${label}`;
    if (!isSubstantial(change)) return;
    for (const { managed } of this.#desk.fleet.clusters()) yield pairKey(pairOf(label, managed));
    for (const cluster of clustersInStatus(change.object)) yield pairKey({ trigger: label, cluster: clusterIdOf(cluster) });
  }

  /** ConfigMaps, Secrets and ClusterProfiles: made by triggers, or referred to by them. */
  *#ofContent(change: ObjectChange): Iterable<string> {
    const { object } = change;
    const isProfile = object.kind === "ClusterProfile";
    if (isProfile) this.#ofFate(change);
    if (!isSubstantial(change, isProfile ? isGeneratedMetadataKey : undefined)) return;
    const own = keyOfGenerated(object);
    const isOwn = own !== undefined && this.#echo.isExpected(change);
    for (const key of this.#topics.dependentsOf(dependencyKey({ kind: object.kind, ...object.metadata })))
      if (!isOwn || key !== own) yield key;
    if (own !== undefined && !isOwn) yield own;
    // One whose labels were changed has left where it belonged.
    const former = change.type === "modified" ? keyOfGenerated(change.previous) : undefined;
    if (former !== undefined && former !== own) yield former;
    const pair = pairOfGenerated(object);
    if (change.type === "deleted" && pair !== undefined) yield `trigger ${pair.trigger}`;
  }

  #ofEvent(change: ObjectChange): Iterable<string> {
    const { kind, metadata } = change.object;
    return isSubstantial(change) ? this.#topics.dependentsOf(dependencyKey({ kind, ...metadata })) : [];
  }

  *#ofSet(change: ObjectChange): Iterable<string> {
    const { kind, metadata } = change.object;
    yield* this.#topics.dependentsOf(dependencyKey({ kind, name: metadata.name }));
    const clusters = [...selectedClustersOf(change.object), ...(change.type === "modified" ? selectedClustersOf(change.previous) : [])];
    for (const trigger of triggerKinds.flatMap((one) => [...this.#desk.cache.all(one)])) {
      const reading = readTrigger(trigger);
      if (reading.state === "invalid" || !reading.value.clusterSetRefs.includes(metadata.name)) continue;
      yield `trigger ${labelValue(trigger.metadata.name)}`;
      for (const cluster of clusters) yield pairKey(pairOf(trigger.metadata.name, cluster));
    }
  }

  /** How a profile or ClusterSummary fares shows in the status of its trigger: trouble at once, the rest in its time. */
  #ofFate({ object }: ObjectChange): Iterable<string> {
    const pair = pairOfLabels(object.metadata.labels);
    if (pair !== undefined) this.#tell(pair.trigger, failureMessagesOf(object).length > 0);
    return [];
  }
}

function keyOfGenerated(object: KubeObject): string | undefined {
  const pair = pairOfGenerated(object);
  return pair && pairKey(pair);
}
