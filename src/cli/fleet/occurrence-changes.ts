import type { OccurrenceOutline } from "../../view/index.ts";

/** Those that are new or concern other clusters than before, and as healed those that are gone. */
export function changesSince(
  known: readonly OccurrenceOutline[],
  found: readonly OccurrenceOutline[],
  nowMs: number,
): readonly OccurrenceOutline[] {
  const before = new Map(known.map((each) => [causeOf(each), each]));
  const now = new Set(found.map(causeOf));
  const time = new Date(nowMs).toISOString();
  const healed = [...before].flatMap(([cause, each]) =>
    now.has(cause) || each.state !== "failing" ? [] : [{ ...each, time, state: "healed" as const }],
  );
  const changed = found.filter((each) => JSON.stringify(before.get(causeOf(each))?.clusters) !== JSON.stringify(each.clusters));
  return [...healed, ...changed];
}

/** A failure that is tried again is told for one reason and then another, by an object and then by the one above it. */
function causeOf({ state, object, message }: OccurrenceOutline): string {
  return JSON.stringify([state, object, message.replace(/ \(and \d+ more\)$/, "")]);
}
