import { fieldManager } from "../api/index.ts";
import { keyOf, titleOf } from "../../core/object/index.ts";
import { runPlan, type ApplyContext, type RunPlanOptions } from "../../release/apply/index.ts";
import { hookEventOf } from "../../release/prepare/index.ts";
import type { Progress } from "../../release/index.ts";
import type { Plan, RecordAction } from "../../release/plan/index.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import type { ResourceProposal } from "./propose-resources.ts";
import { withHook } from "./release-record.ts";
import type { AddonOptions, AddonContext } from "./addon-request.ts";
import type { FeatureRecording, RunToRecord } from "./profile-recordings.ts";
import type { ResourceGuard } from "./resource-guard.ts";
import { combineChanges, unchangedStatus, withRelease, type StatusChange } from "./status-change.ts";

/** A plan, and what is written when it starts: the record, if there is a new one, and the status of the feature. */
type ResourcePlanRun = Pick<ResourceProposal, "plan" | "start"> & {
  /** The manifests of the plan, which say what of them is sensitive. Default: none does. */
  readonly desired?: ResourceProposal["desired"];
  /** Repairs drift, which is not recorded. Default false. */
  readonly isRepair?: boolean;
  readonly begun?: StatusChange;
  /** What is written when a step has to wait. Default: nothing. */
  readonly waiting?: StatusChange;
  /** Is told of every event. */
  readonly observe?: (event: Progress) => void;
  readonly guard: ResourceGuard;
};

/** The failures of a run, a line each, and by `keyOf` the objects that it has applied and deleted. */
type ResourceRunResult = {
  readonly failures: readonly string[];
  readonly applied: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
};

/** Runs a plan and writes its record to the ClusterSummary. */
export async function* runResourcePlan(
  planRun: ResourcePlanRun,
  statusStore: SummaryStatusStore,
  { cluster, recordings }: AddonContext,
  { signal, timeoutMs }: AddonOptions,
): AsyncGenerator<Progress, ResourceRunResult> {
  const { plan, start, guard, desired = [], begun = unchangedStatus, waiting = unchangedStatus, observe } = planRun;
  const failures: string[] = [];
  const applied = new Set<string>();
  const deleted = new Set<string>();
  const record = (action: RecordAction, abort: AbortSignal) => recordStep(action, { plan, start, guard, begun }, statusStore, abort);
  const objects = () => desired.map(({ item: { object }, constraints: { sensitive } }) => ({ object, sensitive }));
  yield { type: "planned", plan };
  for await (const event of runRecorded(
    plan,
    { cluster, manager: fieldManager, guard, record, objects },
    { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
    planRun.isRepair === true ? undefined : recordings?.begin(statusStore.summary, runToRecord(planRun)),
  )) {
    if (event.type === "done" && event.status === "stopped") signal.throwIfAborted();
    observe?.(event);
    if (event.type === "waiting") await statusStore.update(waiting, signal);
    if (event.type === "failed") failures.push(event.verb === "record" ? event.because : `${titleOf(event.ref)}: ${event.because}`);
    if (event.type === "finished" && event.verb === "apply") applied.add(keyOf(event.ref));
    if (event.type === "finished" && event.verb === "delete") deleted.add(keyOf(event.ref));
    // Record steps are left out: they name Secrets, but this record is in the ClusterSummary.
    if (!("verb" in event) || event.verb !== "record") yield event;
  }
  return { failures, applied, deleted };
}

/** Runs a plan and records it as it goes. */
async function* runRecorded(
  plan: Plan,
  context: ApplyContext,
  options: RunPlanOptions,
  recording: FeatureRecording | undefined,
): AsyncGenerator<Progress> {
  if (recording === undefined) return yield* runPlan(plan, context, options);
  try {
    for await (const event of runPlan(plan, { ...context, onProgress: recording.onProgress }, options)) {
      if (event.type === "done") recording.onProgress(event);
      yield event;
    }
  } finally {
    recording.end();
  }
}

function runToRecord({ plan, start, desired = [] }: ResourcePlanRun): RunToRecord {
  const sensitivities = new Map(desired.map(({ ref, constraints }) => [keyOf(ref), constraints.sensitive]));
  return { plan, carriesOn: start?.isContinued === true, sensitivities };
}

/** The final state is written with the rest of the status, by `finishDeploy`. */
async function recordStep(
  { state, hook }: RecordAction,
  planRun: ResourcePlanRun,
  statusStore: SummaryStatusStore,
  signal: AbortSignal,
): Promise<void> {
  const { plan, start, begun = unchangedStatus } = planRun;
  if (start === undefined) return;
  const release = statusStore.featureRelease("Resources") ?? start.release;
  if (hook !== undefined)
    return statusStore.update(withRelease(withHook(release, hook.ref, hookEventOf(plan.operation, hook.stage), statusStore.now())), signal);
  if (state === "failed") return statusStore.update(withRelease({ ...release, state }), signal);
  if (state !== "deployed" && state !== "uninstalled") return statusStore.update(combineChanges(begun, withRelease(start.release)), signal);
}
