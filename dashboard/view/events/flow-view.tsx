import { useMemo } from "preact/hooks";
import {
  flowSteps,
  pathOf,
  type EventEdgeItem,
  type EventFlowItem,
  type EventNodeItem,
  type EventsView,
  type EventTriggerItem,
} from "../../../src/dashboard/api/index.ts";
import { Graph, type GraphNode } from "../../graph/index.ts";
import { queryOf, setQuery } from "../../location.ts";
import type { ViewItems } from "../../stream/view-items.ts";
import { FlowBadge, FlowCounts } from "./flow-badges.tsx";
import { FlowGroups } from "./flow-groups.tsx";
import { NodeDetails } from "./node-details.tsx";

/** The flow of a trigger or of a cluster, drawn from the EventSource to what is deployed. */
export function FlowView({ items, view }: { readonly items: ViewItems; readonly view: EventsView }) {
  const version = items.version.value;
  const flows = items.ofType<EventFlowItem>("flow");
  const steps = items.ofType<EventNodeItem>("node");
  const nodes = useMemo(() => steps.map(graphNodeOf), [version]);
  const edges = useMemo(() => items.ofType<EventEdgeItem>("edge").map(({ from, to }) => ({ from, to })), [version]);
  const chosen = queryOf("select");
  const first = steps.find(({ state }) => state === "failed");
  // Nobody has chosen yet: what fails is shown, or else what matches.
  const selected = steps.find(({ id }) => id === chosen) ?? first ?? steps.find(({ step }) => step === "EventReport");
  const drawn = flows.filter(({ isDrawn }) => isDrawn).length;
  return (
    <>
      <FlowHead items={items} view={view} flows={flows} />
      {steps.length === 0 ? (
        <p class="empty">{items.isComplete.value ? emptyText(view) : "Reading…"}</p>
      ) : (
        <div class="flow">
          <div class="flow-picture">
            <Graph
              nodes={nodes}
              edges={edges}
              stages={flowSteps}
              label="The way of the event"
              {...(selected === undefined ? {} : { selected: selected.id })}
              onSelect={(id) => setQuery("select", id)}
            />
            {drawn < flows.length ? (
              <p class="quiet">
                {drawn} of {flows.length} clusters are drawn, the most urgent first. Choose one below to see it alone.
              </p>
            ) : null}
          </div>
          <NodeDetails node={selected} isFirstCause={selected !== undefined && selected.id !== chosen && selected === first} view={view} />
        </div>
      )}
      <FlowGroups flows={flows} view={view} />
    </>
  );
}

function FlowHead({
  items,
  view,
  flows,
}: {
  readonly items: ViewItems;
  readonly view: EventsView;
  readonly flows: readonly EventFlowItem[];
}) {
  const { context, trigger, cluster } = view;
  const [item] = trigger === undefined ? [] : items.ofType<EventTriggerItem>("trigger");
  const counts = Object.fromEntries([...Map.groupBy(flows, ({ state }) => state)].map(([state, own]) => [state, own.length]));
  return (
    <header class="flow-head">
      <nav aria-label="Where this is">
        <a href={pathOf({ type: "events", context })}>Events</a>
        {trigger === undefined || cluster === undefined ? null : (
          <>
            <a href={pathOf({ type: "events", context, trigger })}>{trigger.name}</a>
            <a href={pathOf({ type: "events", context, cluster })}>{cluster.name}</a>
          </>
        )}
      </nav>
      <div class="section-head">
        <h1>{titleOf(view)}</h1>
        {flows.length === 1 && item !== undefined ? <FlowBadge state={item.state} /> : <FlowCounts counts={counts} />}
        {item === undefined ? null : (
          <span class="quiet">
            {item.source === "" ? "" : `EventSource ${item.source} · `}
            {item.oneForEvent ? "a profile for each object" : "one profile for all objects"}
          </span>
        )}
      </div>
    </header>
  );
}

function titleOf({ trigger, cluster }: EventsView): string {
  const place = cluster === undefined ? "" : `${cluster.namespace}/${cluster.name}`;
  if (trigger === undefined) return `Events in ${place}`;
  return place === "" ? trigger.name : `${trigger.name} in ${place}`;
}

function emptyText({ trigger, cluster }: EventsView): string {
  if (trigger === undefined) return "No trigger matches this cluster.";
  return cluster === undefined
    ? "There is no such trigger, or it matches no cluster: compare its sourceClusterSelector with the labels of clusters."
    : "There is no such trigger, or it does not match this cluster.";
}

function graphNodeOf({ id, step, title, subtitle, state, word, because }: EventNodeItem): GraphNode {
  return {
    id,
    title,
    subtitle,
    state,
    stage: step,
    rank: 0,
    ...(word === undefined ? {} : { word }),
    ...(because === undefined ? {} : { because }),
  };
}
