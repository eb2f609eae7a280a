import { keyOf } from "../../core/object/index.ts";
import type { Revision } from "../../release/record/index.ts";
import { rowTitle, timelineOf, type Recording } from "../../release/recording/index.ts";
import { endInRecord } from "../../release/status/index.ts";
import type { ReleaseItem, ReleaseTimelineRow } from "../api/index.ts";

/** The items of a recording: one for what it has in all, and one for each row. */
export function timelineItemsOf(
  recording: Recording,
  revision: Revision,
  { isRunning, nowMs }: { readonly isRunning: boolean; readonly nowMs: number },
): readonly (readonly [string, ReleaseItem])[] {
  const { subject, rows, startedAtMs, lengthMs, status, because, runs, criticalPath, waits, leftOut } = timelineOf(recording, {
    endInRecord: endInRecord(revision),
  });
  const waitsOf = waitsByObject(recording, startedAtMs);
  const rowItems = rows.map(({ ref, hook, outcome, because: told, fromMs, toMs, spans }) => {
    const row: ReleaseTimelineRow = {
      type: "row",
      ref,
      title: rowTitle(ref, subject),
      ...(hook === undefined ? {} : { hook }),
      outcome,
      ...(told === undefined ? {} : { because: told }),
      fromMs,
      toMs,
      spans,
      ...waitsOf(keyOf(ref)),
    };
    return [`row/${keyOf(ref)}`, row] as const;
  });
  const head = { type: "timeline", startedAtMs, lengthMs, status, isRunning, asOfMs: nowMs, runs, criticalPath, waits, leftOut } as const;
  return [["timeline", { ...head, ...(because === undefined ? {} : { because }) }], ...rowItems];
}

/** What each object waited for, in all runs. */
function waitsByObject({ runs }: Recording, startMs: number): (key: string) => Pick<ReleaseTimelineRow, "waits"> {
  const steps = Map.groupBy(
    runs.flatMap((run) => run.steps.filter(({ waits }) => waits.length > 0)),
    ({ ref }) => keyOf(ref),
  );
  return (key) => {
    const found = steps.get(key);
    if (found === undefined) return {};
    return { waits: found.flatMap(({ waits }) => waits.map(({ atMs, because }) => ({ atMs: atMs - startMs, because }))) };
  };
}
