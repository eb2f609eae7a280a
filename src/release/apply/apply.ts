import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { Plan } from "../plan/index.ts";
import type { Progress } from "../index.ts";
import { readLive } from "../live/index.ts";
import { desiredOf, liveQueryOf, planOrThrow, type PreparedManifest } from "../prepare/index.ts";
import { runPlan, type RunPlanOptions } from "./run-plan.ts";

type ApplyPolicy = {
  /** The field manager of the applied fields. Default `sluice`. */
  readonly manager?: string;
  /** Takes over fields of other field managers. Default false. */
  readonly force?: boolean;
  /** How long to wait after applying. Default `all`: until every object is ready. */
  readonly wait?: "all" | "hooks" | "none";
};

export type ApplyRunOptions = ApplyPolicy & RunPlanOptions;

/**
 * Applies objects in order, each as soon as its needs are met, and waits until all are ready. A dry run finds what the
 * API server refuses before anything changes, as far as the server can know it by then.
 */
export async function* apply(prepared: readonly PreparedManifest[], cluster: Cluster, options: ApplyRunOptions): AsyncGenerator<Progress> {
  const { manager = "sluice" } = options;
  const { plan: planned, unchanged } = await planApply(prepared, cluster, options);
  yield { type: "planned", plan: planned };
  const verb = (options.wait ?? "all") === "all" ? "await" : "apply";
  for (const ref of unchanged) yield { type: "finished", verb, ref, because: "unchanged" };
  yield* runPlan(
    planned,
    { cluster, manager, objects: () => prepared.map(({ object, constraints: { sensitive } }) => ({ object, sensitive })) },
    options,
  );
}

/** Plans an apply, and finds the objects that it has nothing to do for: they are as they should be. Changes nothing. */
async function planApply(
  prepared: readonly PreparedManifest[],
  cluster: Cluster,
  { signal, manager = "sluice", force = false, wait = "all" }: ApplyPolicy & { readonly signal: AbortSignal },
): Promise<{ readonly plan: Plan; readonly unchanged: readonly ObjectRef[] }> {
  const known = prepared.filter(({ pending }) => !pending).map(desiredOf);
  const { facts } = await readLive(known.map(liveQueryOf), cluster, { signal, manager, force });
  const plan = planOrThrow({ operation: "install", desired: prepared.map(desiredOf), live: facts, options: { wait, force } });
  const busy = new Set(plan.steps.flatMap(({ action }) => ("ref" in action ? [keyOf(action.ref)] : [])));
  const isUnchanged = (ref: ObjectRef) => !busy.has(keyOf(ref)) && facts.get(keyOf(ref))?.dryRun?.outcome === "unchanged";
  return { plan, unchanged: prepared.map(({ ref }) => ref).filter(isUnchanged) };
}
