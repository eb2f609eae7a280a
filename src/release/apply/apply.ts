import { BadInput } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { buildPlan, type Plan } from "../plan/index.ts";
import type { Progress } from "../index.ts";
import { readLive, type LiveState } from "../live/index.ts";
import type { PreparedManifest } from "./prepare.ts";
import { runPlan, type RunPlanOptions } from "./run-plan.ts";

export type ApplyPolicy = {
  /** Who owns the applied fields. Default `sluice`. */
  readonly manager?: string;
  /** Takes fields over from other owners. Default false. */
  readonly force?: boolean;
  /** Until when what was applied is followed. Default `all`: until everything is ready. */
  readonly wait?: "all" | "hooks" | "none";
};

export type ApplyRunOptions = ApplyPolicy & RunPlanOptions;

/**
 * Applies objects in their order, each as soon as what it waits for is there, and follows them until all are ready. What
 * the cluster refuses is found by a dry run before anything is touched, as far as it can know it by then.
 */
export async function* apply(prepared: readonly PreparedManifest[], cluster: Cluster, options: ApplyRunOptions): AsyncGenerator<Progress> {
  const { manager = "sluice" } = options;
  const { plan: planned } = await planApply(prepared, cluster, options);
  yield { type: "planned", plan: planned };
  yield* runPlan(planned, { cluster, manager }, options);
}

/** Settles what applying would do, and shows the objects as they are and as they would be. Nothing is touched. */
export async function planApply(
  prepared: readonly PreparedManifest[],
  cluster: Cluster,
  { signal, manager = "sluice", force = false, wait = "all" }: ApplyPolicy & { readonly signal: AbortSignal },
): Promise<{ readonly plan: Plan; readonly objects: LiveState["objects"] }> {
  const known = prepared
    .filter(({ pending }) => !pending)
    .map(({ ref, object, claims: { replicasOnCreation, sensitive } }) => ({
      ref,
      manifest: object,
      keepsReplicas: replicasOnCreation !== undefined,
      sensitive,
    }));
  const { facts, objects } = await readLive(known, cluster, { signal, manager, force });
  const desired = prepared.map(({ object, at, ref, claims }) => ({ item: { object, at }, ref, claims }));
  const planned = buildPlan({ operation: "install", desired, live: facts, options: { wait, force } });
  if ("problems" in planned) throw new BadInput(planned.problems);
  return { plan: planned.plan, objects };
}
