import { keyOf, titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { RunStatus } from "../index.ts";
import type { Operation, Stage } from "../order/index.ts";
import { criticalPathOf, type PathLink } from "./critical-path.ts";
import { endedRunOf, phaseOf, type EndedRun, type EndedStep, type Phase } from "./ended-run.ts";
import type { Recording, RecordingSubject } from "./recording.ts";

/** A part of an object's time. All times of a timeline are in ms since its start. */
export type TimelineSpan = { readonly phase: Phase; readonly fromMs: number; readonly toMs: number };

/** How an object turned out. `interrupted`: its run ended before it did, and no later one took it up. */
type RowOutcome = "finished" | "failed" | "skipped" | "interrupted";

/** The time of one object, from its first step to its last. */
export type TimelineRow = {
  readonly ref: ObjectRef;
  readonly stage?: Stage;
  readonly hook?: true;
  readonly outcome: RowOutcome;
  /** Its run was killed before its end was recorded, and whoever came next found it done. */
  readonly foundDone?: true;
  /** Why it has failed or was skipped, or what it waits for. */
  readonly because?: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly spans: readonly TimelineSpan[];
};

/** A reason to wait, and how long it held. */
export type TimelineWait = { readonly ref: ObjectRef; readonly because: string; readonly fromMs: number; readonly toMs: number };

/** One process at work. */
type TimelineRun = { readonly operation: Operation; readonly fromMs: number; readonly toMs: number; readonly status?: RunStatus };

/** A recording, or what is expected of a run, as it is drawn. Survives JSON. */
export type Timeline = {
  readonly subject: RecordingSubject;
  readonly operation: Operation;
  /** `unfinished`: it runs still, or it was killed. */
  readonly status: RunStatus | "unfinished";
  /** The status is that of the release's record: the run was killed before its end was recorded here. */
  readonly endUnrecorded?: true;
  readonly because?: string;
  readonly startedAtMs: number;
  readonly lengthMs: number;
  readonly runs: readonly TimelineRun[];
  /** By their start. */
  readonly rows: readonly TimelineRow[];
  /** What the end has waited for, first to last. */
  readonly criticalPath: readonly PathLink[];
  /** The longest ones first. */
  readonly waits: readonly TimelineWait[];
  readonly leftOut: readonly string[];
};

const maxWaits = 10;

type TimelineOptions = {
  /** How it ended by the record of the release, for a recording without an end. Default: it has not ended, as far as is known. */
  readonly endInRecord?: "deployed" | "failed" | undefined;
};

export function timelineOf({ subject, runs, leftOut = [] }: Recording, { endInRecord }: TimelineOptions = {}): Timeline {
  const ended = runs.map(endedRunOf);
  const last = ended.at(-1)!;
  // Runs may be of machines whose clocks differ.
  const startMs = Math.min(...ended.map(firstTimeIn));
  return {
    subject,
    operation: last.operation,
    status: last.status ?? endInRecord ?? "unfinished",
    ...(last.status === undefined && endInRecord !== undefined ? { endUnrecorded: true } : {}),
    ...(last.because === undefined ? {} : { because: last.because }),
    startedAtMs: startMs,
    lengthMs: Math.max(...ended.map(({ seenAtMs }) => seenAtMs)) - startMs,
    runs: ended.map(({ operation, startedAtMs, seenAtMs, status }) => ({
      operation,
      fromMs: startedAtMs - startMs,
      toMs: seenAtMs - startMs,
      ...(status === undefined ? {} : { status }),
    })),
    rows: rowsOf(ended, startMs, endInRecord === "deployed"),
    criticalPath: criticalPathOf(ended, startMs),
    waits: waitsOf(ended, startMs),
    leftOut,
  };
}

function firstTimeIn({ startedAtMs, steps }: EndedRun): number {
  return steps.reduce((least, step) => Math.min(least, step.startedAtMs), startedAtMs);
}

function rowsOf(runs: readonly EndedRun[], startMs: number, hasSucceeded: boolean): readonly TimelineRow[] {
  const steps = runs.flatMap((run, at) => {
    const isFoundDone = hasSucceeded || runs.slice(at + 1).some(hasSeenAll);
    return run.steps.filter(({ verb }) => verb !== "record").map((step) => (isFoundDone ? withFoundEnd(step) : step));
  });
  const rows = [...Map.groupBy(steps, ({ ref }) => keyOf(ref)).values()].map((group) => rowOf(group, startMs));
  return rows.toSorted((a, b) => a.fromMs - b.fromMs || a.toMs - b.toMs);
}

/** A run that came to its end has taken up whatever was not done yet. */
function hasSeenAll({ status }: EndedRun): boolean {
  return status !== undefined && status !== "stopped";
}

type FoundStep = EndedStep & { readonly foundDone?: true };

function withFoundEnd(step: EndedStep): FoundStep {
  return step.outcome === undefined ? { ...step, outcome: "finished", foundDone: true } : step;
}

function rowOf(steps: readonly FoundStep[], startMs: number): TimelineRow {
  const last = steps.at(-1)!;
  const ran = steps.filter(({ outcome }) => outcome !== "skipped");
  const { ref, stage, hook } = steps[0]!;
  const told = last.outcome === "finished" ? undefined : (last.because ?? last.waits.at(-1)?.because);
  return {
    ref,
    ...(stage === undefined ? {} : { stage }),
    ...(hook === undefined ? {} : { hook }),
    outcome: last.outcome ?? "interrupted",
    ...(last.foundDone === undefined ? {} : { foundDone: last.foundDone }),
    ...(told === undefined ? {} : { because: told }),
    fromMs: Math.min(...steps.map(({ startedAtMs }) => startedAtMs)) - startMs,
    toMs: Math.max(...steps.map(({ endedAtMs }) => endedAtMs)) - startMs,
    spans: ran.map((step) => ({ phase: phaseOf(step), fromMs: step.startedAtMs - startMs, toMs: step.endedAtMs - startMs })),
  };
}

function waitsOf(runs: readonly EndedRun[], startMs: number): readonly TimelineWait[] {
  const waits = runs.flatMap(({ steps }) =>
    steps.flatMap(({ ref, waits: reasons, endedAtMs }) =>
      reasons.map(({ atMs, because }, at) => ({
        ref,
        because,
        fromMs: atMs - startMs,
        toMs: (reasons[at + 1]?.atMs ?? endedAtMs) - startMs,
      })),
    ),
  );
  return waits.toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs) || a.fromMs - b.fromMs).slice(0, maxWaits);
}

/** `deployment/web`, with its namespace where it is not the release's own. */
export function rowTitle(ref: ObjectRef, subject: RecordingSubject): string {
  const home = subject.type === "release" ? subject.namespace : "";
  return ref.namespace === "" || ref.namespace === home ? titleOf(ref) : `${titleOf(ref)} in ${ref.namespace}`;
}
