import type { Cluster } from "../../kube/index.ts";
import type { Plan } from "../plan/index.ts";
import type { Progress } from "../index.ts";
import { readLive, type LiveState } from "../live/index.ts";
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
  const { plan: planned } = await planApply(prepared, cluster, options);
  yield { type: "planned", plan: planned };
  yield* runPlan(planned, { cluster, manager, objects: () => prepared.map(({ object }) => object) }, options);
}

/** Plans an apply and reads the objects as they are and as they would be. Changes nothing. */
async function planApply(
  prepared: readonly PreparedManifest[],
  cluster: Cluster,
  { signal, manager = "sluice", force = false, wait = "all" }: ApplyPolicy & { readonly signal: AbortSignal },
): Promise<{ readonly plan: Plan; readonly objects: LiveState["objects"] }> {
  const known = prepared.filter(({ pending }) => !pending).map(desiredOf);
  const { facts, objects } = await readLive(known.map(liveQueryOf), cluster, { signal, manager, force });
  const plan = planOrThrow({ operation: "install", desired: prepared.map(desiredOf), live: facts, options: { wait, force } });
  return { plan, objects };
}
