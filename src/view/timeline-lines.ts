import { rowTitle, type Timeline, type TimelineRow } from "../release/recording/index.ts";
import { lengthText } from "./length-text.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { cutToWidth, textWidth } from "./text-width.ts";
import { headText, linkText, remarksOn, rowText } from "./timeline-words.ts";

type TimelineFrame = {
  /** Default 100. */
  readonly columns?: number;
  /** Texts may be longer than the columns, since what reads them does not fold lines. Default false. */
  readonly whole?: boolean;
  readonly paint?: Paint;
};

/** What a part of a bar looks like. A later one covers an earlier one. */
const marks = { apply: "░", wait: "█", delete: "▒" } as const;
const maxTitleWidth = 40;
const minBarWidth = 20;
/** Shorter links of the critical path are left out, as they would say 0.0s. */
const shownMs = 50;

/** Draws a timeline: a bar for each object, the critical path and the longest waits. */
export function timelineLines(
  timeline: Timeline,
  { columns = 100, whole = false, paint = plainPaint }: TimelineFrame = {},
): readonly string[] {
  const { status, waits, subject } = timeline;
  const criticalPath = timeline.criticalPath.filter(({ fromMs, toMs }) => toMs - fromMs >= shownMs);
  const role = status === "failed" ? "bad" : status === "unfinished" || status === "stopped" ? "warn" : "good";
  const fit = (line: string) => (whole ? line : cutToWidth(line, columns));
  return [
    paint[role](fit(headText(timeline))),
    ...remarksOn(timeline).map((remark) => paint.dim(fit(remark))),
    "",
    ...barLines(timeline, columns, paint),
    "",
    ...section(
      "Critical path (from, took):",
      paint,
      criticalPath.map((link) => fit(`${span(link.fromMs, link.toMs)}${linkText(link, subject)}`)),
    ),
    ...section(
      "Longest waits (from, took):",
      paint,
      waits.map(({ ref, because, fromMs, toMs }) => fit(`${span(fromMs, toMs)}${rowTitle(ref, subject)}: ${because}`)),
    ),
  ];
}

function span(fromMs: number, toMs: number): string {
  return `${lengthText(fromMs).padStart(8)}  ${lengthText(toMs - fromMs).padStart(8)}  `;
}

function section(head: string, paint: Paint, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [paint.strong(head), ...lines];
}

function barLines({ rows, lengthMs, subject }: Timeline, columns: number, paint: Paint): readonly string[] {
  if (rows.length === 0) return ["no object was touched"];
  const titles = rows.map(({ ref }) => cutToWidth(rowTitle(ref, subject), maxTitleWidth));
  const texts = rows.map(rowText);
  const titleWidth = Math.max(...titles.map(textWidth));
  const width = Math.max(minBarWidth, columns - titleWidth - Math.max(...texts.map(textWidth)) - 4);
  const lines = rows.map((row, at) => {
    const title = `${titles[at]!}${" ".repeat(titleWidth - textWidth(titles[at]!))}`;
    const bar = barOf(row, lengthMs, width);
    return `${title}  ${paint[roles[row.outcome]](bar)}  ${texts[at]!}`.trimEnd();
  });
  return [paint.dim(`${" ".repeat(titleWidth)}  ${scaleOf(lengthMs, width)}`), ...lines, paint.dim(legend)];
}

const legend = `${marks.apply} applied  ${marks.wait} waited until ready  ${marks.delete} deleted`;
const roles = { finished: "good", failed: "bad", skipped: "dim", interrupted: "warn" } as const;

/** Whatever takes a moment has one mark at least. */
function barOf({ spans }: TimelineRow, lengthMs: number, width: number): string {
  const cells = Array.from({ length: width }, () => " ");
  const cellAt = (ms: number) => Math.min(width - 1, Math.max(0, Math.floor((ms / Math.max(1, lengthMs)) * width)));
  for (const { phase, fromMs, toMs } of spans)
    for (let cell = cellAt(fromMs); cell <= Math.max(cellAt(fromMs), cellAt(toMs - 1)); cell++) cells[cell] = marks[phase];
  return cells.join("");
}

/** The times at the beginning, the middle and the end. */
function scaleOf(lengthMs: number, width: number): string {
  const [middle, end] = [lengthText(lengthMs / 2), lengthText(lengthMs)];
  const half = Math.floor(width / 2);
  return `0s${" ".repeat(Math.max(1, half - 2))}${middle}`.padEnd(width - end.length) + end;
}
