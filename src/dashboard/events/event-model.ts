import type { Clock } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { ClusterId } from "../../sveltos/api/index.ts";
import type { EventFlowItem, EventNodeItem, EventsView, Item, ItemChange } from "../api/index.ts";
import { flowStates } from "../api/index.ts";
import { clusterKeyOf } from "../fleet/summary-cell.ts";
import { flowStatusOf, type EventFlow, type FlowStatus } from "./event-flow.ts";
import { EventIndex } from "./event-index.ts";
import { flowGraphOf } from "./flow-graph.ts";
import { clusterItems, flowItemOf, sourceItems, triggerItemOf, type KnownFlow } from "./flow-items.ts";
import { SeenMatches } from "./seen-matches.ts";
import { triggerKeyOf, type TriggerOutline } from "./trigger-outline.ts";

/** So many flows of a trigger are drawn, and of a cluster: that one has an end. */
const maxFlows = { trigger: 12, cluster: 60 };

type KnownTrigger = { readonly outline: TriggerOutline; readonly flows: readonly KnownFlow[] };

/** What the event view shows. It gets one object at a time, and tells what has changed. */
export class EventModel {
  readonly #scope: Pick<EventsView, "trigger" | "cluster">;
  readonly #index: EventIndex;
  readonly #seen: SeenMatches;
  readonly #known = new Map<string, KnownTrigger>();
  #shown: ReadonlySet<string> = new Set();
  /** Triggers whose flows are to be read again. */
  readonly #changed = new Set<string>();
  #hasChanged = true;

  constructor(scope: Pick<EventsView, "trigger" | "cluster">, clock: Clock, isUnreadable: EventFlow["isUnreadable"]) {
    this.#scope = scope;
    this.#index = new EventIndex(isUnreadable);
    this.#seen = new SeenMatches(clock);
  }

  put(object: KubeObject, isGone: boolean): void {
    const key = `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
    const before = object.kind === "EventReport" ? this.#index.reportAt(key) : undefined;
    for (const trigger of this.#index.put(object, isGone)) this.#changed.add(trigger);
    if (object.kind === "EventReport" && !isGone) this.#seen.compare(before, this.#index.reportAt(key));
    this.#hasChanged = true;
  }

  /** Reads everything again: what may be read is another. */
  refresh(): void {
    for (const key of this.#index.triggers.keys()) this.#changed.add(key);
    this.#hasChanged = true;
  }

  /** The items that have changed since the last call. */
  takeChanges(): ItemChange {
    if (!this.#hasChanged) return {};
    this.#hasChanged = false;
    this.#readFlows();
    this.#seen.begin();
    const { trigger, cluster } = this.#scope;
    const items = new Map(trigger === undefined && cluster === undefined ? this.#listItems() : this.#scopedItems());
    const remove = [...this.#shown].filter((key) => !items.has(key));
    this.#shown = new Set(items.keys());
    return { set: [...items], remove };
  }

  #readFlows(): void {
    const { trigger, cluster } = this.#scope;
    const only = trigger === undefined ? undefined : triggerKeyOf(trigger);
    const place = cluster === undefined ? undefined : clusterKeyOf({ ...cluster, type: cluster.kind === "Cluster" ? "Capi" : "Sveltos" });
    for (const key of this.#changed) {
      const outline = this.#index.triggers.get(key);
      const clusters = [...(outline?.clusters ?? [])].filter(([each]) => place === undefined || each === place);
      const isOutside = (only !== undefined && only !== key) || (place !== undefined && only === undefined && clusters.length === 0);
      if (outline === undefined || isOutside) this.#known.delete(key);
      else this.#known.set(key, { outline, flows: clusters.map(([each, id]) => this.#flowOf(outline, each, id)) });
    }
    this.#changed.clear();
  }

  #flowOf(outline: TriggerOutline, clusterKey: string, cluster: ClusterId): KnownFlow {
    const flow = this.#index.flowOf(outline, clusterKey, cluster);
    return { flow, status: flowStatusOf(flow) };
  }

  *#listItems(): Generator<readonly [string, Item]> {
    for (const [key, { outline, flows }] of this.#known) yield [`trigger/${key}`, triggerItemOf(outline, flows)];
    yield* sourceItems(this.#index.sources.values(), this.#index.triggers.values());
    yield* clusterItems([...this.#known.values()].flatMap(({ flows }) => flows));
  }

  *#scopedItems(): Generator<readonly [string, Item]> {
    for (const [key, { outline, flows }] of this.#known) yield [`trigger/${key}`, triggerItemOf(outline, flows)];
    const flows = [...this.#known.values()].flatMap((known) => known.flows);
    const drawn = new Set(flows.toSorted(byUrgency).slice(0, this.#scope.cluster === undefined ? maxFlows.trigger : maxFlows.cluster));
    for (const each of flows) {
      const item: EventFlowItem = flowItemOf(each, drawn.has(each));
      yield [`flow/${item.id}`, item];
    }
    const nodes = new Map<string, EventNodeItem>();
    for (const { flow } of flows.filter((each) => drawn.has(each))) {
      const graph = flowGraphOf(flow, (...match) => this.#seen.at(...match));
      // Flows of several clusters share their EventSource, which is as it is in the worst of them.
      for (const node of graph.nodes) if (isWorse(node, nodes.get(node.id))) nodes.set(node.id, node);
      for (const edge of graph.edges) yield [`edge/${edge.from} ${edge.to}`, edge];
    }
    for (const [id, node] of nodes) yield [`node/${id}`, node];
  }
}

function isWorse({ state }: EventNodeItem, known: EventNodeItem | undefined): boolean {
  return known === undefined || (state === "failed" && known.state !== "failed");
}

function byUrgency(a: KnownFlow, b: KnownFlow): number {
  return rankOf(a.status) - rankOf(b.status);
}

function rankOf({ state }: FlowStatus): number {
  return flowStates.indexOf(state);
}
