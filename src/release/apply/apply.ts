import { BadInput } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { plan, type Plan } from "../plan/index.ts";
import type { Story } from "../index.ts";
import { survey, type Survey } from "../live/index.ts";
import type { Prepared } from "./prepare.ts";
import { run, type RunOptions } from "./run.ts";

export type ApplyTerms = {
  /** Who owns the applied fields. Default `sluice`. */
  readonly manager?: string;
  /** Takes fields over from other owners. Default false. */
  readonly force?: boolean;
  /** Until when what was applied is followed. Default `all`: until everything is ready. */
  readonly wait?: "all" | "hooks" | "none";
};

export type ApplyOptions = ApplyTerms & RunOptions;

/**
 * Applies objects in their order, each as soon as what it waits for is there, and follows them until all are ready. What
 * the cluster refuses is found by a dry run before anything is touched, as far as it can know it by then.
 */
export async function* apply(prepared: readonly Prepared[], cluster: Cluster, options: ApplyOptions): AsyncGenerator<Story> {
  const { manager = "sluice" } = options;
  const { plan: drawn } = await proposeApply(prepared, cluster, options);
  yield { type: "planned", plan: drawn };
  yield* run(drawn, { cluster, manager }, options);
}

/** Settles what applying would do, and shows the objects as they are and as they would be. Nothing is touched. */
export async function proposeApply(
  prepared: readonly Prepared[],
  cluster: Cluster,
  { signal, manager = "sluice", force = false, wait = "all" }: ApplyTerms & { readonly signal: AbortSignal },
): Promise<{ readonly plan: Plan; readonly objects: Survey["objects"] }> {
  const known = prepared
    .filter(({ pending }) => !pending)
    .map(({ ref, object, claims: { replicasOnCreation, sensitive } }) => ({
      ref,
      manifest: object,
      keepsReplicas: replicasOnCreation !== undefined,
      sensitive,
    }));
  const { facts, objects } = await survey(known, cluster, { signal, manager, force });
  const desired = prepared.map(({ object, at, ref, claims }) => ({ item: { object, at }, ref, claims }));
  const planned = plan({ operation: "install", desired, live: facts, options: { wait, force } });
  if ("problems" in planned) throw new BadInput(planned.problems);
  return { plan: planned.plan, objects };
}
