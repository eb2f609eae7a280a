import { rowTitle, type Timeline } from "../release/recording/index.ts";

const states = { finished: "done", failed: "crit", skipped: "milestone", interrupted: "active" } as const;

/** A timeline as a Gantt chart for Mermaid. */
export function timelineMermaid({ rows, subject }: Timeline): string {
  const bySection = Map.groupBy(rows, ({ stage = "main" }) => stage);
  const lines = [...bySection].flatMap(([stage, members]) => [
    `  section ${plain(stage)}`,
    ...members.map(
      ({ ref, outcome, fromMs, toMs }) =>
        `  ${plain(rowTitle(ref, subject))} :${states[outcome]}, ${fromMs}, ${Math.max(fromMs + 1, toMs)}`,
    ),
  ]);
  return ["gantt", "  dateFormat x", "  axisFormat %H:%M:%S", ...lines].join("\n");
}

/** Mermaid reads these characters as its own. */
function plain(text: string): string {
  return text.replaceAll(/[:;#,\n\r]/g, " ");
}
