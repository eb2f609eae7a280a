import { titleOf } from "../core/object/index.ts";
import { timelineOf } from "../release/recording/index.ts";
import type { FailureConsequence, KillConsequence, RehearsalReport } from "../release/rehearse/index.ts";
import { lengthText } from "./length-text.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { oneLine, table } from "./table.ts";
import { timelineLines } from "./timeline-lines.ts";
import { timelinePage } from "./timeline-page.ts";

type RehearsalFrame = { readonly columns?: number; readonly whole?: boolean; readonly paint?: Paint };

/** How a deploy is expected to go: its timeline, what would fail, and how far that can be trusted. */
export function rehearsalLines(report: RehearsalReport, frame: RehearsalFrame = {}): readonly string[] {
  const { paint = plainPaint } = frame;
  const { recording } = report;
  const drawn = recording === undefined ? [] : [...timelineLines(timelineOf(recording), frame), ""];
  const end = isGood(report) ? paint.good(endText(report)) : paint.bad(endText(report));
  return [paint.dim(rehearsalHeading(report)), ...drawn, ...trustLines(report, paint), end];
}

/** The same as a page that says what it is. */
export function rehearsalPage(report: RehearsalReport): string {
  const timelines = report.recording === undefined ? [] : [timelineOf(report.recording)];
  return timelinePage(timelines, rehearsalHeading(report), [...trustLines(report, plainPaint), endText(report)]);
}

function rehearsalHeading({ takenAt, kubernetes, release }: RehearsalReport): string {
  return `a rehearsal of ${release.name} in ${release.namespace}: nothing was changed. The cluster is that of ${takenAt}, Kubernetes ${kubernetes}`;
}

function isGood({ status }: RehearsalReport): boolean {
  return status === "deployed" || status === "unchanged";
}

function endText(report: RehearsalReport): string {
  const { status, because } = report;
  if (isGood(report)) return `would end well: ${status}${lengthOf(report)}`;
  return status === "refused" ? `would be refused: ${because ?? ""}` : `would fail: ${because ?? status}`;
}

function lengthOf({ recording }: RehearsalReport): string {
  return recording === undefined ? "" : ` in ${lengthText(timelineOf(recording).lengthMs)}`;
}

/** What the figures rest on, and what was left out. */
function trustLines(report: RehearsalReport, paint: Paint): readonly string[] {
  const { learnt, guessed, given, unseen, webhooks, unserved, differences } = report;
  const bySource = Map.groupBy(learnt, ({ from }) => from);
  return [
    ...(given === undefined ? [] : [`durations from ${given}, where its rules match`]),
    ...[...bySource].map(([from, known]) => `durations from ${from}: ${someOf(known.map(titleOf))}`),
    ...(guessed.length === 0
      ? []
      : [`${given === undefined ? "" : "all other "}durations by default, as nobody has seen them yet: ${someOf(guessed)}`]),
    ...(unseen.length === 0 ? [] : [paint.warn(unseenText(unseen))]),
    ...(webhooks.length === 0 ? [] : [paint.warn(`not rehearsed, as webhooks are not called: ${webhooks.join(", ")}`)]),
    ...(unserved.length === 0 ? [] : [paint.warn(`not rehearsed, as an embedded cluster does not serve them: ${someOf(unserved)}`)]),
    ...differences.map((difference) => paint.warn(`other than live: ${difference}`)),
  ];
}

/** How many names a line has at most. */
const maxNamed = 12;

function someOf(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return more <= 1 ? names.join(", ") : `${names.slice(0, maxNamed).join(", ")} and ${more} more (-o json names all)`;
}

/** What stands for what may not be read is said once: the reasons are all the same, and in the JSON. */
function unseenText(unseen: RehearsalReport["unseen"]): string {
  const whats = unseen.map(({ what }) => what);
  const nodes = whats.includes("Node objects") ? "; one node with room for all stands for the nodes" : "";
  return `not seen, as you may not read them: ${whats.join(", ")}${nodes}`;
}

/** One line for each object that could fail. */
export function failureTable(rows: readonly FailureConsequence[]): readonly string[] {
  return table(
    ["FAILS", "HOW", "ENDS", "KNOWN AFTER", "SKIPPED", "LEFT CHANGED", "UNDO"],
    rows.map(({ ref, how, status, knownAfterMs, skipped, leftBehind, undo }) => [
      titleOf(ref),
      how,
      status,
      knownAfterMs === undefined ? "-" : lengthText(knownAfterMs),
      String(skipped.length),
      String(leftBehind.length),
      typeof undo === "string" ? undo : oneLine(`fails: ${undo.failed}`),
    ]),
  );
}

/** One line for each step after which the program was killed. */
export function killTable(rows: readonly KillConsequence[]): readonly string[] {
  return table(
    ["KILLED AFTER", "CARRIED ON", "DIFFERENT"],
    rows.map(({ step, status, because, different }) => [
      `${step.verb} ${titleOf(step.ref)}`,
      because === undefined ? status : oneLine(`${status}: ${because}`),
      different.length === 0 ? "nothing" : different.map(titleOf).join(", "),
    ]),
  );
}
