import type { FleetEventItem } from "../../../src/dashboard/api/index.ts";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";

/** Events, the latest first. */
export function EventTable({ events }: { readonly events: readonly FleetEventItem[] }) {
  const sorted = events.toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
  return (
    <section aria-labelledby="events-title">
      <div class="section-head">
        <h2 id="events-title">Events</h2>
        <span class="quiet numeric">{events.length}</span>
      </div>
      {sorted.length === 0 ? (
        <p class="empty">There are no Events.</p>
      ) : (
        <div class="table-frame" tabIndex={0} role="region" aria-label="Events">
          <table class="list fleet-events">
            <thead>
              <tr>
                <th scope="col">Type</th>
                <th scope="col">Reason</th>
                <th scope="col">When</th>
                <th scope="col">About</th>
                <th scope="col">Message</th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((event, at) => (
                <EventRow key={at} event={event} />
              ))}
            </tbody>
          </table>
        </div>
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
