import { pathOf, type EventTriggerItem } from "../../../src/dashboard/api/index.ts";
import { ListTable } from "../../component/list-table.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { FlowBadge, FlowCounts } from "./flow-badges.tsx";

type Props = { readonly triggers: readonly EventTriggerItem[]; readonly context: string; readonly isFiltered: boolean };

/** More rows than this are not drawn: a filter finds the rest. */
const maxRows = 200;

/** The triggers, one a row. */
export function TriggerTable({ triggers, context, isFiltered }: Props) {
  if (triggers.length === 0)
    return (
      <p class="empty">
        {isFiltered ? "No trigger is as the filter says." : "There is no EventTrigger yet: nothing is deployed on events."}
      </p>
    );
  return (
    <ListTable
      label="Triggers"
      class="triggers"
      columns={["State", "Trigger", "EventSource", "Clusters", "Matches", "Last change"]}
      more={triggers.length - maxRows}
    >
      {triggers.slice(0, maxRows).map((trigger) => (
        <TriggerRow key={`${trigger.kind}/${trigger.name}`} trigger={trigger} context={context} />
      ))}
    </ListTable>
  );
}

function TriggerRow({ trigger, context }: { readonly trigger: EventTriggerItem; readonly context: string }) {
  const { kind, name, source, state, because, counts, matches, changedAtMs } = trigger;
  return (
    <tr>
      <td>
        <FlowBadge state={state} />
      </td>
      <td>
        <a href={pathOf({ type: "events", context, trigger: { kind, name } })}>{name}</a>
        {kind === "EventBasedAddOn" ? <span class="quiet"> EventBasedAddOn</span> : null}
        {because === undefined ? null : <p class="because">{because}</p>}
      </td>
      <td>
        <a href={`${pathOf({ type: "events", context })}?${new URLSearchParams({ source })}`}>{source}</a>
      </td>
      <td>
        <FlowCounts counts={counts} />
      </td>
      <td class="numeric">{matches}</td>
      <td class="quiet">{changedAtMs === undefined ? "" : <RelativeTime ms={changedAtMs} />}</td>
    </tr>
  );
}
