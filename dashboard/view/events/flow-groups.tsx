import { flowStates, pathOf, type EventFlowItem, type EventsView } from "../../../src/dashboard/api/index.ts";
import { RelativeTime } from "../../component/relative-time.tsx";
import { queryOf, setQuery } from "../../location.ts";
import { hasWords } from "./event-filter.ts";
import { FlowBadge } from "./flow-badges.tsx";

/** So many flows of a group are named; a filter finds the rest. */
const maxNamed = 30;

/** All flows of a trigger or a cluster: those that are as they are for the same reason are one group. */
export function FlowGroups({ flows, view }: { readonly flows: readonly EventFlowItem[]; readonly view: EventsView }) {
  if (flows.length < 2) return null;
  const text = queryOf("text");
  const shown = flows.filter(({ trigger, cluster }) => hasWords([trigger.name, cluster.namespace, cluster.name], text));
  const groups = [...Map.groupBy(shown, ({ state, because = "" }) => `${state} ${because}`).values()].toSorted(
    ([a], [b]) => flowStates.indexOf(a!.state) - flowStates.indexOf(b!.state),
  );
  const what = view.cluster === undefined ? "Clusters" : "Triggers";
  return (
    <section aria-labelledby="flows-title">
      <div class="section-head">
        <h2 id="flows-title">{what}</h2>
        <span class="quiet numeric">{flows.length}</span>
        <input
          class="field"
          type="search"
          placeholder={`Filter ${what.toLowerCase()}`}
          aria-label={`Filter ${what.toLowerCase()}`}
          value={text}
          onInput={(event) => setQuery("text", event.currentTarget.value)}
        />
      </div>
      {groups.length === 0 ? <p class="empty">Nothing is as the filter says.</p> : null}
      <ul class="flow-groups">
        {groups.map((group) => (
          <FlowGroup key={`${group[0]!.state} ${group[0]!.because ?? ""}`} group={group} view={view} />
        ))}
      </ul>
    </section>
  );
}

function FlowGroup({ group, view }: { readonly group: readonly EventFlowItem[]; readonly view: EventsView }) {
  const { state, because } = group[0]!;
  const what = view.cluster === undefined ? "cluster" : "trigger";
  const latest = group.reduce((last, { changedAtMs = 0 }) => Math.max(last, changedAtMs), 0);
  return (
    <li>
      <div class="group-head">
        <FlowBadge state={state} />
        <b class="numeric">{group.length === 1 ? `1 ${what}` : `${group.length} ${what}s`}</b>
        {latest === 0 ? null : (
          <span class="quiet">
            matches changed <RelativeTime ms={latest} />
          </span>
        )}
      </div>
      {because === undefined ? null : <p class="because">{because.replaceAll("{cluster}", "the cluster")}</p>}
      <p class="group-links">
        {group.slice(0, maxNamed).map((flow) => (
          <a key={flow.id} href={pathOf({ type: "events", context: view.context, trigger: flow.trigger, cluster: flow.cluster })}>
            {view.cluster === undefined ? `${flow.cluster.namespace}/${flow.cluster.name}` : flow.trigger.name}
            {flow.matches > 0 ? <span class="quiet numeric"> {flow.matches}</span> : null}
          </a>
        ))}
        {group.length > maxNamed ? <span class="quiet">and {group.length - maxNamed} more: filter to find them</span> : null}
      </p>
    </li>
  );
}
