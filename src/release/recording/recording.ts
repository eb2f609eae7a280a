import type { ObjectRef } from "../../core/object/index.ts";
import type { RunStatus, Verb } from "../index.ts";
import type { Gate, Operation, Stage } from "../order/index.ts";

/** The version of the format. A change that older versions would misread has another one. */
export const recordingVersion = 1;

/** What was deployed: a revision of a release, or a feature of a profile in one cluster. */
export type RecordingSubject =
  | { readonly type: "release"; readonly name: string; readonly namespace: string; readonly revision: number }
  | { readonly type: "profile"; readonly profile: string; readonly cluster: string; readonly feature: string };

/** The story of one operation, over all runs that it took. Plain data that survives JSON. Times are in ms since 1970. */
export type Recording = {
  readonly version: typeof recordingVersion;
  readonly subject: RecordingSubject;
  /** Oldest first. A run that was killed has no status, and the next one carries on. */
  readonly runs: readonly RecordedRun[];
  /** What was left out so that the recording fits: `events`, `pods`. Default nothing. */
  readonly leftOut?: readonly string[];
};

/** One process at work. */
export type RecordedRun = {
  readonly operation: Operation;
  readonly startedAtMs: number;
  /** When something was recorded last. */
  readonly seenAtMs: number;
  /** Absent while it runs, and when it was killed. */
  readonly status?: RunStatus;
  readonly because?: string;
  /** The steps that were started or skipped, in that order. */
  readonly steps: readonly RecordedStep[];
  /** The pods that were created meanwhile. */
  readonly pods: readonly RecordedPod[];
};

export type RecordedStep = {
  readonly id: string;
  readonly verb: Verb;
  readonly ref: ObjectRef;
  readonly stage?: Stage;
  readonly rank?: number;
  readonly hook?: true;
  /** Its object was deleted after the step had ended, and this is the wait until it was there again. */
  readonly again?: true;
  /** What an await waits for, when it is not `ready`. */
  readonly until?: Gate["until"];
  /** The step whose end let this one start, and why it needs it. Absent when it needs none. */
  readonly after?: { readonly id: string; readonly because: string };
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  /** Absent while it runs, and when its run was killed. */
  readonly outcome?: "finished" | "failed" | "skipped";
  /** How it was changed, why it has failed, or why it was skipped. */
  readonly because?: string;
  /** What it waited for, and since when. */
  readonly waits: readonly RecordedWait[];
  /** Events about what has failed. */
  readonly events?: readonly string[];
};

export type RecordedWait = { readonly atMs: number; readonly because: string };

/** What the status of a pod tells about its start: the evidence of how long pulls, starts, probes and Jobs take. */
export type RecordedPod = {
  readonly name: string;
  readonly namespace: string;
  /** The workload that it belongs to; the pod itself when nobody owns it. */
  readonly owner: { readonly kind: string; readonly name: string };
  readonly createdAtMs: number;
  readonly scheduledAtMs?: number;
  readonly readyAtMs?: number;
  readonly containers: readonly RecordedContainer[];
};

export type RecordedContainer = {
  readonly name: string;
  readonly image: string;
  readonly init?: true;
  /** How long its image was pulled, as an Event says. */
  readonly pullMs?: number;
  /** Why its image could not be pulled, when that was the last that was heard of it. */
  readonly pullError?: string;
  readonly startedAtMs?: number;
  readonly finishedAtMs?: number;
  readonly exitCode?: number;
  readonly restarts: number;
};
