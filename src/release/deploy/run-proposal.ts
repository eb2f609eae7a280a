import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { runPlan, type LogScope, type RunPlanOptions } from "../apply/index.ts";
import type { SensitiveObject } from "../conceal/index.ts";
import type { StepProgress, Progress } from "../index.ts";
import type { HeldLease } from "../record/index.ts";
import { writeWhileHeld } from "./write-while-held.ts";
import { RevisionRecorder, type RecordOptions } from "./revision-recorder.ts";
import type { OperationRecordings } from "./operation-recordings.ts";
import type { Proposal } from "./proposal.ts";
import { releaseFieldManager } from "./propose/index.ts";
import { sensitiveObjectsOf } from "./sensitive-objects.ts";

export type RunProposalOptions = RecordOptions & {
  /** Stops at once; the next run carries on. */
  readonly signal: AbortSignal;
  readonly parallel?: number;
  /** When a wait fails. */
  readonly timeoutMs?: number;
  /** When unschedulable pods are a failure. Default after two minutes. */
  readonly schedulingTimeoutMs?: number;
  /** Whose logs are reported. Default `none`. */
  readonly logs?: LogScope;
} & Pick<RunPlanOptions, "attendanceOf">;

/** `recordings` records the run. Default: it is not recorded. */
export type RecordedRunOptions = RunProposalOptions & { readonly recordings?: OperationRecordings };

/** The options that a run of the plan takes over. */
export function runPlanOptionsOf(options: RunProposalOptions): Omit<RunPlanOptions, "signal"> {
  const { parallel, timeoutMs, schedulingTimeoutMs, logs, attendanceOf } = options;
  return {
    ...(attendanceOf === undefined ? {} : { attendanceOf }),
    ...(parallel === undefined ? {} : { parallel }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(schedulingTimeoutMs === undefined ? {} : { schedulingTimeoutMs }),
    ...(logs === undefined ? {} : { logs }),
  };
}

/** The sensitive objects of the release, which are read when they are first asked for. */
export function objectsOf(proposal: Proposal): () => readonly SensitiveObject[] {
  let found: readonly SensitiveObject[] | undefined;
  return () => (found ??= sensitiveObjectsOf(proposal));
}

/** Runs a proposal, writes its records, and yields every step event and the result. */
export async function* runProposal(
  proposal: Proposal,
  cluster: Cluster,
  lease: HeldLease,
  options: RecordedRunOptions,
): AsyncGenerator<Progress> {
  const { signal: interrupt, recordings } = options;
  const signal = AbortSignal.any([interrupt, lease.lost]);
  const held = writeWhileHeld(cluster, lease);
  const recorder = new RevisionRecorder(proposal, held, options);
  const recordProgress = recordings?.begin(proposal, recorder);
  const limits = { signal, ...runPlanOptionsOf(options) };
  yield { type: "planned", plan: proposal.plan };
  const context = {
    cluster: held,
    manager: releaseFieldManager,
    record: recorder.record,
    onProgress(event: StepProgress) {
      recorder.onProgress(event);
      recordProgress?.(event);
    },
    objects: objectsOf(proposal),
  };
  for await (const event of runPlan(proposal.plan, context, limits)) {
    if (event.type === "done") {
      await recorder.close(signal);
      recordProgress?.(event);
    }
    yield event;
  }
  if (lease.lost.aborted && !interrupt.aborted) throw lostLease(lease);
}

/** What is pending is carried on by whoever runs the same command next. */
function lostLease({ lost }: HeldLease): Fault {
  const { reason } = lost;
  return new Fault(
    `${reason instanceof Error ? reason.message : String(reason)}: run the same command again, and it carries on`,
    undefined,
  );
}
