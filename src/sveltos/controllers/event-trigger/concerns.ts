import { gvkOf, labelValue } from "../../api/index.ts";
import { clusterIdOf, selectedBy } from "../../fleet/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../../core/object/index.ts";
import type { Source } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import type { Echo } from "./echo.ts";
import { failuresOf, madeKinds, triggerKinds } from "./holdings.ts";
import { readTrigger } from "./judge.ts";
import { pairKey, pairOf, pairOfLabels, pairOfMade } from "./pair.ts";
import { isOnGenerated, isSubstantial } from "./relevance.ts";
import { clustersInStatus } from "./status.ts";
import { topicOf, type Topics } from "./topics.ts";

/** Says which keys a change of the management cluster concerns, and which triggers have something new to tell. */
export class Concerns {
  readonly #desk: Pick<Desk, "copies" | "fleet">;
  readonly #topics: Topics;
  readonly #echo: Echo;
  readonly #tell: (trigger: string, isUrgent: boolean) => void;

  constructor(desk: Pick<Desk, "copies" | "fleet">, topics: Topics, echo: Echo, tell: (trigger: string, isUrgent: boolean) => void) {
    this.#desk = desk;
    this.#topics = topics;
    this.#echo = echo;
    this.#tell = tell;
  }

  sources(): readonly Source[] {
    const from = (kind: GroupVersionKind, keysOf: Source["keysOf"]): Source => ({ changes: this.#desk.copies.of(kind), keysOf });
    return [
      ...triggerKinds.map((kind) => from(kind, (change) => this.#ofTrigger(change))),
      ...madeKinds.map((kind) => from(kind, (change) => this.#ofContent(change))),
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
    if (!isSubstantial(change, isProfile ? isOnGenerated : undefined)) return;
    const own = keyOfMade(object);
    const isOwn = own !== undefined && this.#echo.isOwn(change);
    for (const key of this.#topics.restingOn(topicOf({ kind: object.kind, ...object.metadata }))) if (!isOwn || key !== own) yield key;
    if (own !== undefined && !isOwn) yield own;
    // One whose labels were changed has left where it belonged.
    const former = change.type === "modified" ? keyOfMade(change.previous) : undefined;
    if (former !== undefined && former !== own) yield former;
    const pair = pairOfMade(object);
    if (change.type === "deleted" && pair !== undefined) yield `trigger ${pair.trigger}`;
  }

  #ofEvent(change: ObjectChange): Iterable<string> {
    const { kind, metadata } = change.object;
    return isSubstantial(change) ? this.#topics.restingOn(topicOf({ kind, ...metadata })) : [];
  }

  *#ofSet(change: ObjectChange): Iterable<string> {
    const { kind, metadata } = change.object;
    yield* this.#topics.restingOn(topicOf({ kind, name: metadata.name }));
    const clusters = [...selectedBy(change.object), ...(change.type === "modified" ? selectedBy(change.previous) : [])];
    for (const trigger of triggerKinds.flatMap((one) => [...this.#desk.copies.all(one)])) {
      const reading = readTrigger(trigger);
      if (reading.state === "invalid" || !reading.value.clusterSetRefs.includes(metadata.name)) continue;
      yield `trigger ${labelValue(trigger.metadata.name)}`;
      for (const cluster of clusters) yield pairKey(pairOf(trigger.metadata.name, cluster));
    }
  }

  /** How a profile or ClusterSummary fares shows in the status of its trigger: trouble at once, the rest in its time. */
  #ofFate({ object }: ObjectChange): Iterable<string> {
    const pair = pairOfLabels(object.metadata.labels);
    if (pair !== undefined) this.#tell(pair.trigger, failuresOf(object).length > 0);
    return [];
  }
}

function keyOfMade(object: KubeObject): string | undefined {
  const pair = pairOfMade(object);
  return pair && pairKey(pair);
}
