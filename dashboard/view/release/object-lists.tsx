import type { ContainerLog, ObjectCondition, ObjectEvent } from "../../../src/dashboard/api/index.ts";
import { RelativeTime } from "../../component/relative-time.tsx";
import { visible } from "../../graph/shorten.ts";
import { PlainText } from "./plain-text.tsx";

/** The last lines of containers that fail. */
export function LogList({ logs }: { readonly logs: readonly ContainerLog[] }) {
  return (
    <>
      {logs.map(({ pod, container, lines }) => (
        <details key={`${pod}/${container}`} open>
          <summary>
            Last lines of {visible(container)} in {visible(pod)}
          </summary>
          {lines.length === 0 ? (
            <p class="quiet">It has written nothing.</p>
          ) : (
            <PlainText lines={lines.map(withoutColours)} label={`Log of ${visible(container)}`} />
          )}
        </details>
      ))}
    </>
  );
}

/** What terminals colour by. Other escapes are shown. */
const colours = new RegExp(String.raw`\u001b\[[\d;]*m`, "g");

function withoutColours(line: string): string {
  return line.replaceAll(colours, "");
}

const shownEvents = 20;

/** Events about the object and its pods, the latest first. */
export function EventList({ events }: { readonly events: readonly ObjectEvent[] }) {
  if (events.length === 0) return null;
  return (
    <details open>
      <summary>Events ({events.length})</summary>
      <ul class="object-events">
        {events.slice(0, shownEvents).map((event, at) => (
          <li key={at} class={event.type === "Warning" ? "is-warning" : ""}>
            <b>{visible(event.reason)}</b> <span class="quiet">{visible(event.about)}</span>{" "}
            {event.atMs === undefined ? null : (
              <span class="quiet">
                <RelativeTime ms={event.atMs} />
                {event.count > 1 ? `, ${event.count} times` : ""}
              </span>
            )}
            <p>{visible(event.message)}</p>
          </li>
        ))}
      </ul>
      {events.length > shownEvents ? <p class="quiet">{events.length - shownEvents} older ones are not shown.</p> : null}
    </details>
  );
}

/** What the object says about itself. */
export function ConditionList({ conditions }: { readonly conditions: readonly ObjectCondition[] }) {
  if (conditions.length === 0) return null;
  return (
    <details open>
      <summary>Conditions ({conditions.length})</summary>
      <ul class="object-conditions">
        {conditions.map(({ type, status, reason, message, atMs }) => (
          <li key={type}>
            <b>{visible(type)}</b> {visible(status)} <span class="quiet">{visible(reason)}</span>{" "}
            <span class="quiet">{atMs === undefined ? null : <RelativeTime ms={atMs} />}</span>
            {message === "" ? null : <p>{visible(message)}</p>}
          </li>
        ))}
      </ul>
    </details>
  );
}
