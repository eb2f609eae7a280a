import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import { rollback, uninstallRelease, type DeployRequest } from "../deploy/index.ts";
import type { Plan } from "../plan/index.ts";
import { historyOf } from "../record/index.ts";
import { openRehearsal, type Rehearsal } from "./open-rehearsal.ts";
import { planRefsOf } from "./plan-refs.ts";
import { changedSince, readReleaseState } from "./release-state.ts";
import { endOf, followRun, rehearsedAs, rehearseIn, type RehearsedRun, type RehearseOptions } from "./rehearse.ts";
import type { Snapshot } from "./snapshot.ts";
import { nothingWrong, possibleFailures, type Failure } from "./what-if.ts";

/** What happens when one object fails. */
export type FailureConsequence = {
  readonly ref: ObjectRef;
  readonly how: Failure;
  /** `deployed`: nothing waits for it. */
  readonly status: string;
  readonly because?: string;
  /** How long until the first failure is reported. */
  readonly knownAfterMs?: number;
  /** Objects that are never touched because of it. */
  readonly skipped: readonly ObjectRef[];
  /** Objects that are other than before when the run ends. */
  readonly leftBehind: readonly ObjectRef[];
  /** `restored`: the release was as before after a rollback, or after its deletion when there was none before. */
  readonly undo: "restored" | "not needed" | { readonly failed: string };
};

/** The objects whose failure is worth a rehearsal: those that the plan changes. */
function failingCandidates({ steps }: Plan): readonly { readonly ref: ObjectRef; readonly how: Failure }[] {
  const changed = steps.flatMap(({ action }) => (action.verb === "apply" && action.change !== "unchanged" ? [action] : []));
  const once = [...new Map(changed.map((action) => [keyOf(action.ref), action])).values()];
  return once.map(({ ref, manifest }) => ({ ref, how: possibleFailures(manifest)[0]! }));
}

/** Rehearses one failure after another, each from the same snapshot. */
export async function* rehearseEveryFailure(
  request: DeployRequest,
  plan: Plan,
  snapshot: Snapshot,
  options: RehearseOptions,
): AsyncGenerator<FailureConsequence> {
  const refs = planRefsOf(plan);
  for (const failure of failingCandidates(plan)) {
    const whatIf = { ...(options.whatIf ?? nothingWrong), fail: [...(options.whatIf?.fail ?? []), failure] };
    const rehearsal = openRehearsal(snapshot, { ...options, whatIf });
    try {
      yield { ...failure, ...(await consequenceIn(rehearsal, request, refs, options)) };
    } finally {
      rehearsal.close();
    }
  }
}

async function consequenceIn(
  rehearsal: Rehearsal,
  request: DeployRequest,
  refs: readonly ObjectRef[],
  options: RehearseOptions,
): Promise<Omit<FailureConsequence, "ref" | "how">> {
  const { cluster } = rehearsal.newClient();
  const before = await readReleaseState(refs, cluster);
  const run = await rehearseIn(rehearsal, request, options);
  const end = endOf(run);
  const after = await readReleaseState(refs, cluster);
  const leftBehind = changedSince(before, after);
  const failed = end === undefined || end.status === "failed";
  rehearsal.recover();
  const undo = !failed || leftBehind.length === 0 ? undefined : await undoIn(rehearsal, request, options);
  const left = undo === undefined ? [] : changedSince(before, await readReleaseState(refs, cluster));
  const because = end?.because ?? (run.refusal instanceof Error ? run.refusal.message : undefined);
  return {
    status: end?.status ?? "refused",
    ...(because === undefined ? {} : { because }),
    ...firstFailureIn(run),
    skipped: skippedIn(run),
    leftBehind,
    undo: undo === undefined ? "not needed" : undoResult(undo, left),
  };
}

/** Rolls back, or deletes a release that was never deployed before. */
async function undoIn(rehearsal: Rehearsal, { release }: DeployRequest, options: RehearseOptions): Promise<RehearsedRun> {
  const { deploy } = options;
  const { cluster } = rehearsal.newClient();
  const revisions = await historyOf(cluster).revisions(release, deploy);
  const hasDeployed = revisions.some(({ state }) => state === "deployed" || state === "superseded");
  const how = rehearsedAs("rehearsal", options);
  const run = hasDeployed ? rollback({ release, wait: "all" }, cluster, how) : uninstallRelease({ release, wait: "all" }, cluster, how);
  return followRun(run, rehearsal, deploy.signal);
}

function undoResult(run: RehearsedRun, left: readonly ObjectRef[]): FailureConsequence["undo"] {
  const end = endOf(run);
  const good = end?.status === "deployed" || end?.status === "deleted" || end?.status === "unchanged";
  if (!good) return { failed: end?.because ?? (run.refusal instanceof Error ? run.refusal.message : "it did not end") };
  if (left.length === 0) return "restored";
  return { failed: `other than before: ${left.map(({ kind, name }) => `${kind} ${name}`).join(", ")}` };
}

function firstFailureIn({ progress, startedAtMs }: RehearsedRun): { readonly knownAfterMs?: number } {
  const first = progress.find(({ event }) => event.type === "failed");
  return first === undefined ? {} : { knownAfterMs: first.atMs - startedAtMs };
}

function skippedIn({ progress }: RehearsedRun): readonly ObjectRef[] {
  const skipped = progress.flatMap(({ event }) => (event.type === "skipped" && event.verb === "apply" ? [event.ref] : []));
  return [...new Map(skipped.map((ref) => [keyOf(ref), ref])).values()];
}
