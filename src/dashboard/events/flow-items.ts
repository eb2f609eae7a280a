import { commonText } from "../../sveltos/inspect/index.ts";
import type { EventClusterItem, EventFlowItem, EventSourceItem, EventTriggerItem, FlowState } from "../api/index.ts";
import { changedAtOf, matchesOf, worstOf, type EventFlow, type FlowStatus } from "./event-flow.ts";
import { eventClusterOf } from "./object-nodes.ts";
import type { SourceOutline } from "./source-outline.ts";
import { mayMeanSource, type TriggerOutline } from "./trigger-outline.ts";

/** A flow, and how it is doing. */
export type KnownFlow = { readonly flow: EventFlow; readonly status: FlowStatus };

/** A trigger over all of its clusters. */
export function triggerItemOf({ kind, name, source, oneForEvent, trouble }: TriggerOutline, flows: readonly KnownFlow[]): EventTriggerItem {
  const own: readonly FlowStatus[] = trouble === undefined ? [] : [{ state: trouble.state, because: trouble.message }];
  const none: FlowStatus = { state: "waiting", because: "it matches no cluster" };
  const { state, because } = worstOf([...own, ...flows.map(({ status }) => status)]) ?? none;
  const times = flows.flatMap(({ flow }) => changedAtOf(flow) ?? []);
  return {
    type: "trigger",
    kind,
    name,
    source,
    oneForEvent,
    state,
    ...(because === undefined ? {} : { because }),
    counts: countsOf(flows),
    matches: sum(flows.map(({ flow }) => matchesOf(flow))),
    profiles: sum(flows.map(({ flow }) => flow.profiles.length)),
    ...(times.length === 0 ? {} : { changedAtMs: times.reduce((a, b) => Math.max(a, b)) }),
  };
}

function countsOf(flows: readonly KnownFlow[]): Readonly<Partial<Record<FlowState, number>>> {
  const counts: Partial<Record<FlowState, number>> = {};
  for (const { status } of flows) counts[status.state] = (counts[status.state] ?? 0) + 1;
  return counts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The EventSources, each over all clusters. */
export function* sourceItems(
  sources: Iterable<SourceOutline>,
  triggers: Iterable<TriggerOutline>,
): Generator<readonly [string, EventSourceItem]> {
  const all = [...triggers];
  for (const source of sources) {
    const { name, kinds, trouble, troubles, inClusters } = source;
    const users = all.filter((trigger) => mayMeanSource(trigger, name)).length;
    const worst = trouble ?? troubles.values().next().value ?? (users === 0 ? unused : undefined);
    const item: EventSourceItem = {
      type: "source",
      name,
      state: worst?.state ?? "ready",
      ...(worst === undefined ? {} : { because: worst.message }),
      kinds,
      matches: sum([...inClusters.values()].map(({ matches }) => matches)),
      failing: troubles.size,
      triggers: users,
    };
    yield [`source/${name}`, item];
  }
}

const unused = { state: "waiting", message: "no EventTrigger names it, so that it is not evaluated" } as const;

/** The clusters, each over all triggers. */
export function* clusterItems(flows: readonly KnownFlow[]): Generator<readonly [string, EventClusterItem]> {
  for (const [key, own] of Map.groupBy(flows, ({ flow }) => flow.clusterKey)) {
    const { state } = worstOf(own.map(({ status }) => status))!;
    const matches = sum(own.map(({ flow }) => matchesOf(flow)));
    yield [`cluster/${key}`, { type: "cluster", ...eventClusterOf(key), state, counts: countsOf(own), matches }];
  }
}

/** One trigger in one cluster. */
export function flowItemOf({ flow, status }: KnownFlow, isDrawn: boolean): EventFlowItem {
  const { trigger, cluster, clusterKey, sourceName, profiles } = flow;
  const changedAtMs = changedAtOf(flow);
  return {
    type: "flow",
    id: `${trigger.key}/${clusterKey}`,
    trigger: { kind: trigger.kind, name: trigger.name },
    cluster: eventClusterOf(clusterKey),
    source: sourceName,
    state: status.state,
    ...(status.because === undefined ? {} : { because: commonText(status.because, cluster) }),
    matches: matchesOf(flow),
    profiles: profiles.length,
    ...(changedAtMs === undefined ? {} : { changedAtMs }),
    isDrawn,
  };
}
