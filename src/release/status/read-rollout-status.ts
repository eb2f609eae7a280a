import type { Cluster } from "../../kube/index.ts";
import { readLeaseHolder, latestOf, type LeaseHolderOptions, type Release } from "../record/index.ts";
import type { HealthOptions } from "../track/index.ts";
import type { RolloutStatus } from "../why/index.ts";
import { readRolloutPlan } from "./read-rollout-plan.ts";
import { readRevisions } from "./read-revisions.ts";
import { readStepStatuses } from "./read-step-statuses.ts";

type Options = LeaseHolderOptions & Omit<HealthOptions, "known">;

/**
 * Reads the rollout status of a release: the whole plan of its latest revision, as if nothing were done yet, and the
 * status of each step by the live objects.
 */
export async function readRolloutStatus(release: Release, cluster: Cluster, options: Options): Promise<RolloutStatus> {
  const revisions = await readRevisions(release, cluster, options);
  const latest = latestOf(revisions)!;
  const [holder, { plan }] = await Promise.all([readLeaseHolder(cluster, release, options), readRolloutPlan(revisions, cluster, options)]);
  const { revision, state, description } = latest;
  return {
    release,
    revision,
    state,
    description,
    ...(holder === undefined ? {} : { holder }),
    plan,
    stepStatuses: await readStepStatuses(plan, latest, cluster, options),
  };
}
