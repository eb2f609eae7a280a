import { rowTitle, type PathLink, type RecordingSubject, type Timeline, type TimelineRow } from "../release/recording/index.ts";
import { lengthText } from "./length-text.ts";

function subjectText(subject: RecordingSubject): string {
  if (subject.type === "profile") return `${subject.profile} in cluster ${subject.cluster}, ${subject.feature}`;
  return `${subject.name} in ${subject.namespace}, revision ${subject.revision}`;
}

/** `web in default, revision 3: upgrade deployed in 42.0s`. */
export function headText(timeline: Timeline): string {
  const { subject, operation, status, lengthMs, endUnrecorded } = timeline;
  if (endUnrecorded === true) return `${subjectText(subject)}: ${operation} ${status}, recorded for ${lengthText(lengthMs)}`;
  const end = status === "unfinished" ? `not ended after ${lengthText(lengthMs)}` : `${status} in ${lengthText(lengthMs)}`;
  return `${subjectText(subject)}: ${operation} ${end}`;
}

/** What a reader has to know beside the bars. */
export function remarksOn({ because, runs, status, endUnrecorded, leftOut, startedAtMs }: Timeline): readonly string[] {
  const times = runs.map(({ fromMs, toMs, status: ended }) => `${lengthText(fromMs)} to ${lengthText(toMs)} (${ended ?? "killed"})`);
  return [
    `began ${new Date(startedAtMs).toISOString()}`,
    ...(because === undefined ? [] : [`because: ${because}`]),
    ...(status === "unfinished"
      ? ["its end is not recorded: it runs still, or it was killed, and the same command carries it on; sluice status tells how it is"]
      : []),
    ...(endUnrecorded === true ? [`its end is not recorded, for it was killed: the record of the release says ${status}`] : []),
    ...(runs.length > 1 ? [`carried on, in ${runs.length} runs: ${times.join(", ")}`] : []),
    ...(leftOut.length === 0 ? [] : [`left out, for it would be too large: ${leftOut.join("; ")}`]),
  ];
}

/** The time from applied to ready, or how it ended otherwise. */
export function rowText({ outcome, foundDone, spans }: TimelineRow): string {
  if (outcome === "skipped") return "skipped";
  const length = lengthText(spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0));
  if (foundDone === true) return `${length}, found done`;
  return outcome === "finished" ? length : `${length} ${outcome}`;
}

/** A link of the critical path with what it waited for. */
export function linkText({ ref, phase, after, because }: PathLink, subject: RecordingSubject): string {
  const title = phase === "record" ? "the record of the release" : rowTitle(ref, subject);
  return `${title}${after === undefined ? "" : ` (after ${after})`}${because === undefined ? "" : `: ${because}`}`;
}
