import { EVENT_ID, getScalarValue, type Event } from "js-yaml";
import type { Path } from "../object/index.ts";

/**
 * The offset in the text where a path stands: the key for a field, the item for a list. Where the path leaves the
 * document (through an alias, a merge key, a key that is not there) it is that of the last part that was found.
 */
export function offsetOf(text: string, events: readonly Event[], from: number, path: Path): number {
  let found = offsetAt(events, from);
  let at = from;
  for (const part of path) {
    const next = memberOf(text, events, at, part);
    if (next === undefined) return found;
    found = offsetAt(events, next.name) || offsetAt(events, next.value) || found;
    at = next.value;
  }
  return found;
}

/** Where the node at this event begins; 0 for an empty one, which has no place of its own. */
export function offsetAt(events: readonly Event[], at: number): number {
  const event = events[at];
  if (event === undefined) return 0;
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return Math.max(0, event.valueStart);
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorStart;
    default:
      return 0;
  }
}

/** The events of a member's name and value; in a list both are the item. */
function memberOf(text: string, events: readonly Event[], at: number, part: string | number): { name: number; value: number } | undefined {
  const container = events[at];
  if (container?.type === EVENT_ID.MAPPING) return fieldOf(text, events, at + 1, String(part));
  if (container?.type !== EVENT_ID.SEQUENCE || typeof part !== "number") return undefined;
  let item = at + 1;
  for (let index = 0; events[item]?.type !== EVENT_ID.POP; index++) {
    if (index === part) return { name: item, value: item };
    item = after(events, item);
  }
  return undefined;
}

function fieldOf(text: string, events: readonly Event[], from: number, name: string): { name: number; value: number } | undefined {
  for (let at = from; events[at]?.type !== EVENT_ID.POP;) {
    const key = events[at]!;
    const value = after(events, at);
    if (key.type === EVENT_ID.SCALAR && getScalarValue(text, key) === name) return { name: at, value };
    at = after(events, value);
  }
  return undefined;
}

/** The event after the node that begins at this one. */
function after(events: readonly Event[], from: number): number {
  let depth = 0;
  let at = from;
  do {
    const { type } = events[at++]!;
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++;
    else if (type === EVENT_ID.POP) depth--;
  } while (depth > 0);
  return at;
}
