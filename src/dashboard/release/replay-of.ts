import { keyOf } from "../../core/object/index.ts";
import type { RecordedRun, RecordedStep, Recording } from "../../release/recording/index.ts";
import type { Replay, ReplayStep } from "../api/index.ts";

/** What a recording tells of the nodes of a graph. */
export function replayOf({ subject, runs }: Recording, nodeOfStep: ReadonlyMap<string, string>): Replay {
  const startMs = runs[0]!.startedAtMs;
  const endMs = Math.max(...runs.map(({ seenAtMs }) => seenAtMs));
  return {
    revision: subject.type === "release" ? subject.revision : 0,
    startedAtMs: startMs,
    lengthMs: endMs - startMs,
    runs: runs.map(({ operation, startedAtMs, seenAtMs, status }) => ({
      operation,
      fromMs: startedAtMs - startMs,
      toMs: seenAtMs - startMs,
      ...(status === undefined ? {} : { status }),
    })),
    steps: runs.flatMap((run, at) => stepsOf(run, at, startMs, nodeOfStep)),
  };
}

function stepsOf({ steps }: RecordedRun, run: number, startMs: number, nodeOfStep: ReadonlyMap<string, string>): readonly ReplayStep[] {
  return steps
    .filter(({ verb }) => verb !== "record")
    .map((step) => {
      const { startedAtMs, endedAtMs, outcome, because, waits } = step;
      return {
        node: nodeOfStep.get(step.id) ?? nodeIdOf(step),
        run,
        fromMs: startedAtMs - startMs,
        ...(endedAtMs === undefined ? {} : { toMs: endedAtMs - startMs }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(because === undefined ? {} : { because }),
        ...(isRemoval(step) ? { isRemoval: true as const } : {}),
        waits: waits.map(({ atMs, because: reason }) => ({ atMs: atMs - startMs, because: reason })),
      };
    });
}

/** The node of a step that the plan no longer has: of what was removed, or of what was there already. */
export function nodeIdOf(step: RecordedStep): string {
  return `${isRemoval(step) ? "gone" : (step.stage ?? "main")}/${keyOf(step.ref)}`;
}

function isRemoval({ verb, until }: RecordedStep): boolean {
  return verb === "delete" || until === "absent";
}
