import type { ObjectRef } from "../../core/object/index.ts";
import { deploy, type DeployRequest } from "../deploy/index.ts";
import type { StepProgress } from "../index.ts";
import type { Plan } from "../plan/index.ts";
import { openRehearsal, type Rehearsal } from "./open-rehearsal.ts";
import { planRefsOf } from "./plan-refs.ts";
import { changedSince, readReleaseState } from "./release-state.ts";
import { endOf, followRun, rehearsedAs, rehearseIn, type RehearseOptions } from "./rehearse.ts";
import type { Snapshot } from "./snapshot.ts";

/** What happens when the program is killed after a step and started again. */
export type KillConsequence = {
  /** How many steps had ended. */
  readonly afterSteps: number;
  readonly step: Pick<StepProgress, "verb"> & { readonly ref: ObjectRef };
  /** How the run that carried on ended. */
  readonly status: string;
  readonly because?: string;
  /** Objects that are other than after a run that nobody killed. */
  readonly different: readonly ObjectRef[];
};

/** Kills the program after each step, carries on, and compares the end with that of a run that nobody killed. */
export async function* rehearseEveryKill(
  request: DeployRequest,
  plan: Plan,
  snapshot: Snapshot,
  options: RehearseOptions,
): AsyncGenerator<KillConsequence> {
  const refs = planRefsOf(plan);
  const undisturbed = await withRehearsal(snapshot, options, async (rehearsal) => {
    await rehearseIn(rehearsal, request, options);
    return readReleaseState(refs, rehearsal.newClient().cluster);
  });
  for (let afterSteps = 1; ; afterSteps++) {
    const consequence = await withRehearsal(snapshot, options, async (rehearsal) => {
      const step = await killAfter(afterSteps, rehearsal, request, options);
      if (step === undefined) return undefined;
      const how = { ...rehearsedAs("second", options), hasDied: () => true };
      const run = await followRun(deploy(request, rehearsal.newClient().cluster, how), rehearsal, options.deploy.signal);
      const end = endOf(run);
      const because = end?.because ?? (run.refusal instanceof Error ? run.refusal.message : undefined);
      const different = changedSince(undisturbed, await readReleaseState(refs, rehearsal.newClient().cluster));
      return { afterSteps, step, status: end?.status ?? "refused", ...(because === undefined ? {} : { because }), different };
    });
    if (consequence === undefined) return;
    yield consequence;
  }
}

/** Runs the deploy until so many steps have ended, and kills it. Undefined when it has fewer. */
async function killAfter(
  steps: number,
  rehearsal: Rehearsal,
  request: DeployRequest,
  options: RehearseOptions,
): Promise<KillConsequence["step"] | undefined> {
  const { cluster, kill } = rehearsal.newClient();
  let ended = 0;
  const run = deploy(request, cluster, rehearsedAs("first", options))[Symbol.asyncIterator]();
  for (let next = await run.next(); next.done !== true; next = await run.next()) {
    const { value: event } = next;
    if (event.type !== "finished" || ++ended < steps) continue;
    // A killed program does not clean up, so the generator never returns.
    kill();
    return { verb: event.verb, ref: event.ref };
  }
  return undefined;
}

async function withRehearsal<T>(snapshot: Snapshot, options: RehearseOptions, work: (rehearsal: Rehearsal) => Promise<T>): Promise<T> {
  const rehearsal = openRehearsal(snapshot, options);
  try {
    return await work(rehearsal);
  } finally {
    rehearsal.close();
  }
}
