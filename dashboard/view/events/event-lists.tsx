import {
  flowStates,
  pathOf,
  type EventClusterItem,
  type EventSourceItem,
  type EventTriggerItem,
  type FlowState,
} from "../../../src/dashboard/api/index.ts";
import { queryOf, setQuery } from "../../location.ts";
import type { ViewItems } from "../../stream/view-items.ts";
import { ClusterTable } from "./cluster-table.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { byUrgency, hasWords, isMeantBy } from "./event-filter.ts";
import { SourceTable } from "./source-table.tsx";
import { TriggerTable } from "./trigger-table.tsx";

/** All triggers, sources and clusters, with counts. Filters are in the address. */
export function EventLists({ items, context }: { readonly items: ViewItems; readonly context: string }) {
  const [text, source, state] = [queryOf("text"), queryOf("source"), queryOf("state")];
  const triggers = items.ofType<EventTriggerItem>("trigger");
  const sources = items.ofType<EventSourceItem>("source");
  const clusters = items.ofType<EventClusterItem>("cluster");
  const named = triggers.filter((trigger) => hasWords([trigger.name, trigger.source], text) && isMeantBy(trigger, source));
  const shown = named.filter((trigger) => state === "" || trigger.state === state).toSorted(byUrgency);
  if (triggers.length + sources.length === 0) return <NoEvents isComplete={items.isComplete.value} />;
  return (
    <>
      <section aria-labelledby="triggers-title">
        <div class="section-head">
          <h1 id="triggers-title">Events</h1>
          <span class="quiet numeric">{countText(triggers.length, "trigger")}</span>
          <FilterChips states={statesOf(named)} chosen={state} />
          <input
            class="field"
            type="search"
            placeholder="Filter by trigger, source, cluster"
            aria-label="Filter events"
            value={text}
            onInput={(event) => setQuery("text", event.currentTarget.value)}
          />
        </div>
        {source === "" ? null : (
          <p class="chosen-source">
            Of EventSource <b>{source}</b>
            <button type="button" class="plain" onClick={() => setQuery("source", undefined)}>
              Show all
            </button>
          </p>
        )}
        <TriggerTable triggers={shown} context={context} isFiltered={shown.length < triggers.length} />
      </section>
      <SourceTable
        sources={sources.filter(({ name }) => hasWords([name], text) && (source === "" || name === source))}
        path={pathOf({ type: "events", context })}
      />
      <ClusterTable clusters={clusters.filter(({ namespace, name }) => hasWords([namespace, name], text))} context={context} />
    </>
  );
}

function statesOf(triggers: readonly EventTriggerItem[]): readonly (readonly [FlowState, number])[] {
  return flowStates
    .map((state) => [state, triggers.filter((trigger) => trigger.state === state).length] as const)
    .filter(([, count]) => count > 0);
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function NoEvents({ isComplete }: { readonly isComplete: boolean }) {
  if (!isComplete) return <p class="empty">Reading…</p>;
  return (
    <p class="empty">There is no EventTrigger here yet. An EventSource says what an event is, and an EventTrigger what is deployed then.</p>
  );
}
