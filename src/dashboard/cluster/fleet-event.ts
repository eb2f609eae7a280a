import { numberAt, stringAt, titleOf, type KubeObject } from "../../core/object/index.ts";
import { lastSeenAt } from "../../release/track/index.ts";
import type { FleetEventItem } from "../api/index.ts";

/** The kind of Events, and what selects those of the controllers. */
export const eventKind = { group: "", version: "v1", kind: "Event" };
export const ownEvents = "source=sluice";

/** More are not shown, nor is more of a message. */
const [maxEvents, maxLength] = [100, 2_000];

/** Reduces an Event to what is shown of it. */
export function reduceEvent(event: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = event;
  const { name, namespace = "", uid = "", resourceVersion = "" } = metadata;
  const about = { kind: stringAt(event, "involvedObject.kind", ""), name: stringAt(event, "involvedObject.name", "") };
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, about, item: eventItemOf(event) };
}

/** The object that a reduced Event is about. */
export function eventSubject(reduced: KubeObject): { readonly kind: string; readonly name: string } {
  return reduced["about"] as { readonly kind: string; readonly name: string };
}

/** The latest of these reduced Events as items, the latest first. */
export function eventItems(events: readonly KubeObject[]): readonly (readonly [string, FleetEventItem])[] {
  return events
    .map((event) => [`event/${event.metadata.namespace ?? ""}/${event.metadata.name}`, event["item"] as FleetEventItem] as const)
    .toSorted(([, a], [, b]) => (b.atMs ?? 0) - (a.atMs ?? 0))
    .slice(0, maxEvents);
}

function eventItemOf(event: KubeObject): FleetEventItem {
  const atMs = Date.parse(lastSeenAt(event));
  const message = stringAt(event, "message", "");
  return {
    type: "event",
    severity: stringAt(event, "type", "Normal"),
    reason: stringAt(event, "reason", ""),
    message: message.length > maxLength ? `${message.slice(0, maxLength)}…` : message,
    about: titleOf({ kind: stringAt(event, "involvedObject.kind", ""), name: stringAt(event, "involvedObject.name", "") }),
    count: numberAt(event, "series.count", numberAt(event, "count", 1)),
    ...(Number.isNaN(atMs) ? {} : { atMs }),
  };
}
