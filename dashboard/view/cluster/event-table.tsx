import type { FleetEventItem } from "../../../src/dashboard/api/index.ts";
import { ListTable } from "../../component/list-table.tsx";
import { Nothing } from "../../component/nothing.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import type { ViewItems } from "../../stream/view-items.ts";

/** Events, the latest first. */
export function EventTable({ events, items }: { readonly events: readonly FleetEventItem[]; readonly items: ViewItems }) {
  const sorted = events.toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
  return (
    <section aria-labelledby="events-title">
      <div class="section-head">
        <h2 id="events-title">Events</h2>
        <span class="quiet numeric">{events.length}</span>
      </div>
      {sorted.length === 0 ? (
        <Nothing items={items}>There are no Events.</Nothing>
      ) : (
        <ListTable label="Events" class="fleet-events" columns={["Type", "Reason", "When", "About", "Message"]}>
          {sorted.map((event, at) => (
            <EventRow key={at} event={event} />
          ))}
        </ListTable>
      )}
    </section>
  );
}

function EventRow({ event }: { readonly event: FleetEventItem }) {
  const { severity, reason, atMs, about, message, count } = event;
  return (
    <tr>
      <td>
        <StateBadge state={severity === "Warning" ? "failed" : "ready"} word={severity} />
      </td>
      <td>{reason}</td>
      <td class="quiet nowrap">{atMs === undefined ? "" : <RelativeTime ms={atMs} />}</td>
      <td class="quiet">{about}</td>
      <td class="message">
        {message}
        {count > 1 ? <span class="quiet numeric"> ×{count}</span> : null}
      </td>
    </tr>
  );
}
